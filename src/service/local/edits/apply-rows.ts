import { sql, type Transaction } from "kysely";
import type { RowEdit } from "../../contract/models/requests.ts";
import { type Cell, type Cells, isWritable, type StoredColumn } from "../content/column.ts";
import { type CellDirectory, parseCell } from "../content/parse-cell.ts";
import { keyText } from "../store/cell-sql.ts";
import { columnFinder, findColumn } from "../store/doc-store.ts";
import { findKeys, isShortSearch, type RowsByKey, SearchNeeded } from "../store/find-keys.ts";
import { insertMany } from "../store/insert-many.ts";
import type { Engine } from "../store/json-sql.ts";
import { partsOf } from "../store/parts-of.ts";
import { loadDirectory } from "../store/row-directory.ts";
import {
  changeTableSize,
  readRowsById,
  rowWriter,
  type StoredRow,
  type TableSnapshot,
  tableSize,
} from "../store/row-store.ts";
import { CURRENT, type ServiceSchema } from "../store/schema.ts";
import type { Edit } from "./edit.ts";

/** A table that an edit changes, as its next snapshot. */
export interface TableTarget {
  db: Transaction<ServiceSchema>;
  engine: Engine;
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  timeZone: string;
  nowMs: number;
  /** What was searched before the transaction, when nothing has changed since. */
  searched: RowsByKey | undefined;
}

/** An edit, and what could not be done of it. */
export interface WarnedEdit<Kind extends Edit["kind"]> {
  edit: Extract<Edit, { kind: Kind }>;
  warnings: Set<string>;
}

/**
 * Adds rows, or updates those whose key columns are equal. In order, so that a later row can match
 * an earlier one.
 * @param edits differ in their rows only
 */
export async function insertRows(
  target: TableTarget,
  edits: readonly WarnedEdit<"insert">[],
): Promise<void> {
  const { db, snapshot, columns, nowMs } = target;
  const [first] = edits;
  if (first === undefined) return;
  const { keyColumns, parse, once } = first.edit;
  const keys = keyColumns.map((reference) => findColumn(columns, reference));
  if (keys.some((key) => key === undefined)) {
    for (const { warnings } of edits)
      warnings.add("A key column does not exist; no row was changed.");
    return;
  }
  const directory = parse
    ? await loadDirectory(
        target,
        edits.flatMap(({ edit }) => edit.rows),
      )
    : undefined;
  const find = columnFinder(columns);
  const parsed = edits.flatMap(({ edit, warnings }) =>
    edit.rows.map(({ rowId, cells }) => ({
      rowId,
      cells: toCells(warnings, cells, directory, find),
    })),
  );
  const isKeyed = keys.length > 0;
  const texts = isKeyed ? parsed.map(({ cells }) => keyText(keys as StoredColumn[], cells)) : [];
  const found = new Map(isKeyed ? await findMatches(target, keys as StoredColumn[], texts) : []);
  const before = await readRowsById(db, snapshot, [...found.values()].flat());
  const known = new Map(before.map((row) => [row.id, row]));
  const sent = once
    ? new Set(
        (
          await readRowsById(
            db,
            snapshot,
            parsed.map(({ rowId }) => rowId),
          )
        ).map(({ id }) => id),
      )
    : undefined;

  const added = new Map<string, StoredRow>();
  const updated = new Map<string, StoredRow>();
  let position = (await tableSize(db, snapshot)).nextPosition;
  for (const [at, { rowId, cells }] of parsed.entries()) {
    const text = texts[at] ?? "";
    const matches = found.get(text) ?? [];
    for (const id of matches) {
      const row = added.get(id) ?? known.get(id);
      if (row === undefined) continue;
      const changed = {
        ...row,
        cells: { ...row.cells, ...cells },
        updatedAtMs: nowMs,
        fromSeq: snapshot.seq,
      };
      if (added.has(id)) added.set(id, changed);
      else {
        known.set(id, changed);
        updated.set(id, changed);
      }
    }
    if (matches.length > 0 || sent?.has(rowId) === true) continue;
    added.set(rowId, {
      id: rowId,
      name: "",
      position: position++,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      fromSeq: snapshot.seq,
      cells,
    });
    if (isKeyed) found.set(text, [rowId]);
  }
  await endVersions(target, [...updated.keys()]);
  const changed = [...updated.values(), ...added.values()];
  await insertVersions(target, changed);
  if (added.size > 0) await changeTableSize(db, snapshot, { added: added.size });
}

