import { sql, type Transaction } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import { insertMany } from "../store/insert-many.ts";
import { type Engine, listNumbers } from "../store/json-sql.ts";
import {
  changeTableSize,
  isCurrentById,
  readCurrentRows,
  rowWriter,
  type SizeChange,
  type StoredRow,
  type TableSnapshot,
} from "../store/row-store.ts";
import { CURRENT, type ServiceSchema } from "../store/schema.ts";
import { planRows, type RowChange, SlicesNeeded, type WarnedEdit } from "./plan-rows.ts";

/** A table that is changed, as its next snapshot. */
export interface TableTarget {
  db: Transaction<ServiceSchema>;
  engine: Engine;
  indexes: ColumnIndexes;
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  timeZone: string;
  nowMs: number;
}

/** So many cells are written in one transaction, if nothing else is known of them. */
const MAX_CELLS = 10_000;

/**
 * Applies edits of rows in the transaction of the target.
 * @param edits of one kind, which differ in their rows and cells only
 * @throws {SlicesNeeded} when they are too much for it
 */
export async function applyRows(target: TableTarget, edits: readonly WarnedEdit[]): Promise<void> {
  const { seq } = target.snapshot;
  const snapshot = { ...target.snapshot, seq: seq - 1 };
  const changes = await planRows({ ...target, snapshot, pause: undefined }, edits);
  if (changes.length > 1 && countCells(target, changes) > MAX_CELLS) throw new SlicesNeeded();
  await changeTableSize(target.db, target.snapshot, await writeChanges(target, changes));
}

/** How many cells changes write, about; each row has its indexes, too. */
function countCells({ columns }: TableTarget, changes: readonly RowChange[]): number {
  return changes.reduce((sum, change) => {
    if (change.kind === "delete") return sum + 5;
    return sum + 5 + (change.kind === "add" ? Object.keys(change.cells).length : columns.length);
  }, 0);
}

/**
 * Writes changes as a part of the next snapshot, which may have others before them. Reads see them
 * when the document has that snapshot.
 */
export async function writeChanges(
  target: TableTarget,
  changes: readonly RowChange[],
): Promise<SizeChange> {
  const { db, snapshot, nowMs } = target;
  const listIds = (kind: RowChange["kind"]) => [
    ...new Set(changes.flatMap((change) => (change.kind === kind ? [change.id] : []))),
  ];
  const deleted = await endVersions(target, listIds("delete"));
  await rememberPlaces(target, deleted);
  const current = await readCurrentRows(db, snapshot, listIds("change"));
  const rows = new Map(current.map((row) => [row.id, row]));
  let added = 0;
  for (const change of changes) {
    if (change.kind === "delete") continue;
    const row = rows.get(change.id);
    const stamp = { updatedAtMs: nowMs, fromSeq: snapshot.seq };
    if (change.kind === "add") {
      rows.set(change.id, { ...change, ...stamp, name: "", createdAtMs: nowMs });
      added++;
    } else if (row !== undefined)
      rows.set(change.id, { ...row, ...stamp, cells: { ...row.cells, ...change.cells } });
  }
  await endVersions(
    target,
    current.map(({ id }) => id),
  );
  await insertVersions(target, [...rows.values()]);
  return { added, deleted: deleted.length };
}

/**
 * Ends rows, but for versions of the same snapshot, which are replaced.
 * @returns the places of the rows in the order of the table
 */
async function endVersions(
  { db, snapshot }: TableTarget,
  rowIds: readonly string[],
): Promise<number[]> {
  if (rowIds.length === 0) return [];
  const ended = await db
    .updateTable("row_versions")
    .set({ to_seq: snapshot.seq })
    .where(isCurrentById(db, snapshot, rowIds))
    .where("from_seq", "<", snapshot.seq)
    .returning("position")
    .execute();
  return ended.map(({ position }) => position);
}

/** The places of rows that are deleted, which the indexes of later rows leave out. */
async function rememberPlaces(
  { db, engine, snapshot: { docId, tableId, seq } }: TableTarget,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`insert into row_deletions (doc_id, table_id, seq, position)
    select ${docId}, ${tableId}, ${seq}, place.value from ${listNumbers(engine, places)} as place`.execute(
    db,
  );
}

async function insertVersions(
  { db, snapshot, nowMs, columns, timeZone }: TableTarget,
  rows: readonly StoredRow[],
): Promise<void> {
  const write = rowWriter(columns, timeZone);
  await insertMany(db, {
    table: "row_versions",
    shared: {
      doc_id: snapshot.docId,
      table_id: snapshot.tableId,
      from_seq: snapshot.seq,
      to_seq: CURRENT,
      updated_at_ms: nowMs,
    },
    columns: ["id", "position", "created_at_ms", "name", "cells", "compared"],
    // An earlier slice of the same edits can have changed the row.
    replaces: {
      key: ["doc_id", "table_id", "id", "from_seq"],
      values: ["name", "cells", "compared"],
    },
    rows: rows.map(({ id, position, createdAtMs, cells }) => {
      const { name, cells: text, compared } = write(cells);
      return [id, position, createdAtMs, name, text, compared];
    }),
  });
}
