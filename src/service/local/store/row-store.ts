import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Cells, rowsIn, type StoredColumn } from "../content/column.ts";
import { compareCells, displayText } from "../content/comparable.ts";
import { findDisplayColumn } from "./doc-store.ts";
import { giveWay } from "./give-way.ts";
import { isOneOf } from "./json-sql.ts";
import { cutStart, NAME_START } from "./name-start.ts";
import { splitIntoParts } from "./parts-of.ts";
import { CURRENT_LITERAL, type ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;

export interface StoredRow {
  id: string;
  /** The text of its display column. */
  name: string;
  /** Place in the table's own order. */
  position: number;
  createdAtMs: number;
  updatedAtMs: number;
  /** The snapshot in which this version of the row appeared. */
  fromSeq: number;
  cells: Cells;
}

/** A table as it was in one snapshot. */
export interface TableSnapshot {
  docId: string;
  tableId: string;
  seq: number;
}

const PIECE_ROWS = 500;
/**
 * So many rows are searched at once, after the first piece: in an embedded database nothing else is
 * done meanwhile. With 100 columns that takes about 10 ms.
 */
export const SEARCHED_ROWS = 2_000;
export const ROW_COLUMNS = [
  "id",
  "name",
  "position",
  "created_at_ms",
  "updated_at_ms",
  "from_seq",
  "cells",
] as const;
export type SelectedRow = Pick<ServiceSchema["row_versions"], (typeof ROW_COLUMNS)[number]>;

export type RowOrder = "created_at_ms" | "updated_at_ms" | "position";
/** Where a listing goes on: the value that it is ordered by, and the id of the last row. */
export type RowKey = readonly [value: number | string, id: string];

export interface ReadRowsOptions {
  order?: RowOrder | undefined;
  after?: RowKey | undefined;
  limit?: number | undefined;
  /** Rows that changed after this snapshot. */
  sinceSeq?: number | undefined;
  /** The last place of a listing that is read. */
  until?: RowKey | undefined;
  condition?: RawBuilder<SqlBool> | undefined;
  /**
   * One of these holds for each row that passes the condition. Indexes answer them, each in the
   * order of the rows.
   */
  alternatives?: readonly RawBuilder<SqlBool>[] | undefined;
}

export async function readRows(
  db: Db,
  snapshot: TableSnapshot,
  options: ReadRowsOptions = {},
): Promise<StoredRow[]> {
  return inOrder((await readPage(db, snapshot, options)).map(toRow), options);
}

/**
 * Reads a page of the current rows and one of those that ended since, which have to be put
 * together.
 */
async function readPage(
  db: Db,
  snapshot: TableSnapshot,
  options: ReadRowsOptions,
): Promise<SelectedRow[]> {
  const { sinceSeq } = options;
  if (sinceSeq !== undefined) {
    const first = firstChanged(db, snapshot, sinceSeq) as ReturnType<typeof currentIn>;
    const rows = await pageFrom(db, snapshot, options, first).execute();
    if (hasAll(rows, options) || !(await changedMuch(db, snapshot, sinceSeq))) return rows;
  }
  return await pageFrom(db, snapshot, options).execute();
}

/** Whether nothing but the number of rows could have left one out, and there are fewer. */
function hasAll(
  rows: readonly SelectedRow[],
  { after, until, condition, limit = 0 }: ReadRowsOptions,
): boolean {
  return (after ?? until ?? condition) === undefined && rows.length < limit;
}

// One statement: between two of them a row could end, and be in neither.
function pageFrom(
  db: Db,
  snapshot: TableSnapshot,
  options: ReadRowsOptions,
  current = currentIn(db, snapshot),
) {
  const ended = db.selectFrom(limitToPage(endedIn(db, snapshot), options).as("ended")).selectAll();
  return (options.alternatives ?? [sql<SqlBool>`1 = 1`])
    .map((alternative) => limitToPage(current.where(alternative), options))
    .reduce((all, page) => all.unionAll(db.selectFrom(page.as("current")).selectAll()), ended);
}

function inOrder(rows: StoredRow[], { order = "position", limit }: ReadRowsOptions): StoredRow[] {
  rows.sort((one, other) => compareKeys(rowKey(one, order), rowKey(other, order)));
  return limit === undefined ? rows : rows.slice(0, limit);
}

/**
 * So many changed rows are sorted for a page; when there are more, the page is found in its order.
 */
const MAX_SORTED = 5_000;

/** The first rows that changed after a snapshot, and which a later one has. */
function firstChanged(db: Db, snapshot: TableSnapshot, sinceSeq: number) {
  const first = currentPlaces(db, snapshot)
    .where("from_seq", ">", sinceSeq)
    .orderBy("from_seq")
    .limit(MAX_SORTED)
    .select(ROW_COLUMNS);
  return db.selectFrom(first.as("row_versions")).where("from_seq", "<=", snapshot.seq);
}

async function changedMuch(
  db: Db,
  { docId, tableId }: TablePlace,
  sinceSeq: number,
): Promise<boolean> {
  const changed = await currentPlaces(db, { docId, tableId })
    .where("from_seq", ">", sinceSeq)
    .select("from_seq")
    .orderBy("from_seq")
    .offset(MAX_SORTED)
    .limit(1)
    .execute();
  return changed.length > 0;
}

/** So many rows that changed since its snapshot are read for a page of a listing. */
const MAX_CHANGED = 2_000;

/**
 * Whether so many rows of a table changed since a snapshot that its listings go on with the current
 * rows: what they read would grow
 * with the number of changes.
 */
export async function isOutdated(db: Db, { docId, tableId, seq }: TableSnapshot): Promise<boolean> {
  const begun = currentPlaces(db, { docId, tableId })
    .where("from_seq", ">", seq)
    .select("from_seq as seq")
    .orderBy("from_seq")
    .offset(MAX_CHANGED)
    .limit(1);
  const ended = endedSince(db, { docId, tableId, seq })
    .select("to_seq as seq")
    .orderBy("to_seq")
    .offset(MAX_CHANGED)
    .limit(1);
  const both = db
    .selectFrom(begun.as("begun"))
    .select("seq")
    .unionAll(db.selectFrom(ended.as("ended")).select("seq"));
  return (await both.execute()).length > 0;
}

function limitToPage(
  query: ReturnType<typeof currentIn>,
  { order = "position", after, until, limit, sinceSeq, condition }: ReadRowsOptions,
) {
  let page = query.select(ROW_COLUMNS).orderBy(order).orderBy("id");
  // As one comparison, which an index answers; two with OR would read the table.
  if (after !== undefined)
    page = page.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(order, "id"), ">", tuple(Number(after[0]), after[1])),
    );
  if (until !== undefined)
    page = page.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(order, "id"), "<=", tuple(Number(until[0]), until[1])),
    );
  if (condition !== undefined) page = page.where(condition);
  if (sinceSeq !== undefined) page = page.where(unindexed("from_seq"), ">", sinceSeq);
  // A limit keeps the order of a part that is put together with another one.
  return page.limit(limit ?? Number.MAX_SAFE_INTEGER);
}

