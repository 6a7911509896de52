import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import type { StoredTable } from "../content/column.ts";
import { type FormatContext, simpleValue } from "../content/format-cell.ts";
import { cellCondition } from "./cell-condition.ts";
import { displayColumnOf } from "./doc-store.ts";
import {
  findByDigest,
  type IndexedTable,
  isIndexable,
  type KeyIndex,
  type PlacesOptions,
  partsOf,
  placesOf,
  placesUnder,
  type RowPlace,
  rowDigest,
  textDigest,
  VIEW_DIGEST,
  valueDigest,
  viewOrderKey,
} from "./key-index.ts";
import { matchesCell, type RowFilter } from "./row-filter.ts";
import {
  compareKeys,
  endedIn,
  everyRow,
  type IndexedRows,
  indexesOf,
  lookupKey,
  namesOfLookups,
  type ReadRowsOptions,
  ROW_COLUMNS,
  type RowKey,
  type RowOrder,
  readCurrentById,
  readRows,
  rowKey,
  type SearchOptions,
  type SelectedRow,
  type StoredRow,
  searchRows,
  type TableSnapshot,
  toRow,
} from "./row-store.ts";
import { CURRENT_LITERAL, type ServiceSchema } from "./schema.ts";
import { countKey, sortKey } from "./sort-key.ts";
import type { TableIndexes } from "./table-indexes.ts";
import { countBefore, countRows } from "./view-counts.ts";

export interface RowSource {
  db: Kysely<ServiceSchema>;
  engine: Storage<ServiceSchema>["engine"];
  indexes: TableIndexes;
  /** The base table, with its views. */
  table: IndexedTable;
  /** The view whose rows are listed. */
  view: StoredTable | undefined;
  seq: number;
  /** `readIndexedRows`, of what may have been read ahead. */
  indexedRows(snapshot: TableSnapshot, options: ReadRowsOptions): Promise<IndexedRows>;
  /** The indexed form of another table of the document. */
  otherTable(tableId: string): Promise<IndexedTable>;
}

export interface FindRowsOptions {
  order: RowOrder;
  filter?: RowFilter | undefined;
  after?: RowKey | undefined;
  /** How many rows the earlier pages had. */
  listed: number;
  /** Rows that changed after this snapshot. */
  sinceSeq?: number | undefined;
  limit: number;
}

export interface FoundRows {
  rows: StoredRow[];
  keyOf(row: StoredRow): RowKey;
  /** The index of each row in its table or view, when it came up on the way. */
  indexes?: Map<string, number> | undefined;
}

/**
 * One page of the rows of a table or view. What it reads does not grow with the table, once the
 * indexes that it needs are built. Until
 * then, the database searches the table.
 */
export async function findRows(source: RowSource, options: FindRowsOptions): Promise<FoundRows> {
  const { db, engine, table, view } = source;
  const { order, filter, after, sinceSeq, limit } = options;
  const snapshot = snapshotOf(source);
  const filters = [...(filter === undefined ? [] : [filter]), ...filterOf(view, table)];
  const isOrdered = order === "position" && view !== undefined && hasOwnOrder(view);
  if (isOrdered) return await findInView(source, view, filter, options);
  const keyOf = (row: StoredRow) => rowKey(row, order);
  if (filters.length === 0) {
    const page = { order, after, sinceSeq, limit };
    if (engine === "postgres" && view === undefined)
      return { ...(await source.indexedRows(snapshot, page)), keyOf };
    return { rows: await readRows(db, snapshot, page), keyOf };
  }
  if (sinceSeq === undefined) {
    const found =
      order === "created_at_ms"
        ? await readInIndex(source, options, filters)
        : await readFew(source, filters);
    if (found !== undefined)
      return { rows: order === "created_at_ms" ? found : pageOf(found, keyOf, options), keyOf };
  }
  const rows: StoredRow[] = [];
  const pieces =
    sinceSeq === undefined
      ? search(source, { order, after, condition: conditionOf(source, filters) })
      : everyRow(db, snapshot, { order, after, sinceSeq });
  for await (const piece of pieces) {
    rows.push(...(await matching(source, piece, filters)));
    if (rows.length >= limit) break;
  }
  return { rows: rows.slice(0, limit), keyOf };
}

/**
 * So many matching rows are sorted for one page; of more, the pages are found in the order itself.
 */
