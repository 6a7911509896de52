import type { Kysely, Transaction } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import { insertMany } from "../store/insert-many.ts";
import { type Engine, isOneOf } from "../store/json-sql.ts";
import {
  changeTableSize,
  isCurrentById,
  readCurrentRows,
  rowWriter,
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
  if (costOf(target, changes) > MAX_CELLS && changes.length > 1) throw new SlicesNeeded();
  await writeChanges(target, changes);
  await countChanges(target, changes);
}

/** How many cells changes write, about; each has its indexes, too. */
export function costOf(
  { columns }: Pick<TableTarget, "columns">,
  changes: readonly RowChange[],
): number {
  return changes.length * (changes[0]?.kind === "delete" ? 5 : columns.length + 5);
}

/** Stores which size a table has after all of its changes. */
export async function countChanges(
  { db, snapshot }: TableTarget,
  changes: readonly RowChange[],
): Promise<void> {
  const countOf = (kind: RowChange["kind"]) => changes.filter((each) => each.kind === kind).length;
  const [added, deleted] = [countOf("add"), countOf("delete")];
  if (added + deleted > 0) await changeTableSize(db, snapshot, { added, deleted });
}

/**
 * Writes changes as a part of the next snapshot, which may have others before them. Reads see them
 * when the document has that snapshot.
 */
export async function writeChanges(
  target: TableTarget,
  changes: readonly RowChange[],
): Promise<void> {
  const { db, snapshot, nowMs } = target;
  const idsOf = (wanted: RowChange["kind"]) => [
    ...new Set(changes.flatMap(({ kind, id }) => (kind === wanted ? [id] : []))),
  ];
  const before = new Map(
    (await readCurrentRows(db, snapshot, idsOf("change"))).map((row) => [row.id, row]),
  );
  const after = new Map<string, StoredRow>();
  for (const change of changes) {
    if (change.kind === "delete") continue;
    const { id } = change;
    const row = after.get(id) ?? before.get(id);
    const stamp = { updatedAtMs: nowMs, fromSeq: snapshot.seq };
    if (change.kind === "add") after.set(id, { ...change, ...stamp, name: "", createdAtMs: nowMs });
    else if (row !== undefined)
      after.set(id, { ...row, ...stamp, cells: { ...row.cells, ...change.cells } });
  }
  const replaced = [...after.keys()].flatMap((id) => before.get(id) ?? []);
  const isOfThis = ({ fromSeq }: StoredRow) => fromSeq === snapshot.seq;
  await removeVersions(target, replaced.filter(isOfThis));
  await endVersions(
    target,
    replaced.filter((row) => !isOfThis(row)).map(({ id }) => id),
  );
  await rememberPlaces(target, await endVersions(target, idsOf("delete")));
  await insertVersions(target, [...after.values()]);
}

/** Takes back what was written for a snapshot that never came. */
export async function undoChanges(
  db: Kysely<ServiceSchema>,
  { docId, tableId, seq }: TableSnapshot,
): Promise<void> {
  await db
    .deleteFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("from_seq", "=", seq)
    .execute();
  await db
    .updateTable("row_versions")
    .set({ to_seq: CURRENT })
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("to_seq", "=", seq)
    .execute();
  await db
    .deleteFrom("row_deletions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where("seq", "=", seq)
    .execute();
}

async function removeVersions(
  { db, snapshot: { docId, tableId, seq } }: TableTarget,
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .deleteFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .where(
      isOneOf(
        db,
        "id",
        rows.map(({ id }) => id),
      ),
    )
    .where("from_seq", "=", seq)
    .execute();
}

/** @returns the places of the rows in the order of the table */
async function endVersions(
  { db, snapshot }: TableTarget,
  rowIds: readonly string[],
): Promise<number[]> {
  if (rowIds.length === 0) return [];
  const ended = await db
    .updateTable("row_versions")
    .set({ to_seq: snapshot.seq })
    .where(isCurrentById(db, snapshot, rowIds))
    .returning("position")
    .execute();
  return ended.map(({ position }) => position);
}

/** The places of rows that are deleted, which the indexes of later rows leave out. */
async function rememberPlaces(
  { db, snapshot }: TableTarget,
  places: readonly number[],
): Promise<void> {
  await insertMany(db, {
    table: "row_deletions",
    shared: { doc_id: snapshot.docId, table_id: snapshot.tableId, seq: snapshot.seq },
    columns: ["position"],
    rows: places.map((position) => [position]),
  });
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
