import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import { isDatabaseTrouble } from "../../../storage/storage.ts";
import { findDoc, listColumns } from "../store/doc-store.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { refreshStatistics } from "../store/statistics.ts";
import { costOf, countChanges, type TableTarget, undoChanges, writeChanges } from "./apply-rows.ts";
import type { Batch, BatchOptions } from "./batch.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { DELETED_DOC, debugApplied, finishEdits } from "./finish-edits.ts";
import { type EditProgress, takeDoc, updateHead } from "./pending-edits.ts";
import { planRows, type RowChange, type WarnedEdit } from "./plan-rows.ts";

/**
 * How long other processes have the turn to write to a file after each transaction, in
 * milliseconds: longer than from one of their attempts to the next.
 */
export const GAP_MS = 6;
/** How long a slice takes, in milliseconds. */
const SLICE_MS = 15;
/**
 * So many cells are written before the time is looked at; on a server more, because the statements
 * run there.
 */
const PIECE_CELLS = { sqlite: 2_000, postgres: 20_000 };

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
  const { storage, gapMs } = options;
  const edits = await planEdits(options, batch.docId, ids);
  const { docId } = batch;
  try {
    for (;;) {
      const isOver = await storage.transaction(
        (transaction) => applySlice(transaction, options, batch, edits),
        { rowLocks: true },
      );
      if (isOver) {
        await refreshStatistics(storage, edits.changes.length);
        return edits.ids.length;
      }
      if (options.isClosed()) return 0;
      await letOthersWrite(gapMs);
    }
  } catch (error) {
    if (!isDatabaseTrouble(error))
      await storage.transaction((transaction) => undoSlices(transaction, docId), {
        rowLocks: true,
      });
    throw error;
  }
}

/** Gives other transactions their turn: those of other processes look for it from time to time. */
export async function letOthersWrite(gapMs: number): Promise<void> {
  if (gapMs > 0) await wait(gapMs);
  else await new Promise(setImmediate);
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
  const warned = entries.map(({ edit }) => ({
    edit: JSON.parse(edit) as WarnedEdit["edit"],
    warnings: new Set<string>(),
  }));
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
  { storage, indexes, clock, settings }: BatchOptions,
  { aheadMs }: Batch,
  edits: SlicedEdits,
): Promise<boolean> {
  const { docId, ids, tableId, seq, changes } = edits;
  const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
  const doc = await takeDoc(transaction, docId, dueMs, storage.engine === "postgres");
  const isOurs = (doc.progress?.ids ?? ids).join() === ids.join();
  const isNext = isOurs && (await isFirst(transaction, edits));
  // Another process has applied them, or everything was replaced.
  if (doc.isDeleted || doc.seq !== seq || !isNext) {
    if (isOurs && (doc.isDeleted || !isNext)) await undoSlices(transaction, docId);
    if (doc.isDeleted && isNext) {
      const outcome = { ids, warning: DELETED_DOC, nowMs: clock.now() };
      await finishEdits(transaction, settings, docId, outcome);
      await updateHead(transaction, docId);
    }
    return true;
  }
  const nowMs = doc.progress?.nowMs ?? clock.now();
  const snapshot = { docId, tableId, seq: seq + 1 };
  const target: TableTarget = {
    ...edits,
    db: transaction,
    engine: storage.engine,
    indexes,
    snapshot,
    nowMs,
  };
  const each = costOf(edits, changes.slice(0, 1));
  const piece = Math.max(10, Math.min(500, Math.ceil(PIECE_CELLS[storage.engine] / (each + 1))));
  let done = doc.progress?.done ?? 0;
  for (const endMs = performance.now() + SLICE_MS; done < changes.length; ) {
    await writeChanges(target, changes.slice(done, done + piece));
    done += piece;
    if (performance.now() > endMs) break;
  }
  if (done < changes.length) {
    await saveProgress(transaction, docId, { ids, tableId, done, nowMs });
    return false;
  }
  await countChanges(target, changes);
  await transaction
    .updateTable("docs")
    .set({ seq: seq + 1, updated_at_ms: nowMs, progress: null })
    .where("id", "=", docId)
    .execute();
  for (const [at, { warnings }] of edits.warned.entries()) {
    const warning = warnings.size === 0 ? undefined : [...warnings].join(" ");
    const id = ids[at] ?? "";
    await finishEdits(transaction, settings, docId, { ids: [id], warning, nowMs });
    debugApplied(docId, id, warning);
  }
  await updateHead(transaction, docId);
  return true;
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

/**
 * Takes back the slices of a document whose edits will not be applied. @param requestId only when
 * they are of this edit
 */
export async function undoSlices(
  transaction: Transaction<ServiceSchema>,
  docId: string,
  requestId?: string,
): Promise<void> {
  const { progress, seq } = await takeDoc(transaction, docId, 0, false);
  if (progress === undefined) return;
  if (requestId !== undefined && !progress.ids.includes(requestId)) return;
  await undoChanges(transaction, { docId, tableId: progress.tableId, seq: seq + 1 });
  await transaction.updateTable("docs").set({ progress: null }).where("id", "=", docId).execute();
}

async function saveProgress(
  db: Kysely<ServiceSchema>,
  docId: string,
  progress: EditProgress,
): Promise<void> {
  await db
    .updateTable("docs")
    .set({ progress: JSON.stringify(progress) })
    .where("id", "=", docId)
    .execute();
}

/** Lets others run when something has run for 10 ms. */
function createPause(): () => Promise<void> {
  let begunAt = performance.now();
  return async () => {
    if (performance.now() - begunAt < 10) return;
    await new Promise(setImmediate);
    begunAt = performance.now();
  };
}