const MAX_SORTED = 2_000;
/**
 * How many entries of an index are read at once. There are few sizes, so that prepared statements
 * are used again.
 */
const PIECE_PLACES = [26, 101] as const;
/** In an embedded database nothing else is done meanwhile. */
const MAX_PIECE_PLACES = 501;
/** A name of so many rows is looked for in the table itself. */
const MAX_NAMESAKES = 50;

/** The indexes that know which rows pass a filter. */
async function* indexesFor(
  source: RowSource,
  filters: readonly RowFilter[],
): AsyncGenerator<{ index: KeyIndex; digests: string[] }> {
  for (const filter of filters) {
    const index: KeyIndex = `value:${filter.column.id}`;
    const digests = await digestsOfFilter(source, filter);
    if (digests !== undefined && (await isReady(source, index))) yield { index, digests };
  }
}

/**
 * A page in the order of an index, which is that of creation; undefined when no index knows the
 * rows.
 */
async function readInIndex(
  source: RowSource,
  { after, limit }: FindRowsOptions,
  filters: readonly RowFilter[],
): Promise<StoredRow[] | undefined> {
  for await (const { index, digests } of indexesFor(source, filters)) {
    const start =
      after === undefined ? undefined : { orderKey: countKey(Number(after[0])), rowId: after[1] };
    return await readStream(source, index, digests, { filters, after: start, limit });
  }
  return undefined;
}

/** All rows that pass the filters, when an index shows that there are few. */
async function readFew(
  source: RowSource,
  filters: readonly RowFilter[],
): Promise<StoredRow[] | undefined> {
  for await (const { index, digests } of indexesFor(source, filters)) {
    if ((await countUpTo(source, index, digests, MAX_SORTED)) < MAX_SORTED)
      return await readStream(source, index, digests, {
        filters,
        after: undefined,
        limit: Number.POSITIVE_INFINITY,
      });
  }
  return undefined;
}

function pageOf(
  rows: StoredRow[],
  keyOf: FoundRows["keyOf"],
  { after, limit }: FindRowsOptions,
): StoredRow[] {
  const sorted = rows.sort((one, other) => compareKeys(keyOf(one), keyOf(other)));
  return sorted
    .filter((row) => after === undefined || compareKeys(keyOf(row), after) > 0)
    .slice(0, limit);
}

function snapshotOf({ table, seq }: RowSource): TableSnapshot {
  return { docId: table.docId, tableId: table.tableId, seq };
}

function hasOwnOrder({ filter, sorts }: StoredTable): boolean {
  return filter !== undefined || sorts.length > 0;
}

function filterOf(view: StoredTable | undefined, { columns }: IndexedTable): RowFilter[] {
  const column = columns.find(({ id }) => id === view?.filter?.columnId);
  return column === undefined || view?.filter === undefined
    ? []
    : [{ column, value: view.filter.equals }];
}

function isReady({ indexes, table }: RowSource, index: KeyIndex): Promise<boolean> {
  return indexes.ready(table, index);
}

function search(source: RowSource, options: SearchOptions): AsyncIterable<StoredRow[]> {
  return source.indexes.searching(searchRows(source.db, snapshotOf(source), options));
}

