import type { Transaction } from "kysely";
import { isDatabaseTrouble } from "../../../storage/storage.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { beginBatch } from "./apply-edit.ts";
import { applyInSlices } from "./apply-slices.ts";
import type { Batch, BatchOptions } from "./batch.ts";
import type { OutsideWork } from "./edit.ts";
import { type PendingEdit, splitIntoRuns } from "./edit-runs.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { debugApplied, finishEdits } from "./finish-edits.ts";
import {
  beginWork,
  firstPending,
  MAX_BATCH_CHARACTERS,
  takeDoc,
  updateHead,
} from "./pending-edits.ts";
import { SlicesNeeded } from "./plan-rows.ts";
import { undoSlices } from "./undo-slices.ts";

/** Which edits are being applied, for when they fail. */
interface CurrentEdits {
  ids: readonly string[];
  /** How many were applied before in the same transaction. */
  at: number;
}

/**
 * How long edits are applied in one transaction at most, in milliseconds: other writes wait for it,
 * and in memory reads wait, too.
 */
const SLICE_MS = 20;

/**
 * Applies the first edits of one document, in transactions that are short.
 * @returns how many were dealt with, or how many slices were taken back; 0 when none is due
 */
export async function applyBatch(options: BatchOptions, batch: Batch): Promise<number> {
  const { storage, startWork } = options;
  const current: CurrentEdits = { ids: [], at: 0 };
  try {
    const { count, works, isUndone } = await storage.transaction(
      (transaction) => applyFirst(transaction, options, batch, current),
      { rowLocks: true },
    );
    if (isUndone) return await undoSlices(options, batch.docId);
    for (const { id, work } of works) startWork(batch.docId, id, work);
    return count;
  } catch (error) {
    if (!(error instanceof SlicesNeeded) || current.at > 0)
      return await applyWithoutFailed(options, batch, current, error);
  }
  try {
    return await applyInSlices(options, batch, current.ids);
  } catch (error) {
    return await applyWithoutFailed(options, batch, current, error);
  }
}

/** An edit that cannot be applied never can, and would stop all others. */
async function applyWithoutFailed(
  options: BatchOptions,
  batch: Batch,
  { ids, at }: CurrentEdits,
  error: unknown,
): Promise<number> {
  const { storage, clock, settings } = options;
  // The database's own trouble passes.
  if (ids.length === 0 || isDatabaseTrouble(error)) throw error;
  // Those before it are applied on their own.
  if (at > 0) return await applyBatch(options, { ...batch, most: at });
  // One of several is the reason, and the others can be applied.
  if (ids.length > 1) return await applyBatch(options, { ...batch, together: false });
  await storage.transaction(
    async (transaction) => {
      const outcome = { ids, warning: "The edit could not be applied.", nowMs: clock.now() };
      await finishEdits(transaction, settings, batch.docId, outcome);
      await updateHead(transaction, batch.docId);
    },
    { rowLocks: true },
  );
  return 1;
}

interface BatchResult {
  count: number;
  works: { id: string; work: OutsideWork }[];
  /** Nothing is applied before the slices of other edits are taken back. */
  isUndone: boolean;
}

/** @throws {SlicesNeeded} when `current` cannot be applied in one transaction */
async function applyFirst(
  transaction: Transaction<ServiceSchema>,
  { storage, indexes, clock, settings }: BatchOptions,
  { docId, aheadMs, most, together = true }: Batch,
  current: CurrentEdits,
): Promise<BatchResult> {
  const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
  const works: BatchResult["works"] = [];
  const doc = await takeDoc(transaction, docId, dueMs, storage.engine === "postgres");
  const isUndone = doc.progress?.isUndone === true;
  if (!doc.isDue || isUndone) return { count: 0, works, isUndone };
  if (doc.progress !== undefined) {
    current.ids = doc.progress.ids;
    throw new SlicesNeeded();
  }
  const batch = beginBatch(transaction, { engine: storage.engine, indexes }, docId);
  const done = new Map<string | undefined, string[]>();
  const begunAt = performance.now();
  // Read once the document is ours: what is applied later is not older.
  const nowMs = clock.now();
  let count = 0;
  const due = listDue(await firstPending(transaction, docId, most), dueMs);
  for (const run of together ? splitIntoRuns(due) : eachAlone(due)) {
    if (count > 0 && performance.now() - begunAt > SLICE_MS) break;
    Object.assign(current, { ids: run.map(({ id }) => id), at: count });
    if (run.some(isLong)) throw new SlicesNeeded();
    const outcomes = await batch.apply(run.map(({ userId, edit }) => ({ userId, edit, nowMs })));
    for (const [at, { warning, work }] of outcomes.entries()) {
      const id = run[at]?.id ?? "";
      if (work !== undefined) {
        await beginWork(transaction, docId, id, work, nowMs);
        works.push({ id, work });
      } else if (done.get(warning)?.push(id) === undefined) done.set(warning, [id]);
    }
    count += run.length;
  }
  await batch.finish();
  for (const [warning, ids] of done) {
    await finishEdits(transaction, settings, docId, { ids, warning, nowMs });
    for (const id of ids) debugApplied(docId, id, warning);
  }
  await updateHead(transaction, docId);
  return { count, works, isUndone };
}

function isLong({ size }: PendingEdit): boolean {
  return size > MAX_BATCH_CHARACTERS;
}

/** The edits that are due, in their order. */
function* listDue(
  entries: Awaited<ReturnType<typeof firstPending>>,
  dueMs: number,
): Generator<PendingEdit> {
  for (const { id, user_id: userId, edit, size, due_at_ms: dueAtMs } of entries) {
    if (dueAtMs > dueMs) return;
    yield { id, userId, edit: JSON.parse(edit), size };
  }
}

function* eachAlone(edits: Iterable<PendingEdit>): Generator<readonly PendingEdit[]> {
  for (const edit of edits) yield [edit];
}
