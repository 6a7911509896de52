import type { Kysely, Transaction } from "kysely";
import { isDatabaseTrouble, type Storage } from "../../../storage/storage.ts";
import type { MutationStatus } from "../../contract/models/responses.ts";
import type { ServiceClock } from "../clock.ts";
import { buildIndex, IndexMissing } from "../store/build-index.ts";
import { partsOf } from "../store/key-index.ts";
import { lockDoc } from "../store/lock-doc.ts";
import { KEPT_MS } from "../store/purge.ts";
import type { ReadCache } from "../store/read-cache.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { acceptEdit, debugApplied, type EditToAccept, outcomeOf } from "./accept-edit.ts";
import { beginBatch } from "./apply-edit.ts";
import type { ActionRunner, Edit, OutsideWork } from "./edit.ts";
import { type PendingEdit, runsOf } from "./edit-runs.ts";
import { type EditSettings, NEVER_MS } from "./edit-settings.ts";
import { performWork } from "./outside-work.ts";
import {
  beginWork,
  findPending,
  firstDueMs,
  firstPending,
  takeDueDoc,
  updateHead,
} from "./pending-edits.ts";

export interface EditQueueOptions {
  storage: Storage<ServiceSchema>;
  cache: ReadCache;
  clock: ServiceClock;
  settings: EditSettings;
  actions: ActionRunner | undefined;
  /** No other process uses the database. */
  isAlone: boolean;
  random(): number;
  newId(): string;
}

/**
 * Accepted edits. One becomes due by the clock of the service, and those of one document are
 * applied in order.
 */
export interface EditQueue extends AsyncDisposable {
  /**
   * @param before runs in the same transaction, before the edit is accepted
   * @returns the request id by which the edit can be followed
   */
  accept(
    docId: string,
    userId: string,
    edit: Edit,
    before?: EditToAccept["before"],
  ): Promise<string>;
  /**
   * Applies every edit that is due, now or in so many milliseconds, and with `all` every other one
   * too.
   */
  pump(options?: { all?: boolean | undefined; aheadMs?: number | undefined }): Promise<void>;
  /** Whether an edit is due now, so that requests apply it first. */
  isDue(): Promise<boolean>;
  hasPending(docId: string): Promise<boolean>;
  /** The state as its user may see it; undefined when it is unknown or too old. */
  statusOf(requestId: string, userId: string): Promise<MutationStatus | undefined>;
  /**
   * Completes an edit and those of its document that came before. @returns whether it was pending
   */
  complete(requestId: string): Promise<boolean>;
  /** Completes an edit with a warning instead of applying it. @returns whether it was pending */
  fail(requestId: string, warning: string): Promise<boolean>;
  /** After the state was replaced. */
  reload(): void;
}

/**
 * How often due edits are looked for while there are pending ones, in real milliseconds; on a
 * server each look is a query.
 */
const PUMP_INTERVAL_MS = { sqlite: 10, postgres: 50 };
/**
 * How many edits of one document are applied in one transaction, and for how long at most, in
 * milliseconds: other writes wait for it, and
 * in memory reads wait, too.
 */
const BATCH_EDITS = 200;
const BATCH_MS = { memory: 20, sqlite: 50, postgres: 250 };
/** After so many edits a request goes on, although more are due. */
const ROUND_EDITS = 200;
/** After this another instance that ran an action is taken to be gone. */
const ABANDONED_MS = 60_000;
/** How many looks for due edits there are for one at such work. */
const LOOKS_PER_CHECK = 100;

/** What is being applied: one edit, or several together. */
interface CurrentEdits {
  docId?: string;
  /** Of the first one. */
  id?: string;
  /** How many were applied before in the same transaction. */
  at: number;
  count: number;
}