function conditionOf(
  { engine }: RowSource,
  filters: readonly RowFilter[],
): RawBuilder<SqlBool> | undefined {
  const conditions = filters.flatMap((filter) => cellCondition(engine, filter) ?? []);
  return conditions.length === 0 ? undefined : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** The rows of a view in its own order. */
async function findInView(
  source: RowSource,
  view: StoredTable,
  filter: RowFilter | undefined,
  options: FindRowsOptions,
): Promise<FoundRows> {
  const { after, listed, sinceSeq, limit } = options;
  const { table } = source;
  const index: KeyIndex = `view:${view.id}`;
  if (
    sinceSeq === undefined &&
    isIndexable(view, table.columns) &&
    (await isReady(source, index))
  ) {
    const keyOf = (row: StoredRow): RowKey => [viewOrderKey(table, view.id, row) ?? "", row.id];
    const start = after === undefined ? undefined : { orderKey: String(after[0]), rowId: after[1] };
    const filters = filter === undefined ? [] : [filter];
    const few =
      filter === undefined ? undefined : await readFew(source, [filter, ...filterOf(view, table)]);
    if (few !== undefined) return { rows: pageOf(few, keyOf, options), keyOf };
    const rows = await readStream(source, index, [VIEW_DIGEST], { filters, after: start, limit });
    const indexes =
      filter === undefined ? new Map(rows.map(({ id }, at) => [id, listed + at])) : undefined;
    return { rows, keyOf, indexes };
  }
  const places = new Map<string, string>();
  const keyOf = (row: StoredRow): RowKey => [places.get(row.id) ?? "", row.id];
  let best: { row: StoredRow; orderKey: string }[] = [];
  for await (const piece of everyShown(source, view)) {
    const shown = await matching(
      source,
      piece.map(({ row }) => row),
      filter === undefined ? [] : [filter],
    );
    const passing = new Set(shown);
    for (const each of piece) {
      const isListed =
        passing.has(each.row) && (sinceSeq === undefined || each.row.fromSeq > sinceSeq);
      if (isListed && (after === undefined || compareKeys([each.orderKey, each.row.id], after) > 0))
        best.push(each);
    }
    best = best.sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1)).slice(0, limit);
  }
  for (const { row, orderKey } of best) places.set(row.id, orderKey);
  return { rows: best.map(({ row }) => row), keyOf, indexes: undefined };
}

/** Every row of a view with its place in it, piece by piece, for a view without an index. */
async function* everyShown(
  source: RowSource,
  view: StoredTable,
): AsyncGenerator<{ row: StoredRow; orderKey: string }[]> {
  const { table } = source;
  const filters = filterOf(view, table);
  for await (const piece of search(source, { condition: conditionOf(source, filters) })) {
    const context = await contextOf(source, piece);
    yield piece.flatMap((row) => {
      if (
        !filters.every(({ column, value }) =>
          matchesCell(row.cells[column.id] ?? "", value, column, context),
        )
      )
        return [];
      const values = view.sorts.flatMap(({ columnId, direction }) => {
        const column = table.columns.find(({ id }) => id === columnId);
        if (column === undefined) return [];
        return [
          {
            value: simpleValue(row.cells[columnId] ?? "", column, context),
            isDescending: direction === "descending",
          },
        ];
      });
      return [{ row, orderKey: sortKey(values) + countKey(row.position) }];
    });
  }
}

interface StreamOptions {
  filters: readonly RowFilter[];
  after: { orderKey: string; rowId: string } | undefined;
  limit: number;
}

/**
 * The rows that an index has under some digests, in the order of the index, and that every filter
 * lets pass.
 */
async function readStream(
  source: RowSource,
  index: KeyIndex,
  digests: readonly string[],
  { filters, after, limit }: StreamOptions,
): Promise<StoredRow[]> {
  const { table } = source;
  const found = new Map<string, { row: StoredRow; place: RowPlace }>();
  const sizes = [...PIECE_PLACES.filter((size) => size >= limit), MAX_PIECE_PLACES];
  for (let cursor: StreamOptions["after"] | null = after, at = 0; cursor !== null; at++) {
    const size = sizes[Math.min(at, sizes.length - 1)] ?? MAX_PIECE_PLACES;
    const { listed, ended } = await readPiece(source, index, {
      digests,
      after: cursor,
      limit: size,
    });
    listed.sort((one, other) => comparePlaces(one.place, other.place));
    // Up to where every digest has been read.
    const end = digests
      .flatMap((each) => listed.filter(({ place }) => place.digest === each)[size - 1]?.place ?? [])
      .sort(comparePlaces)[0];
    const reached = listed.filter(
      ({ place }) => end === undefined || comparePlaces(place, end) <= 0,
    );
    const places = new Map(reached.map(({ place }) => [place.rowId, place]));
    const rows = reached.flatMap(({ row }) => row ?? []);
    // The index has rows as they are now. What changed since the snapshot is still there as it was.
    for (const row of ended) {
      const place = placesOf(table, index, row).find(({ digest }) => digests.includes(digest));
      if (place === undefined || (after !== undefined && comparePlaces(place, after) <= 0))
        continue;
      if (end !== undefined && comparePlaces(place, end) > 0) continue;
      places.set(row.id, place);
      rows.push(row);
    }
    for (const row of await matching(source, rows, filters))
      found.set(row.id, { row, place: places.get(row.id) as RowPlace });
    cursor = end === undefined || found.size >= limit ? null : end;
    if (cursor !== null) await new Promise(setImmediate);
  }
  return [...found.values()]
    .sort((one, other) => comparePlaces(one.place, other.place))
    .slice(0, limit)
    .map(({ row }) => row);
}

