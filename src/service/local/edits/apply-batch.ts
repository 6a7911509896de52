import type { Kysely, Transaction } from "kysely";
import { isDatabaseTrouble, type Storage } from "../../../storage/storage.ts";
import type { ServiceClock } from "../clock.ts";
import { findDoc } from "../store/doc-store.ts";
import { findKeys, SearchNeeded } from "../store/find-keys.ts";
import { partsOf } from "../store/parts-of.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { debugApplied, outcomeOf } from "./accept-edit.ts";
import { beginBatch, type Searched } from "./apply-edit.ts";
import type { OutsideWork } from "./edit.ts";
import { type PendingEdit, runsOf } from "./edit-runs.ts";
import { type EditSettings, NEVER_MS } from "./edit-settings.ts";
import { beginWork, firstPending, takeDueDoc, updateHead } from "./pending-edits.ts";

export interface BatchOptions {
  storage: Storage<ServiceSchema>;
  clock: ServiceClock;
  settings: EditSettings;
  /**
   * How long edits are applied in one transaction at most, in milliseconds: other writes wait for
   * it, and in memory reads wait, too.
   */
  sliceMs: number;
  /** What is left to do outside of the database, after the batch. */
  startWork(docId: string, id: string, work: OutsideWork): void;
}

/** Which edits of a document are applied. */
export interface Batch {
  docId: string;
  /** Those that are due now, or in so many milliseconds. */
  aheadMs: number;
  /** How many at most. */
  most: number;
  /** Whether edits that change rows in the same way are applied together. @default true */
  together?: boolean | undefined;
  /** What the first of them needed, when it was tried before. */
  searched?: Searched | undefined;
}

/** Which edits are being applied, for when they fail. */
interface CurrentEdits {
  /** Of the first one. */
  id?: string | undefined;
  /** How many were applied before in the same transaction. */
  at: number;
  count: number;
}

/**
 * Applies the first edits of one document, in a transaction that is short.
 * @returns how many were dealt with; 0 when none is due
 */
export async function applyBatch(options: BatchOptions, batch: Batch): Promise<number> {
  const { storage, startWork } = options;
  const current: CurrentEdits = { at: 0, count: 0 };
  try {
    const { count, works } = await storage.transaction(
      (transaction) => applyFirst(transaction, options, batch, current),
      { rowLocks: true },
    );
    for (const { id, work } of works) startWork(batch.docId, id, work);
    return count;
  } catch (error) {
    return await applyWithoutFailed(options, batch, current, error);
  }
}

/** An edit that cannot be applied never can, and would stop all others. */
async function applyWithoutFailed(
  options: BatchOptions,
  batch: Batch,
  { id, at, count }: CurrentEdits,
  error: unknown,
): Promise<number> {
  const { storage, clock, settings } = options;
  // The database's own trouble passes.
  if (id === undefined || isDatabaseTrouble(error)) throw error;
  // Those before it are applied on their own.
  if (at > 0) return await applyBatch(options, { ...batch, most: at });
  if (error instanceof SearchNeeded) {
    const seq = (await findDoc(storage.db, batch.docId))?.seq ?? 0;
    const search = { ...error.search, snapshot: { ...error.search.snapshot, seq } };
    const rows = await findKeys(storage.db, storage.engine, search);
    // Another process, or an edit of the same batch, may have changed the document meanwhile: then
    // one edit is searched for and applied on its own.
    const next = batch.searched === undefined ? { most: count } : { most: 1, together: false };
    return await applyBatch(options, { ...batch, ...next, searched: { seq, rows } });
  }
  // One of several is the reason, and the others can be applied.
  if (count > 1) return await applyBatch(options, { ...batch, together: false });
  await storage.transaction(
    async (transaction) => {
      const outcome = { ids: [id], warning: "The edit could not be applied.", nowMs: clock.now() };
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
}

async function applyFirst(
  transaction: Transaction<ServiceSchema>,
  { storage, clock, settings, sliceMs }: BatchOptions,
  { docId, aheadMs, most, together = true, searched }: Batch,
  current: CurrentEdits,
): Promise<BatchResult> {
  const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
  const works: BatchResult["works"] = [];
  if (!(await takeDueDoc(transaction, docId, dueMs, storage.engine === "postgres")))
    return { count: 0, works };
  const batch = beginBatch(transaction, storage, docId, searched);
  const done = new Map<string | undefined, string[]>();
  const begunAt = performance.now();
  // Read once the document is ours: what is applied later is not older.
  const nowMs = clock.now();
  let count = 0;
  const due = dueOf(await firstPending(transaction, docId, most), dueMs);
  for (const run of together ? runsOf(due) : eachAlone(due)) {
    if (count > 0 && performance.now() - begunAt > sliceMs) break;
    Object.assign(current, { id: run[0]?.id, at: count, count: run.length });
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
  return { count, works };
}

/** Stores how edits ended. */
export async function finishEdits(
  to: Kysely<ServiceSchema>,
  settings: EditSettings,
  docId: string,
  { ids, warning, nowMs }: { ids: readonly string[]; warning: string | undefined; nowMs: number },
): Promise<void> {
  for (const part of partsOf(ids)) {
    await to
      .updateTable("mutations")
      .set(outcomeOf(settings, warning, nowMs))
      .where("doc_id", "=", docId)
      .where("id", "in", part)
      .execute();
  }
}

/** The edits that are due, in their order. */
function* dueOf(
  entries: Awaited<ReturnType<typeof firstPending>>,
  dueMs: number,
): Generator<PendingEdit> {
  for (const { id, user_id: userId, edit, due_at_ms: dueAtMs } of entries) {
    if (dueAtMs > dueMs) return;
    yield { id, userId, edit: JSON.parse(edit) };
  }
}

function* eachAlone(edits: Iterable<PendingEdit>): Generator<readonly PendingEdit[]> {
  for (const edit of edits) yield [edit];
}
