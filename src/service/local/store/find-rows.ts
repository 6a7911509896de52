import type { Kysely } from "kysely";
import { isPackError } from "../../../errors.ts";
import type { StoredTable } from "../content/column.ts";
import { type FormatContext, simpleValue } from "../content/format-cell.ts";
import { displayColumnOf } from "./doc-store.ts";
import {
  countPlaces,
  findByDigest,
  type IndexedTable,
  isIndexable,
  type KeyIndex,
  partsOf,
  placesOf,
  type RowPlace,
  readPlaces,
  rowDigest,
  textDigest,
  VIEW_DIGEST,
  valueDigest,
  viewOrderKey,
} from "./key-index.ts";
import { matchesCell, type RowFilter } from "./row-filter.ts";
import {
  compareKeys,
  everyRow,
  indexesOf,
  lookupKey,
  namesOfLookups,
  type RowKey,
  type RowOrder,
  readCurrentById,
  readEnded,
  readRows,
  rowKey,
  type StoredRow,
  type TableSnapshot,
} from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";
import { countKey, sortKey } from "./sort-key.ts";
import type { TableIndexes } from "./table-indexes.ts";

export interface RowSource {
  db: Kysely<ServiceSchema>;
  indexes: TableIndexes;
  /** The base table, with its views. */
  table: IndexedTable;
  /** The view whose rows are listed. */
  view: StoredTable | undefined;
  seq: number;
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

/** One page of the rows of a table or view. What it reads does not grow with the table, once the indexes that it needs are built. */
export async function findRows(source: RowSource, options: FindRowsOptions): Promise<FoundRows> {
  const { db, table, view } = source;
  const { order, filter, after, sinceSeq, limit } = options;
  const snapshot = snapshotOf(source);
  const filters = [...(filter === undefined ? [] : [filter]), ...filterOf(view, table)];
  const isOrdered = order === "position" && view !== undefined && hasOwnOrder(view);
  if (isOrdered) return await findInView(source, view, filter, options);
  const keyOf = (row: StoredRow) => rowKey(row, order);
  if (filters.length === 0) return { rows: await readRows(db, snapshot, { order, after, sinceSeq, limit }), keyOf };
  if (sinceSeq === undefined) {
    for (const each of filters) {
      const index: KeyIndex = `value:${each.column.id}`;
      const digests = await digestsOfFilter(source, each);
      if (digests === undefined || !(await isReady(source, index))) continue;
      const start = after === undefined ? undefined : { orderKey: countKey(Number(after[0])), rowId: after[1] };
      if (order === "created_at_ms") return { rows: await readStream(source, index, digests, { filters, after: start, limit }), keyOf };
      if ((await countUpTo(source, index, digests, MAX_SORTED)) >= MAX_SORTED) continue;
      const rows = await readStream(source, index, digests, { filters, after: undefined, limit: MAX_SORTED });
      rows.sort((one, other) => compareKeys(keyOf(one), keyOf(other)));
      return { rows: rows.filter((row) => after === undefined || compareKeys(keyOf(row), after) > 0).slice(0, limit), keyOf };
    }
  }
  const rows: StoredRow[] = [];
  for await (const piece of everyRow(db, snapshot, { order, after, sinceSeq })) {
    rows.push(...(await matching(source, piece, filters)));
    if (rows.length >= limit) break;
  }
  return { rows: rows.slice(0, limit), keyOf };
}

/** So many matching rows are sorted for one page; of more, the pages are found in the order itself. */
const MAX_SORTED = 2_000;
const PIECE_PLACES = 100;
/** A name of so many rows is looked for in the table itself. */
const MAX_NAMESAKES = 50;

function snapshotOf({ table, seq }: RowSource): TableSnapshot {
  return { docId: table.docId, tableId: table.tableId, seq };
}

function hasOwnOrder({ filter, sorts }: StoredTable): boolean {
  return filter !== undefined || sorts.length > 0;
}

function filterOf(view: StoredTable | undefined, { columns }: IndexedTable): RowFilter[] {
  const column = columns.find(({ id }) => id === view?.filter?.columnId);
  return column === undefined || view?.filter === undefined ? [] : [{ column, value: view.filter.equals }];
}

// Without space for an index, reads go on without it.
async function isReady({ indexes, table }: RowSource, index: KeyIndex): Promise<boolean> {
  try {
    await indexes.ready(table, index);
    return true;
  } catch (error) {
    if (isPackError(error, "DATABASE_FULL")) return false;
    throw error;
  }
}

/** The rows of a view in its own order. */
async function findInView(
  source: RowSource,
  view: StoredTable,
  filter: RowFilter | undefined,
  { after, listed, sinceSeq, limit }: FindRowsOptions,
): Promise<FoundRows> {
  const { table } = source;
  const index: KeyIndex = `view:${view.id}`;
  if (sinceSeq === undefined && isIndexable(view, table.columns) && (await isReady(source, index))) {
    const keyOf = (row: StoredRow): RowKey => [viewOrderKey(table, view.id, row) ?? "", row.id];
    const start = after === undefined ? undefined : { orderKey: String(after[0]), rowId: after[1] };
    const filters = filter === undefined ? [] : [filter];
    const rows = await readStream(source, index, [VIEW_DIGEST], { filters, after: start, limit });
    const indexes = filter === undefined ? new Map(rows.map(({ id }, at) => [id, listed + at])) : undefined;
    return { rows, keyOf, indexes };
  }
  const all = await computeView(source, view);
  const places = new Map(all.map(({ row, orderKey }, at) => [row.id, { orderKey, at }]));
  const keyOf = (row: StoredRow): RowKey => [places.get(row.id)?.orderKey ?? "", row.id];
  const shown = await matching(
    source,
    all.map(({ row }) => row),
    filter === undefined ? [] : [filter],
  );
  const rows = shown
    .filter(({ fromSeq }) => sinceSeq === undefined || fromSeq > sinceSeq)
    .filter((row) => after === undefined || compareKeys(keyOf(row), after) > 0)
    .slice(0, limit);
  return { rows, keyOf, indexes: new Map(all.map(({ row }, at) => [row.id, at])) };
}

/** Every row of a view, for one whose order depends on other tables. */
async function computeView(source: RowSource, view: StoredTable): Promise<{ row: StoredRow; orderKey: string }[]> {
  const { db, table } = source;
  const filters = filterOf(view, table);
  const shown: { row: StoredRow; orderKey: string }[] = [];
  for await (const piece of everyRow(db, snapshotOf(source))) {
    const context = await contextOf(source, piece);
    for (const row of piece) {
      if (!filters.every(({ column, value }) => matchesCell(row.cells[column.id] ?? "", value, column, context))) continue;
      const values = view.sorts.flatMap(({ columnId, direction }) => {
        const column = table.columns.find(({ id }) => id === columnId);
        if (column === undefined) return [];
        return [{ value: simpleValue(row.cells[columnId] ?? "", column, context), isDescending: direction === "descending" }];
      });
      shown.push({ row, orderKey: sortKey(values) + countKey(row.position) });
    }
  }
  return shown.sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1));
}