interface IndexPiece {
  /**
   * The entries, with their rows as they were in the snapshot; a row that changed since is among
   * the others.
   */
  listed: { place: RowPlace; row: StoredRow | undefined }[];
  ended: StoredRow[];
}

type PieceRow = { digest: string | null; order_key: string | null; row_id: string | null } & {
  [Column in keyof SelectedRow]: SelectedRow[Column] | null;
};

async function readPiece(
  { db, table, seq }: RowSource,
  index: KeyIndex,
  options: PlacesOptions,
): Promise<IndexPiece> {
  const { docId, tableId } = table;
  const listed = db
    .selectFrom(placesUnder(db, table, index, options).as("place"))
    .leftJoin("row_versions as row", (join) =>
      join
        .on("row.doc_id", "=", docId)
        .on("row.table_id", "=", tableId)
        .onRef("row.id", "=", "place.row_id")
        .on("row.to_seq", "=", CURRENT_LITERAL)
        .on("row.from_seq", "<=", seq),
    )
    .select(["digest", "order_key", "row_id", ...ROW_COLUMNS])
    .$castTo<PieceRow>();
  const none = sql<string | null>`cast(null as text)`;
  const ended = endedIn(db, { docId, tableId, seq })
    .select([none.as("digest"), none.as("order_key"), none.as("row_id"), ...ROW_COLUMNS])
    .$castTo<PieceRow>();
  // One statement: between two of them a row could end, and be in neither.
  const piece: IndexPiece = { listed: [], ended: [] };
  for (const { digest, order_key: orderKey, row_id: rowId, ...rest } of await listed
    .unionAll(ended)
    .execute()) {
    const row = rest.id === null ? undefined : toRow(rest as SelectedRow);
    if (digest !== null && orderKey !== null && rowId !== null)
      piece.listed.push({ place: { digest, orderKey, rowId }, row });
    else if (row !== undefined) piece.ended.push(row);
  }
  return piece;
}

function comparePlaces(
  one: Pick<RowPlace, "orderKey" | "rowId">,
  other: Pick<RowPlace, "orderKey" | "rowId">,
): number {
  return compareKeys([one.orderKey, one.rowId], [other.orderKey, other.rowId]);
}