/** @param edits differ in their rows and cells only */
export async function updateRows(
  target: TableTarget,
  edits: readonly WarnedEdit<"update">[],
): Promise<void> {
  const { db, snapshot, columns, nowMs } = target;
  const rowIds = new Set(edits.map(({ edit }) => edit.rowId));
  const before = new Map(
    (await readRowsById(db, snapshot, [...rowIds])).map((row) => [row.id, row]),
  );
  const present = edits.filter(({ edit, warnings }) => {
    if (before.has(edit.rowId)) return true;
    warnings.add("The row was deleted before the edit was applied.");
    return false;
  });
  const directory = edits[0]?.edit.parse
    ? await loadDirectory(
        target,
        present.map(({ edit }) => edit),
      )
    : undefined;
  const find = columnFinder(columns);
  const updated = new Map<string, StoredRow>();
  for (const { edit, warnings } of present) {
    const row = updated.get(edit.rowId) ?? before.get(edit.rowId);
    const cells = toCells(warnings, edit.cells, directory, find);
    // An edit that stores nothing does not change `updatedAt`.
    if (row === undefined || Object.keys(cells).length === 0) continue;
    updated.set(row.id, {
      ...row,
      cells: { ...row.cells, ...cells },
      updatedAtMs: nowMs,
      fromSeq: snapshot.seq,
    });
  }
  const after = [...updated.values()];
  await endVersions(target, [...updated.keys()]);
  await insertVersions(target, after);
}

export async function deleteRows(target: TableTarget, rowIds: readonly string[]): Promise<void> {
  const { db, snapshot } = target;
  const rows = await readRowsById(db, snapshot, [...new Set(rowIds)]);
  const ids = rows.map(({ id }) => id);
  await endVersions(target, ids);
  for (const part of partsOf(rows)) {
    const deletions = part.map(({ position }) => ({
      doc_id: snapshot.docId,
      table_id: snapshot.tableId,
      position,
      seq: snapshot.seq,
    }));
    await db.insertInto("row_deletions").values(deletions).execute();
  }
  if (rows.length > 0) await changeTableSize(db, snapshot, { deleted: rows.length });
}

/** @throws {SearchNeeded} for a table that is too long to be searched in a transaction */
async function findMatches(
  { db, engine, snapshot, searched }: TableTarget,
  columns: readonly StoredColumn[],
  texts: readonly string[],
): Promise<RowsByKey> {
  if (searched !== undefined) return searched;
  const search = { snapshot, columns, texts };
  if (!(await isShortSearch(db, engine, search))) throw new SearchNeeded(search);
  return await findKeys(db, engine, search);
}

/**
 * Without a directory, values are stored as they are. When a column comes twice, the last value is
 * stored.
 */
function toCells(
  warnings: Set<string>,
  written: RowEdit["cells"],
  directory: CellDirectory | undefined,
  find: (reference: string) => StoredColumn | undefined,
): Cells {
  const cells: Record<string, Cell> = {};
  for (const { column: reference, value } of written) {
    const column = find(reference);
    if (column === undefined) warnings.add("A column does not exist; its cell was skipped.");
    else if (!isWritable(column))
      warnings.add(`Column ${column.id} cannot be written; its cell was skipped.`);
    else cells[column.id] = directory === undefined ? value : parseCell(column, value, directory);
  }
  return cells;
}

async function endVersions(
  { db, snapshot }: TableTarget,
  rowIds: readonly string[],
): Promise<void> {
  for (const part of partsOf(rowIds)) {
    await db
      .updateTable("row_versions")
      .set({ to_seq: snapshot.seq })
      .where("doc_id", "=", snapshot.docId)
      .where("table_id", "=", snapshot.tableId)
      .where("id", "in", part)
      // Plainly, SQLite would read all current rows in an index for it instead of looking up the
      // ids.
      .where(sql<number>`to_seq + 0`, "=", CURRENT)
      .execute();
  }
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
    rows: rows.map(({ id, position, createdAtMs, cells }) => {
      const { name, cells: text, compared } = write(cells);
      return [id, position, createdAtMs, name, text, compared];
    }),
  });
}
