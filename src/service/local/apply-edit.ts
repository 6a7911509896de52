import type { Transaction } from "kysely";
import type { RowEdit } from "../contract/wire.ts";
import type { Cell, Cells } from "./cell.ts";
import { isWritable, type StoredColumn } from "./column.ts";
import { findColumn, findDoc, listColumns } from "./doc-store.ts";
import type { Edit } from "./edit.ts";
import { type CellDirectory, parseCell } from "./parse-cell.ts";
import { loadDirectory } from "./row-directory.ts";
import { readRow, readRows, type StoredRow, type TableSnapshot } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";

type Db = Transaction<ServiceSchema>;

interface Target {
  db: Db;
  snapshot: TableSnapshot;
  columns: StoredColumn[];
  nowMs: number;
  warnings: Set<string>;
}

/**
 * Applies one edit as the next snapshot of its document.
 * @returns what could not be applied, as one text (decision 46)
 */
export async function applyEdit(db: Db, docId: string, edit: Edit, nowMs: number): Promise<string | undefined> {
  if (edit.kind === "none") return undefined;
  const doc = await findDoc(db, docId);
  if (doc === undefined) return "The doc was deleted before the edit was applied.";
  const seq = doc.seq + 1;
  const columns = await listColumns(db, docId, edit.tableId);
  const target: Target = { db, snapshot: { docId, tableId: edit.tableId, seq }, columns, nowMs, warnings: new Set() };
  switch (edit.kind) {
    case "insert":
      await insertRows(target, edit);
      break;
    case "update":
      await updateRow(target, edit);
      break;
    case "delete":
      await deleteRows(target, [...new Set(edit.rowIds)]);
      break;
    case "push":
      target.warnings.add("The button has no scripted action in the local service.");
      break;
  }
  await db.updateTable("docs").set({ seq, updated_at_ms: nowMs }).where("id", "=", docId).execute();
  return target.warnings.size === 0 ? undefined : [...target.warnings].join(" ");
}

async function insertRows(target: Target, edit: Extract<Edit, { kind: "insert" }>): Promise<void> {
  const directory = await loadDirectory(target.db, target.snapshot, target.columns);
  const keys = edit.keyColumns.map((reference) => findColumn(target.columns, reference));
  if (keys.some((key) => key === undefined)) {
    target.warnings.add("A key column does not exist; no row was changed.");
    return;
  }
  const keyIds = (keys as StoredColumn[]).map(({ id }) => id);
  const byKey = new Map<string, StoredRow[]>();
  if (keyIds.length > 0) for (const row of await readRows(target.db, target.snapshot)) addTo(byKey, keyOf(row.cells, keyIds), row);

  let position = await nextPosition(target);
  for (const { rowId, cells: written } of edit.rows) {
    const cells = toCells(target, written, edit.parse ? directory : undefined);
    const key = keyOf(cells, keyIds);
    const matches = keyIds.length === 0 ? [] : (byKey.get(key) ?? []);
    if (matches.length === 0) {
      const row = {
        id: rowId,
        position: position++,
        createdAtMs: target.nowMs,
        updatedAtMs: target.nowMs,
        fromSeq: target.snapshot.seq,
        cells,
      };
      await insertVersion(target, row);
      // Decision 50: a later row of the same request can match this one.
      addTo(byKey, key, row);
    }
    for (const match of matches) match.cells = (await replaceVersion(target, match, cells)).cells;
  }
}

async function updateRow(target: Target, edit: Extract<Edit, { kind: "update" }>): Promise<void> {
  const row = await readRow(target.db, target.snapshot, edit.rowId);
  if (row === undefined) {
    target.warnings.add("The row was deleted before the edit was applied.");
    return;
  }
  const directory = edit.parse ? await loadDirectory(target.db, target.snapshot, target.columns) : undefined;
  await replaceVersion(target, row, toCells(target, edit.cells, directory));
}

async function deleteRows({ db, snapshot }: Target, rowIds: readonly string[]): Promise<void> {
  // A statement takes a limited number of parameters.
  for (let start = 0; start < rowIds.length; start += 500) {
    await db
      .updateTable("row_versions")
      .set({ to_seq: snapshot.seq })
      .where("doc_id", "=", snapshot.docId)
      .where("table_id", "=", snapshot.tableId)
      .where("id", "in", rowIds.slice(start, start + 500))
      .where("to_seq", "=", CURRENT)
      .execute();
  }
}

/** Without a directory nothing is parsed (decision 56). Of equal columns the last wins (decision 52). */
function toCells({ columns, warnings }: Target, written: RowEdit["cells"], directory: CellDirectory | undefined): Cells {
  const cells: Record<string, Cell> = {};
  for (const { column: reference, value } of written) {
    const column = findColumn(columns, reference);
    if (column === undefined) warnings.add("A column does not exist; its cell was skipped.");
    else if (!isWritable(column)) warnings.add(`Column ${column.id} cannot be written; its cell was skipped.`);
    else cells[column.id] = directory === undefined ? value : parseCell(column, value, directory);
  }
  return cells;
}

function keyOf(cells: Cells, keyIds: readonly string[]): string {
  return JSON.stringify(keyIds.map((id) => cells[id] ?? ""));
}

function addTo(byKey: Map<string, StoredRow[]>, key: string, row: StoredRow): void {
  const rows = byKey.get(key);
  if (rows === undefined) byKey.set(key, [row]);
  else rows.push(row);
}

async function nextPosition({ db, snapshot }: Target): Promise<number> {
  const { last } = await db
    .selectFrom("row_versions")
    .where("doc_id", "=", snapshot.docId)
    .where("table_id", "=", snapshot.tableId)
    .select(db.fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? -1) + 1;
}

async function replaceVersion(target: Target, row: StoredRow, changed: Cells): Promise<StoredRow> {
  const cells = { ...row.cells, ...changed };
  await endVersion(target, row.id);
  const version = { ...row, cells, updatedAtMs: target.nowMs, fromSeq: target.snapshot.seq };
  await insertVersion(target, version);
  return version;
}

async function endVersion({ db, snapshot }: Target, rowId: string): Promise<void> {
  const current = () => ({ doc_id: snapshot.docId, table_id: snapshot.tableId, id: rowId, to_seq: CURRENT });
  // A version that this same edit began was never seen by anyone.
  await db
    .deleteFrom("row_versions")
    .where(({ eb, and }) => and([and(current()), eb("from_seq", "=", snapshot.seq)]))
    .execute();
  await db
    .updateTable("row_versions")
    .set({ to_seq: snapshot.seq })
    .where(({ and }) => and(current()))
    .execute();
}

async function insertVersion({ db, snapshot }: Target, row: StoredRow): Promise<void> {
  await db
    .insertInto("row_versions")
    .values({
      doc_id: snapshot.docId,
      table_id: snapshot.tableId,
      id: row.id,
      from_seq: row.fromSeq,
      to_seq: CURRENT,
      position: row.position,
      created_at_ms: row.createdAtMs,
      updated_at_ms: row.updatedAtMs,
      cells: JSON.stringify(row.cells),
    })
    .execute();
}