export function createEditQueue(options: EditQueueOptions): EditQueue {
  const { storage, cache, clock, settings, actions, isAlone, newId } = options;
  const { db } = storage;
  const batchMs = BATCH_MS[isAlone ? "memory" : storage.engine];
  let last: Promise<void> = Promise.resolve();
  /** A round that has not begun yet: those who ask meanwhile share it. */
  let upcoming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watches = 0;
  let looks = 0;
  let isLooking = false;
  let closed = false;
  let firstDue: Promise<number | undefined> | undefined;
  const stopListening = storage.signals?.listen(() => {
    forgetFirstDue();
    void look().catch(() => {});
  });
  const working = new Map<string, Promise<void>>();

  const pump: EditQueue["pump"] = async ({ all = false, aheadMs = 0 } = {}) => {
    if (!all && !(await isDue(aheadMs))) return;
    if (all || aheadMs > 0) {
      const round = last.then(() => applyDue(all ? NEVER_MS : aheadMs, Number.POSITIVE_INFINITY));
      last = round.catch(() => {});
      await round;
    } else {
      if (upcoming === undefined) {
        upcoming = last.then(() => {
          upcoming = undefined;
          // A request does not wait for a long queue. What is left goes on in the background.
          return applyDue(0, ROUND_EDITS);
        });
        last = upcoming.catch(() => {});
      }
      await upcoming;
    }
    if (all) await Promise.all(working.values());
  };

  async function isDue(aheadMs = 0): Promise<boolean> {
    return ((await readFirstDue()) ?? Number.POSITIVE_INFINITY) <= clock.now() + aheadMs;
  }

  /**
   * When the next pending edit is due. On a server it is kept until a signal says that there may be
   * an earlier one.
   */
  async function readFirstDue(): Promise<number | undefined> {
    if (storage.signals === undefined) return await cache.read("first due", () => firstDueMs(db));
    if (firstDue === undefined || !storage.signals.isListening) {
      const reading = firstDueMs(db);
      firstDue = reading;
      reading.catch(() => {
        if (firstDue === reading) firstDue = undefined;
      });
    }
    return await firstDue;
  }

  function forgetFirstDue(): void {
    firstDue = undefined;
  }

  /** Applies what is due, up to so many edits. */
  async function applyDue(aheadMs: number, most: number): Promise<void> {
    let applied = 0;
    while (!closed && applied < most) {
      const count = await applyBatch(aheadMs, BATCH_EDITS);
      if (count === 0) return;
      applied += count;
      // Requests that arrived meanwhile.
      await new Promise(setImmediate);
    }
  }

  /**
   * Applies the first edits of one document.
   * @param together whether edits that change rows in the same way are applied together
   * @returns how many were dealt with
   */
  async function applyBatch(aheadMs: number, most: number, together = true): Promise<number> {
    const current: CurrentEdits = { at: 0, count: 0 };
    try {
      const { count, works } = await storage.transaction(
        (transaction) => applyFirst(transaction, { aheadMs, most, together, current }),
        {
          rowLocks: true,
        },
      );
      forgetFirstDue();
      for (const { docId, id, work } of works) startWork(docId, id, work);
      return count;
    } catch (error) {
      forgetFirstDue();
      const { docId, id, at } = current;
      // The database's own trouble passes; an edit that cannot be applied never will, and would
      // stop all others.
      if (docId === undefined || id === undefined || isDatabaseTrouble(error)) throw error;
      if (error instanceof IndexMissing) {
        await buildIndex(storage, error.table, error.index);
        return 1;
      }
      // Those before it are applied on their own.
      if (at > 0) return await applyBatch(aheadMs, at);
      // One of several is the reason, and the others can be applied.
      if (current.count > 1) return await applyBatch(aheadMs, most, false);
      await storage.transaction(
        async (transaction) => {
          await finish(transaction, docId, [id], "The edit could not be applied.", clock.now());
          await updateHead(transaction, docId);
        },
        { rowLocks: true },
      );
      return 1;
    }
  }

  async function applyFirst(
    transaction: Transaction<ServiceSchema>,
    {
      aheadMs,
      most,
      together,
      current,
    }: { aheadMs: number; most: number; together: boolean; current: CurrentEdits },
  ): Promise<{ count: number; works: { docId: string; id: string; work: OutsideWork }[] }> {
    const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
    const docId = await takeDueDoc(transaction, dueMs, storage.engine === "postgres");
    if (docId === undefined) return { count: 0, works: [] };
    current.docId = docId;
    const batch = beginBatch(transaction, docId);
    const works: { docId: string; id: string; work: OutsideWork }[] = [];
    const done = new Map<string | undefined, string[]>();
    const begunAt = performance.now();
    // Read once the document is ours: what is applied later is not older.
    const nowMs = clock.now();
    let count = 0;
    const due = dueOf(await firstPending(transaction, docId, most), dueMs);
    for (const run of together ? runsOf(due) : eachAlone(due)) {
      if (count > 0 && performance.now() - begunAt > batchMs) break;
      Object.assign(current, { id: run[0]?.id, at: count, count: run.length });
      const outcomes = await batch.apply(run.map(({ userId, edit }) => ({ userId, edit, nowMs })));
      for (const [at, { warning, work }] of outcomes.entries()) {
        const id = run[at]?.id ?? "";
        if (work !== undefined) {
          await beginWork(transaction, docId, id, work, nowMs);
          works.push({ docId, id, work });
        } else if (done.get(warning)?.push(id) === undefined) done.set(warning, [id]);
      }
      count += run.length;
    }
    await batch.finish();
    for (const [warning, ids] of done) {
      await finish(transaction, docId, ids, warning, nowMs);
      for (const id of ids) debugApplied(docId, id, warning);
    }
    await updateHead(transaction, docId);
    // Another instance took the edits between the look and the lock, or the head was out of date.
    return { count: Math.max(1, count), works };
  }

  async function finish(
    to: Kysely<ServiceSchema>,
    docId: string,
    ids: readonly string[],
    warning: string | undefined,
    nowMs: number,
  ): Promise<void> {
    for (const part of partsOf(ids)) {
      const outcome = outcomeOf(settings, warning, nowMs);
      await to
        .updateTable("mutations")
        .set(outcome)
        .where("doc_id", "=", docId)
        .where("id", "in", part)
        .execute();
    }
  }

  function startWork(docId: string, id: string, work: OutsideWork): void {
    const done = performWork(work, actions, db)
      .then((warning) => (closed ? undefined : finish(db, docId, [id], warning, clock.now())))
      .catch(() => {})
      .finally(() => working.delete(id));
    working.set(id, done);
  }

  /** Work of a process that ended in the middle is not done a second time. */
  async function giveUpAbandonedWork(): Promise<void> {
    const nowMs = clock.now();
    let abandoned = db
      .updateTable("mutations")
      .set({
        state: "done",
        completed_at_ms: nowMs,
        edit: "{}",
        warning: "The service ended before the action was known to have run.",
      })
      .where("state", "=", "running")
      .where("due_at_ms", "<=", nowMs - ABANDONED_MS);
    if (working.size > 0) abandoned = abandoned.where("id", "not in", [...working.keys()]);
    await abandoned.execute();
  }

  /** Changes when edits of a document are due, and with them its head. */
  async function changePending(
    docId: string,
    change: (transaction: Transaction<ServiceSchema>) => { execute(): Promise<unknown> },
  ): Promise<void> {
    await storage.transaction(
      async (transaction) => {
        if (storage.engine === "postgres") await lockDoc(transaction, docId);
        await change(transaction).execute();
        await updateHead(transaction, docId);
        await storage.signals?.send(transaction as never);
      },
      { rowLocks: true },
    );
    forgetFirstDue();
  }

  const watch = () => {
    forgetFirstDue();
    watches++;
    timer ??= setInterval(
      () => void look().catch(() => {}),
      PUMP_INTERVAL_MS[storage.engine],
    ).unref();
  };
  // Where others write, the look-out goes on: what an instance accepted that is gone is applied,
  // too.
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await lookOnce();
    } finally {
      isLooking = false;
    }
  }
  async function lookOnce(): Promise<void> {
    const before = watches;
    while (!closed && (await isDue(0))) await pump();
    if (!isAlone && looks++ % LOOKS_PER_CHECK === 0) {
      // A signal can be lost together with the process that should have sent it.
      forgetFirstDue();
      await giveUpAbandonedWork();
    }
    if (!isAlone || (await readFirstDue()) !== undefined || watches !== before) return;
    clearInterval(timer);
    timer = undefined;
  }
  if (!isAlone) watch();

  return {
    pump,
    isDue: () => isDue(),
    reload: watch,
    async accept(docId, userId, edit, before) {
      const id = newId();
      const accepted = { id, docId, userId, edit, before };
      const isDirect = edit.kind === "insert" || edit.kind === "update" || edit.kind === "delete";
      let waits: boolean;
      try {
        waits = await acceptEdit(options, accepted, isDirect);
      } catch (error) {
        if (!isDirect || isDatabaseTrouble(error)) throw error;
        // It is accepted although it cannot be applied; the queue reports that.
        waits = await acceptEdit(options, accepted, false);
      }
      if (waits) watch();
      return id;
    },
    async hasPending(docId) {
      const pending = await db
        .selectFrom("mutations")
        .select("id")
        .where("doc_id", "=", docId)
        .where("state", "in", ["pending", "running"])
        .limit(1)
        .execute();
      return pending.length > 0;
    },
    async statusOf(requestId, userId) {
      const read = () =>
        db
          .selectFrom("mutations")
          .selectAll()
          .where("id", "=", requestId)
          .where("user_id", "=", userId)
          .executeTakeFirst();
      let entry = await read();
      if (entry?.state === "pending" && entry.polls_left !== null && !settings.isHeld) {
        const left = entry.polls_left - 1;
        const { doc_id: docId } = entry;
        await changePending(docId, (transaction) =>
          transaction
            .updateTable("mutations")
            .set({
              polls_left: Math.max(0, left),
              ...(left <= 0 ? { due_at_ms: clock.now() } : {}),
            })
            .where("doc_id", "=", docId)
            .where("id", "=", requestId),
        );
        await pump();
        entry = await read();
      }
      if (entry === undefined) return undefined;
      const { state, completed_at_ms: completedAtMs, due_at_ms: dueAtMs, warning } = entry;
      if (state === "done" && completedAtMs !== null && clock.now() - completedAtMs > KEPT_MS)
        return undefined;
      // With a lag the edit is said to be completed before the snapshot that reads see has it.
      const isLagging =
        state === "pending" &&
        settings.snapshotLagMs > 0 &&
        clock.now() >= dueAtMs - settings.snapshotLagMs;
      return { completed: state === "done" || isLagging, ...(warning === null ? {} : { warning }) };
    },
    async complete(requestId) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await changePending(entry.doc_id, (transaction) =>
        transaction
          .updateTable("mutations")
          .set({ due_at_ms: 0, polls_left: null })
          .where("doc_id", "=", entry.doc_id)
          .where("state", "=", "pending")
          .where("position", "<=", entry.position),
      );
      watch();
      await pump();
      await working.get(requestId);
      return true;
    },
    async fail(requestId, warning) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await changePending(entry.doc_id, (transaction) =>
        transaction
          .updateTable("mutations")
          .set({ state: "done", completed_at_ms: clock.now(), warning, edit: "{}" })
          .where("doc_id", "=", entry.doc_id)
          .where("id", "=", requestId),
      );
      return true;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      stopListening?.();
      clearInterval(timer);
      await last;
    },
  };
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
