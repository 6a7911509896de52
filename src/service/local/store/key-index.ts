import { type Kysely, sql } from "kysely";
import { sha256 } from "../../../shared/crypto.ts";
import {
  type Cell,
  type Cells,
  isArrayCell,
  type StoredColumn,
  type StoredTable,
} from "../content/column.ts";
import { type FormatContext, simpleValue } from "../content/format-cell.ts";
import { matchesCell } from "./row-filter.ts";
import { displayText } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";
import { countKey, sortKey } from "./sort-key.ts";

type Db = Kysely<ServiceSchema>;
/**
 * What rows are found by: the values of key columns, the text or any value of one column, or that a
 * view shows them. Those of a view
 * are ordered as it is, the others by creation.
 */
export type KeyIndex = `key:${string}` | `text:${string}` | `value:${string}` | `view:${string}`;

/** A base table, with what the keys of its rows are made of. */
export interface IndexedTable {
  docId: string;
  tableId: string;
  columns: readonly StoredColumn[];
  timeZone: string;
  /** The views of the table. */
  views: readonly StoredTable[];
}

export interface IndexedRow {
  id: string;
  position: number;
  createdAtMs: number;
  cells: Cells;
}

/** Where a row is in an index. */
export interface RowPlace {
  digest: string;
  orderKey: string;
  rowId: string;
}

/** The index over key columns, by their ids. */
export function keyIndexOf(columnIds: readonly string[]): KeyIndex {
  return `key:${columnIds.join(" ")}`;
}

/** The rows of a view have no other key than their order. */
export const VIEW_DIGEST = "";

/**
 * Whether the index of a view can be kept: names of rows in other tables change without a write to
 * this one.
 */
export function isIndexable(
  { filter, sorts }: StoredTable,
  columns: readonly StoredColumn[],
): boolean {
  const used = [
    ...(filter === undefined ? [] : [filter.columnId]),
    ...sorts.map(({ columnId }) => columnId),
  ];
  return columns.every(
    ({ id, lookupTableId }) => lookupTableId === undefined || !used.includes(id),
  );
}

/** Where an index has a row. */
export function placesOf(table: IndexedTable, index: KeyIndex, row: IndexedRow): RowPlace[] {
  const rest = index.slice(index.indexOf(":") + 1);
  if (index.startsWith("view:")) {
    const orderKey = viewOrderKey(table, rest, row);
    return orderKey === undefined ? [] : [{ digest: VIEW_DIGEST, orderKey, rowId: row.id }];
  }
  const orderKey = countKey(row.createdAtMs);
  return digestsOf(table, index, row.cells).map((digest) => ({ digest, orderKey, rowId: row.id }));
}

/** Where a view shows a row; undefined when it does not. */
export function viewOrderKey(
  { views, columns, timeZone }: IndexedTable,
  viewId: string,
  row: IndexedRow,
): string | undefined {
  const view = views.find(({ id }) => id === viewId);
  if (view === undefined) return undefined;
  const context = plainContext(timeZone);
  const filtered = columns.find(({ id }) => id === view.filter?.columnId);
  if (
    filtered !== undefined &&
    !matchesCell(row.cells[filtered.id] ?? "", view.filter?.equals ?? "", filtered, context)
  )
    return undefined;
  const values = view.sorts.flatMap(({ columnId, direction }) => {
    const column = columns.find(({ id }) => id === columnId);
    if (column === undefined) return [];
    return [
      {
        value: simpleValue(row.cells[columnId] ?? "", column, context),
        isDescending: direction === "descending",
      },
    ];
  });
  return sortKey(values) + countKey(row.position);
}

/** What an index knows cells by. Two rows with equal keys have equal digests. */
export function digestsOf(
  table: Pick<IndexedTable, "columns" | "timeZone">,
  index: KeyIndex,
  cells: Cells,
): string[] {
  const rest = index.slice(index.indexOf(":") + 1);
  if (index.startsWith("text:")) return [textDigest(displayText(cells[rest]))];
  if (index.startsWith("key:")) return [digest(rest.split(" ").map((id) => cells[id] ?? ""))];
  const column = table.columns.find(({ id }) => id === rest);
  if (column === undefined) return [];
  const digests = new Set<string>();
  addValues(cells[rest] ?? "", column, plainContext(table.timeZone), digests);
  return [...digests];
}

