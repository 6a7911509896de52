import type { Transaction } from "kysely";
import { isDatabaseTrouble } from "../../../storage/storage.ts";
import { findDoc, listColumns } from "../store/doc-store.ts";
import { giveWay, mapInPieces } from "../store/give-way.ts";
import { createPace, type Pace } from "../store/pace.ts";
import { changeTableSize } from "../store/row-store.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { refreshStatistics } from "../store/statistics.ts";
import { type TableTarget, writeChanges } from "./apply-rows.ts";
import type { Batch, BatchOptions } from "./batch.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { DELETED_DOC, debugApplied, finishEdits } from "./finish-edits.ts";
import { type EditProgress, saveProgress, takeDoc, updateHead } from "./pending-edits.ts";
import { planRows, type RowChange, type WarnedEdit } from "./plan-rows.ts";
import { abandonSlices, undoSlices } from "./undo-slices.ts";

/** Edits of rows of one table, and what they do to the snapshot for which they were planned. */
interface SlicedEdits {
  docId: string;
  ids: readonly string[];
  tableId: string;
  columns: TableTarget["columns"];
  timeZone: string;
  /** The snapshot before them. */
  seq: number;
  warned: readonly WarnedEdit[];
  changes: readonly RowChange[];
}

/**
 * Applies edits whose changes are too many for one transaction. Each slice writes some of them as
 * versions of the next snapshot, which no read sees until the last slice makes it the snapshot of
 * the document. How far it is stands in the database: after a kill, or in another process, the next
 * slice goes on from there.
 * @returns how many edits were dealt with
 */
export async function applyInSlices(
  options: BatchOptions,
  batch: Batch,
  ids: readonly string[],
): Promise<number> {
  const { storage } = options;
  const pace = createPace(storage.engine, options.sliceMs);
  const edits = await planEdits(options, batch.docId, ids);
  const { docId } = batch;
  try {
    for (;;) {
      const isOver = await storage.transaction(
        (transaction) => applySlice(transaction, options, batch, edits, pace),
        { rowLocks: true },
      );
      if (isOver) {
        await refreshStatistics(storage, edits.changes.length);
        return edits.ids.length;
      }
      if (options.isClosed()) return 0;
      await storage.letOthersWrite();
    }
  } catch (error) {
    if (!isDatabaseTrouble(error)) {
      await storage.transaction((transaction) => abandonSlices(transaction, docId), {
        rowLocks: true,
      });
      await undoSlices(options, docId);
    }
    throw error;
  }
}

/** Reads what edits need, outside of a transaction. */
async function planEdits(
  { storage, indexes }: BatchOptions,
  docId: string,
  ids: readonly string[],
): Promise<SlicedEdits> {
  const { db, engine } = storage;
  const doc = await findDoc(db, docId);
  const entries = await db
    .selectFrom("mutations")
    .select("edit")
    .where("doc_id", "=", docId)
    .where("id", "in", [...ids])
    .where("state", "=", "pending")
    .orderBy("position")
    .execute();
  // To read a large edit and to parse it take long enough, each for itself.
  await giveWay();
  const warned = await mapInPieces(entries, 1, ({ edit }) => ({
    edit: JSON.parse(edit) as WarnedEdit["edit"],
    warnings: new Set<string>(),
  }));
  await giveWay();
  const [first] = warned;
  const { timeZone = "UTC", seq = 0 } = doc ?? {};
  const { tableId = "" } = first?.edit ?? {};
  const columns = await listColumns(db, docId, tableId);
  // An edit can name a row that the one before it adds.
  if (columns.some(({ lookupTableId }) => lookupTableId === tableId)) warned.splice(1);
  const table = { db, engine, indexes, snapshot: { docId, tableId, seq }, columns };
  const changes =
    doc === undefined ? [] : await planRows({ ...table, pause: createPause() }, warned);
  const applied = ids.slice(0, Math.max(1, warned.length));
  return { docId, ids: applied, tableId, columns, timeZone, seq, warned, changes };
}