interface StreamOptions {
  filters: readonly RowFilter[];
  after: { orderKey: string; rowId: string } | undefined;
  limit: number;
}

/** The rows that an index has under some digests, in the order of the index, and that every filter lets pass. */
async function readStream(
  source: RowSource,
  index: KeyIndex,
  digests: readonly string[],
  { filters, after, limit }: StreamOptions,
): Promise<StoredRow[]> {
  const { db, table } = source;
  const snapshot = snapshotOf(source);
  const found: { row: StoredRow; place: RowPlace }[] = [];
  const size = Math.max(limit, PIECE_PLACES);
  for (let cursor: StreamOptions["after"] | null = after; cursor !== null; ) {
    const lists: RowPlace[][] = [];
    for (const digest of digests) lists.push(await readPlaces(db, table, index, { digest, after: cursor, limit: size }));
    // Up to where every digest has been read.
    const ends = lists.flatMap((list) => list.slice(size - 1));
    const end = ends.sort(comparePlaces)[0];
    const places = lists.flat().filter((place) => end === undefined || comparePlaces(place, end) <= 0);
    const byId = new Map(places.sort(comparePlaces).map((place) => [place.rowId, place]));
    const rows = new Map((await readCurrentById(db, snapshot, [...byId.keys()])).map((row) => [row.id, row]));
    const known = [...byId.values()].flatMap((place) => rows.get(place.rowId) ?? []);
    for (const row of await matching(source, known, filters)) found.push({ row, place: byId.get(row.id) as RowPlace });
    cursor = end === undefined || found.length >= limit ? null : end;
    if (cursor !== null) await new Promise(setImmediate);
  }
  // The index has rows as they are now. What changed since the snapshot is still there as it was.
  for (const row of await matching(source, await readEnded(db, snapshot), filters)) {
    const place = placesOf(table, index, row).find(({ digest }) => digests.includes(digest));
    if (place !== undefined && (after === undefined || comparePlaces(place, after) > 0)) found.push({ row, place });
  }
  return found
    .sort((one, other) => comparePlaces(one.place, other.place))
    .slice(0, limit)
    .map(({ row }) => row);
}