/** Reads all rows in their order, so many at a time that others run in between. */
export async function* everyRow(
  db: Db,
  snapshot: TableSnapshot,
  options: Omit<ReadRowsOptions, "limit"> = {},
): AsyncGenerator<StoredRow[]> {
  let { after } = options;
  for (;;) {
    const rows = await readRows(db, snapshot, { ...options, after, limit: PIECE_ROWS });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PIECE_ROWS) return;
    after = rowKey(last, options.order ?? "position");
    await giveWay();
  }
}

export type SearchOptions = Pick<
  ReadRowsOptions,
  "order" | "after" | "condition" | "alternatives" | "limit"
>;

/**
 * Reads the rows in their order that pass a condition.
 * @param isInPieces whether the condition is checked for so many rows at a time that others run in
 *   between, as an embedded database needs it
 */
export async function* searchRows(
  db: Db,
  snapshot: TableSnapshot,
  { order = "position", after, ...search }: SearchOptions,
  isInPieces: boolean,
): AsyncGenerator<StoredRow[]> {
  let start = after;
  for (let size = PIECE_ROWS; ; size = SEARCHED_ROWS) {
    const until = isInPieces ? await placeAfter(db, snapshot, order, start, size) : undefined;
    yield await readRows(db, snapshot, { ...search, order, after: start, until });
    if (until === undefined) return;
    start = until;
    await giveWay();
  }
}

/**
 * Conditions that together hold for every row of a table, in its order: each for so many rows that
 * others run in between, as an embedded database needs it.
 */
export async function* placeRanges(db: Db, place: TablePlace): AsyncGenerator<RawBuilder<SqlBool>> {
  const { nextPosition } = await tableSize(db, place);
  for (let from = 0; from < nextPosition; from += SEARCHED_ROWS) {
    if (from > 0) await giveWay();
    yield sql`row_versions.position >= ${from} and row_versions.position < ${from + SEARCHED_ROWS}`;
  }
}