/** @returns whether nothing is left to do */
async function applySlice(
  transaction: Transaction<ServiceSchema>,
  options: BatchOptions,
  { aheadMs }: Batch,
  edits: SlicedEdits,
  pace: Pace,
): Promise<boolean> {
  const { storage, clock } = options;
  const { docId, ids, tableId, seq, changes } = edits;
  const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
  const doc = await takeDoc(transaction, docId, dueMs, storage.engine === "postgres");
  if (doc.progress?.isUndone === true) return true;
  const isOurs = (doc.progress?.ids ?? ids).join() === ids.join();
  const isNext = isOurs && (await isFirst(transaction, edits));
  // Another process has applied them, or everything was replaced.
  if (doc.isDeleted || doc.seq !== seq || !isNext) {
    if (isOurs && (doc.isDeleted || !isNext)) await abandonSlices(transaction, docId);
    if (doc.isDeleted && isNext) {
      const outcome = { ids, warning: DELETED_DOC, nowMs: clock.now() };
      await finishEdits(transaction, options.settings, docId, outcome);
      await updateHead(transaction, docId);
    }
    return true;
  }
  const progress = doc.progress ?? {
    ids,
    tableId,
    done: 0,
    size: { added: 0, deleted: 0 },
    nowMs: clock.now(),
  };
  const next = await writeSlice(transaction, options, edits, progress, pace);
  if (next.done < changes.length) await saveProgress(transaction, docId, next);
  else await completeEdits(transaction, options, edits, next);
  return next.done >= changes.length;
}

async function writeSlice(
  db: Transaction<ServiceSchema>,
  { storage, indexes }: BatchOptions,
  edits: SlicedEdits,
  progress: EditProgress,
  pace: Pace,
): Promise<EditProgress> {
  const { docId, tableId, seq, changes } = edits;
  const target: TableTarget = {
    ...edits,
    db,
    engine: storage.engine,
    indexes,
    snapshot: { docId, tableId, seq: seq + 1 },
    nowMs: progress.nowMs,
  };
  let { added, deleted } = progress.size;
  const done = await pace.slice(progress.done, changes.length, async (from, to) => {
    const size = await writeChanges(target, changes.slice(from, to));
    added += size.added;
    deleted += size.deleted;
  });
  return { ...progress, done, size: { added, deleted } };
}

/** Makes what was written the snapshot of the document. */
async function completeEdits(
  db: Transaction<ServiceSchema>,
  { settings }: BatchOptions,
  { docId, ids, tableId, seq, warned }: SlicedEdits,
  { size, nowMs }: EditProgress,
): Promise<void> {
  await changeTableSize(db, { docId, tableId }, size);
  await db
    .updateTable("docs")
    .set({ seq: seq + 1, updated_at_ms: nowMs, progress: null })
    .where("id", "=", docId)
    .execute();
  for (const [at, { warnings }] of warned.entries()) {
    const warning = warnings.size === 0 ? undefined : [...warnings].join(" ");
    const id = ids[at] ?? "";
    await finishEdits(db, settings, docId, { ids: [id], warning, nowMs });
    debugApplied(docId, id, warning);
  }
  await updateHead(db, docId);
}

/** Whether the edits are still those that are applied next. */
async function isFirst(
  transaction: Transaction<ServiceSchema>,
  { docId, ids }: SlicedEdits,
): Promise<boolean> {
  const first = await transaction
    .selectFrom("mutations")
    .select("id")
    .where("doc_id", "=", docId)
    .where("state", "=", "pending")
    .orderBy("position")
    .limit(ids.length)
    .execute();
  return first.map(({ id }) => id).join() === ids.join();
}

/** Lets others run when something has run for 10 ms. */
function createPause(): () => Promise<void> {
  let begunAt = performance.now();
  return async () => {
    if (performance.now() - begunAt < 10) return;
    await giveWay();
    begunAt = performance.now();
  };
}