// The members of an array, and all of them as one text, as a filter compares them.
function addValues(
  cell: Cell,
  column: StoredColumn,
  context: FormatContext,
  digests: Set<string>,
): void {
  if (isArrayCell(cell)) {
    if (cell.length === 0) digests.add(valueDigest(""));
    for (const member of cell) addValues(member, column, context, digests);
    if (cell.length > 0) digests.add(valueDigest(simpleValue(cell, column, context)));
  } else if (typeof cell === "object" && cell.kind === "row") digests.add(rowDigest(cell.id));
  else digests.add(valueDigest(simpleValue(cell, column, context)));
}

function plainContext(timeZone: string): FormatContext {
  return { timeZone, rowName: () => undefined, rowLinks: () => ({ tableUrl: "", url: "" }) };
}

export function textDigest(text: string): string {
  return digest(text);
}

/** The digest of a simple value in a `value:` index. */
export function valueDigest(value: string | number | boolean): string {
  return digest([value]);
}

/** The digest of a reference to a row in a `value:` index. */
export function rowDigest(rowId: string): string {
  return digest({ row: rowId });
}

// Half of a SHA-256 is enough to tell the keys of a table apart.
function digest(value: unknown): string {
  return sha256(JSON.stringify(value), "base64url").slice(0, 22);
}

/** The rows behind each digest, the oldest first. */
export async function findByDigest(
  db: Db,
  { docId, tableId }: { docId: string; tableId: string },
  index: KeyIndex,
  digests: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const part of partsOf([...new Set(digests)])) {
    const rows = await db
      .selectFrom("row_keys")
      .select(["digest", "order_key", "row_id"])
      .where("doc_id", "=", docId)
      .where("table_id", "=", tableId)
      .where("index_name", "=", index)
      .where("digest", "in", part)
      .execute();
    // Sorted here, because with an order SQLite would read the complete table instead of looking up
    // the digests.
    rows.sort((one, other) =>
      `${one.order_key}${one.row_id}` < `${other.order_key}${other.row_id}` ? -1 : 1,
    );
    for (const row of rows) found.set(row.digest, [...(found.get(row.digest) ?? []), row.row_id]);
  }
  return found;
}

/** Where the entries of an index go on. */
export interface PlacesOptions {
  digests: readonly string[];
  after?: Pick<RowPlace, "orderKey" | "rowId"> | undefined;
  /** Of each digest. */
  limit: number;
}

/** The entries that an index has under some digests, each in the order of the index. */
export function placesUnder(
  db: Db,
  { docId, tableId }: { docId: string; tableId: string },
  index: KeyIndex,
  { digests, after, limit }: PlacesOptions,
) {
  const parts = digests.map((digest) => {
    let query = entriesOf(db, docId, tableId, index, digest).select([
      "digest",
      "order_key",
      "row_id",
    ]);
    if (after !== undefined)
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("order_key", "row_id"), ">", tuple(after.orderKey, after.rowId)),
      );
    // As a literal: a server that does not know how many there are would read the complete table of
    // rows for them.
    const page = query.orderBy("order_key").orderBy("row_id").limit(sql.lit(limit));
    return db.selectFrom(page.as("page")).select(["digest", "order_key", "row_id"]);
  });
  const [first, ...others] = parts;
  if (first === undefined) throw new TypeError("An index is read under at least one digest.");
  return others.reduce((all, part) => all.unionAll(part), first);
}

function entriesOf(db: Db, docId: string, tableId: string, index: KeyIndex, wanted: string) {
  return db
    .selectFrom("row_keys")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("index_name", "=", index)
    .where("digest", "=", wanted);
}

/** The indexes that are kept for a table, and up to which place each has been built. */
export async function listIndexes(
  db: Db,
  { docId, tableId }: { docId: string; tableId: string },
): Promise<Map<KeyIndex, number>> {
  const rows = await db
    .selectFrom("key_indexes")
    .select(["index_name", "built_to"])
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .execute();
  return new Map(rows.map(({ index_name, built_to }) => [index_name as KeyIndex, built_to]));
}

/** `built_to` of an index that has every row. */
export const BUILT = CURRENT;

/** A statement takes a limited number of parameters. */
export function* partsOf<Item>(items: Iterable<Item>, size = 500): Generator<Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
