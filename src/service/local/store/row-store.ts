import type { Kysely } from "kysely";
import { type Cell, type Cells, isArrayCell, rowsIn, type StoredColumn } from "../content/column.ts";
import { displayColumnOf, listColumns } from "./doc-store.ts";
import type { ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;

export interface StoredRow {
  id: string;
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

const COLUMNS = ["id", "position", "created_at_ms", "updated_at_ms", "from_seq", "cells"] as const;
type SelectedRow = Pick<ServiceSchema["row_versions"], (typeof COLUMNS)[number]>;

export type RowOrder = "created_at_ms" | "updated_at_ms" | "position";
/** Where a listing goes on: the value that it is ordered by, and the id of the last row. */
export type RowKey = readonly [value: number, id: string];

export interface ReadRowsOptions {
  order?: RowOrder | undefined;
  after?: RowKey | undefined;
  limit?: number | undefined;
  /** Rows that changed after this snapshot. */
  sinceSeq?: number | undefined;
}

export async function readRows(db: Db, snapshot: TableSnapshot, options: ReadRowsOptions = {}): Promise<StoredRow[]> {
  const { order = "position", after, limit, sinceSeq } = options;
  let query = versionsIn(db, snapshot).select(COLUMNS).orderBy(order).orderBy("id");
  // As one comparison, which an index answers; two with OR would read the table.
  if (after !== undefined) query = query.where(({ eb, refTuple, tuple }) => eb(refTuple(order, "id"), ">", tuple(after[0], after[1])));
  if (sinceSeq !== undefined) query = query.where("from_seq", ">", sinceSeq);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toRow);
}

export async function readRow(db: Db, snapshot: TableSnapshot, rowId: string): Promise<StoredRow | undefined> {
  const row = await versionsIn(db, snapshot).select(COLUMNS).where("id", "=", rowId).executeTakeFirst();
  return row === undefined ? undefined : toRow(row);
}

/** Rows by their ids; those that are not there are left out. */
export async function readRowsById(db: Db, snapshot: TableSnapshot, rowIds: readonly string[]): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  // A statement takes a limited number of parameters.
  for (let start = 0; start < rowIds.length; start += 500) {
    const part = rowIds.slice(start, start + 500);
    found.push(...(await versionsIn(db, snapshot).select(COLUMNS).where("id", "in", part).execute()).map(toRow));
  }
  return found;
}

/** How many rows a table has; the cost does not grow with them, because places in the order are given out once and in sequence. */
export async function countRows(db: Db, snapshot: TableSnapshot): Promise<number> {
  const last = await versionsIn(db, snapshot).select("position").orderBy("position", "desc").limit(1).executeTakeFirst();
  if (last === undefined) return 0;
  return last.position + 1 - (await deletedBefore(db, snapshot, last.position));
}

export async function hasDeletions(db: Db, { docId, tableId }: Omit<TableSnapshot, "seq">): Promise<boolean> {
  const { deleted } = await deletionsIn(db, { docId, tableId, seq: Number.MAX_SAFE_INTEGER })
    .select(db.fn.countAll<number>().as("deleted"))
    .executeTakeFirstOrThrow();
  return deleted > 0;
}

/** The index of each row in its table: its place in the order, less the deleted rows before it. */
export async function indexesOf(db: Db, snapshot: TableSnapshot, rows: readonly StoredRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const ordered = rows.toSorted((one, other) => one.position - other.position);
  const [first, last] = [ordered[0]?.position ?? 0, ordered.at(-1)?.position ?? 0];
  let before = await deletedBefore(db, snapshot, first);
  const between =
    first === last
      ? []
      : await deletionsIn(db, snapshot)
          .select("position")
          .where("position", ">=", first)
          .where("position", "<", last)
          .orderBy("position")
          .execute();
  const indexes = new Map<string, number>();
  let next = 0;
  for (const { id, position } of ordered) {
    for (; (between[next]?.position ?? position) < position; next++) before++;
    indexes.set(id, position - before);
  }
  return indexes;
}

async function deletedBefore(db: Db, snapshot: TableSnapshot, position: number): Promise<number> {
  const { deleted } = await deletionsIn(db, snapshot)
    .where("position", "<", position)
    .select(db.fn.countAll<number>().as("deleted"))
    .executeTakeFirstOrThrow();
  return deleted;
}

function deletionsIn(db: Db, { docId, tableId, seq }: TableSnapshot) {
  return db.selectFrom("row_deletions").where("doc_id", "=", docId).where("table_id", "=", tableId).where("seq", "<=", seq);
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
    const display = displayColumnOf(await listColumns(db, docId, tableId));
    for (const { id, cells } of await readRowsById(db, { docId, tableId, seq }, [...ids]))
      names.set(lookupKey(tableId, id), displayText(cells[display?.id ?? ""]));
  }
  return names;
}

export function lookupKey(tableId: string, rowId: string): string {
  return `${tableId}/${rowId}`;
}

/** The text of a cell of a display column. */
export function displayText(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  if (isArrayCell(cell)) return cell.map(displayText).join(",");
  if (typeof cell !== "object") return String(cell);
  return cell.kind === "row" ? cell.id : cell.name;
}

function versionsIn(db: Db, { docId, tableId, seq }: TableSnapshot) {
  return db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("from_seq", "<=", seq)
    .where("to_seq", ">", seq);
}

function toRow(row: SelectedRow): StoredRow {
  return {
    id: row.id,
    position: row.position,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    fromSeq: row.from_seq,
    cells: JSON.parse(row.cells),
  };
}