function comparePlaces(one: Pick<RowPlace, "orderKey" | "rowId">, other: Pick<RowPlace, "orderKey" | "rowId">): number {
  return compareKeys([one.orderKey, one.rowId], [other.orderKey, other.rowId]);
}

async function countUpTo({ db, table }: RowSource, index: KeyIndex, digests: readonly string[], most: number): Promise<number> {
  let count = 0;
  for (const digest of digests) {
    if (count < most) count += (await readPlaces(db, table, index, { digest, limit: most - count })).length;
  }
  return count;
}

async function matching(source: RowSource, rows: readonly StoredRow[], filters: readonly RowFilter[]): Promise<StoredRow[]> {
  if (filters.length === 0 || rows.length === 0) return [...rows];
  const context = await contextOf(source, rows, filters);
  return rows.filter(({ cells }) => filters.every(({ column, value }) => matchesCell(cells[column.id] ?? "", value, column, context)));
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
async function digestsOfFilter(source: RowSource, { column, value }: RowFilter): Promise<string[] | undefined> {
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
  const rowIds = [...(await findByDigest(source.db, other, index, texts.map(textDigest))).values()].flat();
  if (rowIds.length > MAX_NAMESAKES) return undefined;
  return [valueDigest(value), ...rowIds.map(rowDigest)];
}

/** How many rows a view shows. */
export async function countRowsOfView(source: RowSource, view: StoredTable): Promise<number> {
  const index: KeyIndex = `view:${view.id}`;
  if (isIndexable(view, source.table.columns) && (await isReady(source, index)))
    return await countPlaces(source.db, source.table, index, { digest: VIEW_DIGEST });
  return (await computeView(source, view)).length;
}

/** The index of each row in its table or view. */
export async function indexesIn(source: RowSource, rows: readonly StoredRow[]): Promise<Map<string, number>> {
  const { db, table, view } = source;
  if (view === undefined || !hasOwnOrder(view)) return await indexesOf(db, snapshotOf(source), rows);
  const index: KeyIndex = `view:${view.id}`;
  if (!isIndexable(view, table.columns) || !(await isReady(source, index)))
    return new Map((await computeView(source, view)).map(({ row }, at) => [row.id, at]));
  const indexes = new Map<string, number>();
  const ordered = rows.map((row) => ({ id: row.id, orderKey: viewOrderKey(table, view.id, row) ?? "" }));
  let from: string | undefined;
  let count = 0;
  for (const { id, orderKey } of ordered.sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1))) {
    count += await countPlaces(db, table, index, { digest: VIEW_DIGEST, from, before: orderKey });
    from = orderKey;
    indexes.set(id, count);
  }
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
    const ids = (await findByDigest(db, table, index, [textDigest(name)])).get(textDigest(name)) ?? [];
    const found = new Map<string, StoredRow>();
    for (const part of partsOf(ids)) for (const row of await readCurrentById(db, snapshotOf(source), part)) found.set(row.id, row);
    const named = ids.flatMap((id) => found.get(id) ?? []);
    return await matching(source, named, filters);
  }
  const named: StoredRow[] = [];
  for await (const piece of everyRow(db, snapshotOf(source), { order: "created_at_ms" }))
    named.push(
      ...(await matching(source, piece, filters)).filter(
        ({ cells }) => placesOf(table, index, { ...EMPTY, cells })[0]?.digest === textDigest(name),
      ),
    );
  return named;
}

const EMPTY = { id: "", position: 0, createdAtMs: 0 };

/** Whether a view shows a row. */
export async function isShown(source: RowSource, row: StoredRow): Promise<boolean> {
  return (await matching(source, [row], filterOf(source.view, source.table))).length > 0;
}