/** The place so many current rows on; undefined when there are not so many. An index answers it. */
async function placeAfter(
  db: Db,
  place: TablePlace,
  order: RowOrder,
  after: RowKey | undefined,
  rows: number,
): Promise<RowKey | undefined> {
  let query = currentPlaces(db, place).select([sql<number>`${sql.ref(order)}`.as("value"), "id"]);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(order, "id"), ">", tuple(Number(after[0]), after[1])),
    );
  const found = await query
    .orderBy(order)
    .orderBy("id")
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? undefined : [found.value, found.id];
}

/** Where a row is in a listing. */
export function rowKey(row: StoredRow, order: RowOrder): RowKey {
  return [
    order === "position"
      ? row.position
      : order === "created_at_ms"
        ? row.createdAtMs
        : row.updatedAtMs,
    row.id,
  ];
}

export function compareKeys(one: RowKey, other: RowKey): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
  return one[1] === other[1] ? 0 : one[1] < other[1] ? -1 : 1;
}

export async function readRow(
  db: Db,
  snapshot: TableSnapshot,
  rowId: string,
): Promise<StoredRow | undefined> {
  const row = await versionsIn(db, snapshot)
    .select(ROW_COLUMNS)
    .where("id", "=", rowId)
    .executeTakeFirst();
  return row === undefined ? undefined : toRow(row);
}

/** Which of some ids a table has, in their order. */
export async function readRowIds(
  db: Db,
  snapshot: TableSnapshot,
  rowIds: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const part of splitIntoParts(rowIds)) {
    const rows = versionsIn(db, snapshot)
      .select("id")
      .where(isOneOf(db, "id", part));
    for (const { id } of await rows.execute()) known.add(id);
  }
  return new Set(rowIds.filter((id) => known.has(id)));
}

/** Rows by their ids as the last changes left them, also those that reads do not see yet. */
export async function readCurrentRows(
  db: Db,
  place: TablePlace,
  rowIds: readonly string[],
): Promise<StoredRow[]> {
  if (rowIds.length === 0) return [];
  const rows = await db
    .selectFrom("row_versions")
    .where(isCurrentById(db, place, rowIds))
    .select(ROW_COLUMNS)
    .execute();
  return rows.map(toRow);
}

/** The current version of each of some rows, which are looked up by their ids. */
export function isCurrentById(
  db: Db,
  { docId, tableId }: TablePlace,
  rowIds: readonly string[],
): RawBuilder<SqlBool> {
  // Without the sum, an engine might read all current rows in an index instead.
  return sql`doc_id = ${docId} and table_id = ${tableId} and ${isOneOf(db, "id", rowIds)}
    and to_seq + 0 = ${CURRENT_LITERAL}`;
}

/** How many rows a table has now, and which place the next one gets. */
export async function tableSize(
  db: Db,
  { docId, tableId }: TablePlace,
): Promise<{ rows: number; nextPosition: number }> {
  const table = await db
    .selectFrom("doc_tables")
    .select(["row_count", "next_position"])
    .where("doc_id", "=", docId)
    .where("id", "=", tableId)
    .executeTakeFirst();
  return { rows: table?.row_count ?? 0, nextPosition: table?.next_position ?? 0 };
}

/** How many rows were added and deleted. */
export interface SizeChange {
  added: number;
  deleted: number;
}

/** Counts rows that were added or deleted. Those that are added get the next places. */
export async function changeTableSize(
  db: Db,
  { docId, tableId }: TablePlace,
  { added, deleted }: SizeChange,
): Promise<void> {
  if (added === 0 && deleted === 0) return;
  await db
    .updateTable("doc_tables")
    .set({
      row_count: sql`row_count + ${added - deleted}`,
      next_position: sql`next_position + ${added}`,
    })
    .where("doc_id", "=", docId)
    .where("id", "=", tableId)
    .execute();
}

/** The index of each row in its table: its place, less those before it whose row was deleted. */
export async function readIndexes(
  db: Db,
  snapshot: TableSnapshot,
  rows: readonly StoredRow[],
): Promise<Map<string, number>> {
  const before = new Map<number, number>();
  for (let start = 0; start < rows.length; start += PIECE_ROWS) {
    const places = rows
      .slice(start, start + PIECE_ROWS)
      .map(({ position }) => sql`(cast(${position} as bigint))`);
    const query = sql<CountedPlace>`with place (position) as (values ${sql.join(places)})
      select position, ${deletedBetween(snapshot)} as deleted
      from (select position, lag(position) over (order by position) as prior from place) as page`;
    for (const [position, index] of indexesFrom((await query.execute(db)).rows))
      before.set(position, index);
  }
  return new Map(rows.map(({ id, position }) => [id, before.get(position) ?? 0]));
}