async function countUpTo(
  { db, table }: RowSource,
  index: KeyIndex,
  digests: readonly string[],
  most: number,
): Promise<number> {
  const places = placesUnder(db, table, index, { digests, limit: most });
  const { rows } = await db
    .selectFrom(places.as("place"))
    .select(db.fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  return rows;
}

async function matching(
  source: RowSource,
  rows: readonly StoredRow[],
  filters: readonly RowFilter[],
): Promise<StoredRow[]> {
  if (filters.length === 0 || rows.length === 0) return [...rows];
  const context = await contextOf(source, rows, filters);
  return rows.filter(({ cells }) =>
    filters.every(({ column, value }) =>
      matchesCell(cells[column.id] ?? "", value, column, context),
    ),
  );
}

/** What is needed to compare cells by their simple values. */
async function contextOf(
  { db, table, seq }: RowSource,
  rows: readonly StoredRow[],
  filters?: readonly RowFilter[] | undefined,
): Promise<FormatContext> {
  const columns = filters === undefined ? table.columns : filters.map(({ column }) => column);
  const names = await namesOfLookups(db, { docId: table.docId, seq }, columns, rows);
  return {
    timeZone: table.timeZone,
    rowName: (tableId, rowId) => names.get(lookupKey(tableId, rowId)),
    rowLinks: () => ({ tableUrl: "", url: "" }),
  };
}

/** The digests under which every matching row is; undefined when no index knows. */
async function digestsOfFilter(
  source: RowSource,
  { column, value }: RowFilter,
): Promise<string[] | undefined> {
  if (column.lookupTableId === undefined) return [valueDigest(value)];
  // A reference to a row that was deleted is blank, too.
  if (value === "") return undefined;
  // An array is also compared as one text, which begins with the name of its first row.
  const texts = String(value)
    .split(",")
    .map((_part, at, parts) => parts.slice(0, at + 1).join(","));
  const other = await source.otherTable(column.lookupTableId);
  const display = displayColumnOf(other.columns);
  if (display === undefined) return undefined;
  const index: KeyIndex = `text:${display.id}`;
  if (!(await isReady({ ...source, table: other }, index))) return undefined;
  const rowIds = [
    ...(await findByDigest(source.db, other, index, texts.map(textDigest))).values(),
  ].flat();
  if (rowIds.length > MAX_NAMESAKES) return undefined;
  return [valueDigest(value), ...rowIds.map(rowDigest)];
}

/** How many rows a view shows. */
export async function countRowsOfView(source: RowSource, view: StoredTable): Promise<number> {
  const { db, table } = source;
  if (isIndexable(view, table.columns) && (await isReady(source, `view:${view.id}`)))
    return await countRows(db, { ...table, index: `view:${view.id}` });
  let count = 0;
  for await (const piece of everyShown(source, view)) count += piece.length;
  return count;
}

/** The index of each row in its table or view. */
export async function indexesIn(
  source: RowSource,
  rows: readonly StoredRow[],
): Promise<Map<string, number>> {
  const { db, table, view } = source;
  if (view === undefined || !hasOwnOrder(view))
    return await indexesOf(db, snapshotOf(source), rows);
  const indexes = new Map<string, number>();
  if (!isIndexable(view, table.columns) || !(await isReady(source, `view:${view.id}`))) {
    const wanted = new Set(rows.map(({ id }) => id));
    const before = new Map<string, number>();
    const keys: { id: string; orderKey: string }[] = [];
    for await (const piece of everyShown(source, view))
      for (const { row, orderKey } of piece)
        if (wanted.has(row.id)) keys.push({ id: row.id, orderKey });
    keys.sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1));
    for await (const piece of everyShown(source, view)) {
      for (const { orderKey } of piece) {
        const next = keys.find((key) => orderKey < key.orderKey);
        if (next !== undefined) before.set(next.id, (before.get(next.id) ?? 0) + 1);
      }
    }
    let count = 0;
    for (const { id } of keys) {
      count += before.get(id) ?? 0;
      indexes.set(id, count);
    }
    return indexes;
  }
  const keys = new Map(rows.map((row) => [row.id, viewOrderKey(table, view.id, row) ?? ""]));
  const before = await countBefore(db, { ...table, index: `view:${view.id}` }, [...keys.values()]);
  for (const [id, orderKey] of keys) indexes.set(id, before.get(orderKey) ?? 0);
  return indexes;
}

/** The rows with this display text, the oldest first. */
export async function findRowsByName(source: RowSource, name: string): Promise<StoredRow[]> {
  const { db, table } = source;
  const display = displayColumnOf(table.columns);
  if (display === undefined) return [];
  const index: KeyIndex = `text:${display.id}`;
  const filters = filterOf(source.view, table);
  if (await isReady(source, index)) {
    const ids =
      (await findByDigest(db, table, index, [textDigest(name)])).get(textDigest(name)) ?? [];
    const found = new Map<string, StoredRow>();
    for (const part of partsOf(ids))
      for (const row of await readCurrentById(db, snapshotOf(source), part)) found.set(row.id, row);
    const named = ids.flatMap((id) => found.get(id) ?? []);
    return await matching(source, named, filters);
  }
  const named: StoredRow[] = [];
  // A number or a truth value in the display column is a name, too.
  const condition = isPlainText(name)
    ? conditionOf(source, [{ column: display, value: name }, ...filters])
    : undefined;
  for await (const piece of search(source, { order: "created_at_ms", condition }))
    named.push(
      ...(await matching(source, piece, filters)).filter(
        ({ cells }) => placesOf(table, index, { ...EMPTY, cells })[0]?.digest === textDigest(name),
      ),
    );
  return named;
}

function isPlainText(name: string): boolean {
  return name !== "true" && name !== "false" && Number.isNaN(Number(name));
}

const EMPTY = { id: "", position: 0, createdAtMs: 0 };

/** Whether a view shows a row. */
export async function isShown(source: RowSource, row: StoredRow): Promise<boolean> {
  return (await matching(source, [row], filterOf(source.view, source.table))).length > 0;
}