interface CountedPlace {
  position: number;
  /** How many rows were deleted between the place before on the same page and this one. */
  deleted: number;
}

/** For the places of `page`, which know the one before. No deletion is counted twice. */
function deletedBetween({ docId, tableId, seq }: TableSnapshot): RawBuilder<number> {
  return sql`(select count(*) from row_deletions where doc_id = ${docId} and table_id = ${tableId} and seq <= ${seq}
    and row_deletions.position >= coalesce(page.prior, 0) and row_deletions.position < page.position)`;
}

/** The index of each place of a page. */
function indexesFrom(counted: readonly CountedPlace[]): Map<number, number> {
  const indexes = new Map<number, number>();
  let deleted = 0;
  for (const place of counted.toSorted((one, other) => one.position - other.position)) {
    deleted += Number(place.deleted);
    indexes.set(place.position, place.position - deleted);
  }
  return indexes;
}

function currentPlaces(db: Db, { docId, tableId }: TablePlace) {
  return db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("to_seq", "=", CURRENT_LITERAL);
}

interface TablePlace {
  docId: string;
  tableId: string;
}

/** The display texts of all rows that the cells of lookup columns point to, by table and row. */
export async function namesOfLookups(
  db: Db,
  { docId, seq }: { docId: string; seq: number },
  columns: readonly StoredColumn[],
  rows: readonly { cells: Cells }[],
): Promise<Map<string, string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { id, lookupTableId } of columns) {
    if (lookupTableId === undefined) continue;
    const ids = wanted.get(lookupTableId) ?? new Set<string>();
    for (const { cells } of rows) for (const rowId of rowsIn(cells[id] ?? "")) ids.add(rowId);
    if (ids.size > 0) wanted.set(lookupTableId, ids);
  }
  const names = new Map<string, string>();
  for (const [tableId, ids] of wanted) {
    const named = versionsIn(db, { docId, tableId, seq }).select(["id", "name"]);
    for (const { id, name } of await named.where(isOneOf(db, "id", ids)).execute())
      names.set(lookupKey(tableId, id), name);
  }
  return names;
}

export function lookupKey(tableId: string, rowId: string): string {
  return `${tableId}/${rowId}`;
}

export function versionsIn(db: Db, { docId, tableId, seq }: TableSnapshot) {
  return db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("from_seq", "<=", seq)
    .where("to_seq", ">", seq);
}

export function currentIn(db: Db, { docId, tableId, seq }: TableSnapshot) {
  return db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("to_seq", "=", CURRENT_LITERAL)
    .where(unindexed("from_seq"), "<=", seq);
}

/** The rows with one of some names that pass a condition. */
export function namedIn(
  db: Db,
  snapshot: TableSnapshot,
  names: readonly string[],
  condition = sql<SqlBool>`1 = 1`,
) {
  const select = (part: ReturnType<typeof currentIn>) =>
    part
      .select(ROW_COLUMNS)
      .where(isOneOf(db, NAME_START, names.map(cutStart)))
      .where(isOneOf(db, "name", names))
      .where(condition);
  // One statement: between two of them a row could end, and be in neither.
  const current = select(currentIn(db, snapshot));
  return db.selectFrom(current.unionAll(select(endedIn(db, snapshot))).as("named"));
}

/** A condition that most rows pass: no index should be chosen for it. */
function unindexed(column: "from_seq") {
  return sql<number>`${sql.ref(column)} + 0`;
}

/** Versions that ended after a snapshot, and that it has. */
export function endedIn(db: Db, snapshot: TableSnapshot) {
  return endedSince(db, snapshot).where("from_seq", "<=", snapshot.seq);
}

export function endedSince(db: Db, { docId, tableId, seq }: TableSnapshot) {
  return db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("to_seq", "<", CURRENT_LITERAL)
    .where("to_seq", ">", seq)
    .where("table_id", "=", tableId);
}

/** How the cells of a table's rows are stored, with what they are named and compared by. */
export function rowWriter(
  columns: readonly StoredColumn[],
  timeZone: string,
): (cells: Cells) => Pick<ServiceSchema["row_versions"], "name" | "cells" | "compared"> {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const display = findDisplayColumn(columns)?.id ?? "";
  return (cells) => ({
    name: displayText(cells[display]),
    cells: JSON.stringify(cells),
    compared: JSON.stringify(compareCells(cells, byId, timeZone)),
  });
}

export function toRow(row: SelectedRow): StoredRow {
  return {
    id: row.id,
    name: row.name,
    position: row.position,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    fromSeq: row.from_seq,
    cells: JSON.parse(row.cells),
  };
}
