import type { Transaction } from "kysely";
import { isDatabaseTrouble, type Storage } from "../../../storage/storage.ts";
import type { MutationStatus } from "../../contract/models/responses.ts";
import type { ServiceClock } from "../clock.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import { lockDoc } from "../store/lock-doc.ts";
import { KEPT_MS } from "../store/purge.ts";
import type { ReadCache } from "../store/read-cache.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { acceptEdit, type EditToAccept } from "./accept-edit.ts";
import { applyBatch } from "./apply-batch.ts";
import { undoSlices } from "./apply-slices.ts";
import { createDueTimes } from "./due-times.ts";
import type { ActionRunner, Edit } from "./edit.ts";
import { type EditSettings, NEVER_MS } from "./edit-settings.ts";
import { createLookout } from "./lookout.ts";
import { createRunningWork } from "./outside-work.ts";
import { findPending, listDueDocs, updateHead } from "./pending-edits.ts";
import { createRounds } from "./rounds.ts";

export interface EditQueueOptions {
  storage: Storage<ServiceSchema>;
  indexes: ColumnIndexes;
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
   * Applies what is due of one document, up to so many edits that a request can wait for it. Without
   * a document, applies every edit that is due, now or in so many milliseconds, and with `all` every
   * other one too.
   */
  pump(options?: {
    docId?: string | undefined;
    all?: boolean | undefined;
    aheadMs?: number | undefined;
    /** After so many milliseconds a request goes on, and sees the snapshot before. */
    patienceMs?: number | undefined;
  }): Promise<void>;
  /** Whether an edit is due now, so that requests of its document apply it first. */
  isDue(docId?: string): Promise<boolean>;
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
/** How many edits of one document are applied in one transaction. */
const BATCH_EDITS = 200;
/** After so many edits a request goes on, although more are due. */
const ROUND_EDITS = 200;
/** How long a request waits for a large edit of its document, in milliseconds. */
const PATIENCE_MS = 20_000;
/** How long the question waits whether it is applied. */
const STATUS_PATIENCE_MS = 1_000;
/** After a transaction of so many milliseconds other processes have had no reason to wait. */
const SHORT_MS = 5;
/** Documents whose edits are applied at the same time. */
const DOCS_AT_ONCE = 20;
/** How many looks for due edits there are for one at work of processes that are gone. */
const LOOKS_PER_CHECK = 100;
/** How many there are for one at actions that wait for a process that has their Pack. */
const LOOKS_PER_OFFER = { sqlite: 20, postgres: 4 };

export function createEditQueue(options: EditQueueOptions): EditQueue {
  const { storage, clock, settings, isAlone, newId } = options;
  const { db } = storage;
  const rounds = createRounds();
  const due = createDueTimes(options);
  const work = createRunningWork({ ...options, db });
  let closed = false;
  const applier = {
    ...options,
    startWork: work.start,
    isClosed: () => closed,
  };

  /** Applies what is due of one document, up to so many edits. */
  async function applyDue(docId: string, aheadMs: number, most: number): Promise<void> {
    for (let applied = 0; !closed && applied < most; ) {
      const begunAt = performance.now();
      const count = await applyBatch(applier, { docId, aheadMs, most: BATCH_EDITS }).finally(
        due.forget,
      );
      if (count === 0) return;
      applied += count;
      if (performance.now() - begunAt < SHORT_MS) await new Promise(setImmediate);
      else await storage.letOthersWrite();
    }
  }

  /** Applies what is due of every document. They take turns. */
  async function applyAll(aheadMs: number): Promise<void> {
    while (!closed) {
      const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
      const docs = await listDueDocs(db, dueMs, DOCS_AT_ONCE);
      if (docs.length === 0) return;
      await Promise.all(
        docs.map((docId) => rounds.inTurn(docId, () => applyDue(docId, aheadMs, ROUND_EDITS))),
      );
    }
  }

  /** Begins to apply what is due of every document that is not worked on. */
  async function beginDue(): Promise<void> {
    const busy = rounds.listBusy();
    const docs = await listDueDocs(db, clock.now(), DOCS_AT_ONCE + busy.length);
    const free = docs.filter((docId) => !busy.includes(docId));
    // What does not succeed now is done next time.
    for (const docId of free.slice(0, Math.max(0, DOCS_AT_ONCE - busy.length)))
      rounds.inTurn(docId, () => applyDue(docId, 0, ROUND_EDITS)).catch(() => {});
  }

  const pump: EditQueue["pump"] = async (options = {}) => {
    const { docId, all = false, aheadMs = 0, patienceMs = PATIENCE_MS } = options;
    if (!all && !(await due.isDue({ docId, aheadMs }))) return;
    // A request does not wait for a long queue. What is left goes on in the background.
    if (docId !== undefined)
      await waitAtMost(
        rounds.share(docId, () => applyDue(docId, 0, ROUND_EDITS)),
        patienceMs,
      );
    else await applyAll(all ? NEVER_MS : aheadMs);
    if (all) await work.wait();
  };

  /** Changes when edits of a document are due, and with them its head. */
  async function changePending(
    docId: string,
    change: (transaction: Transaction<ServiceSchema>) => Promise<unknown>,
  ): Promise<void> {
    await storage.transaction(
      async (transaction) => {
        if (storage.engine === "postgres") await lockDoc(transaction, docId);
        await change(transaction);
        await updateHead(transaction, docId);
        await storage.signals?.send(transaction as never);
      },
      { rowLocks: true },
    );
    due.forget();
  }

  /** One poll of an edit that waits for some. */
  async function countPoll(docId: string, requestId: string, left: number): Promise<void> {
    const change = {
      polls_left: Math.max(0, left),
      ...(left <= 0 ? { due_at_ms: clock.now() } : {}),
    };
    await changePending(docId, (transaction) =>
      transaction
        .updateTable("mutations")
        .set(change)
        .where("doc_id", "=", docId)
        .where("id", "=", requestId)
        .execute(),
    );
  }

  const lookout = createLookout({
    intervalMs: PUMP_INTERVAL_MS[storage.engine],
    // What an instance accepted that is gone is applied, too.
    isPermanent: !isAlone,
    async look(looks) {
      if (await due.isDue()) await beginDue();
      if (isAlone) return;
      if (looks % LOOKS_PER_OFFER[storage.engine] === 0) await work.takeOffered();
      if (looks % LOOKS_PER_CHECK !== 0) return;
      // A signal can be lost together with the process that should have sent it.
      due.forget();
      await work.giveUpAbandoned();
    },
    isNeeded: due.isAnyPending,
  });
  const watch = () => {
    due.forget();
    lookout.watch();
  };
  const stopListening = storage.signals?.listen(() => {
    due.forget();
    lookout.lookNow();
  });

  return {
    pump,
    isDue: (docId) => due.isDue({ docId }),
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
        .where("state", "in", ["pending", "running", "offered"])
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
      if (entry?.state === "pending") {
        const { doc_id: docId, polls_left: pollsLeft } = entry;
        if (pollsLeft !== null && !settings.isHeld)
          await countPoll(docId, requestId, pollsLeft - 1);
        await pump({ docId, patienceMs: STATUS_PATIENCE_MS });
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
          .where("position", "<=", entry.position)
          .execute(),
      );
      watch();
      await pump({ docId: entry.doc_id });
      await work.wait(requestId);
      return true;
    },
    async fail(requestId, warning) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await changePending(entry.doc_id, async (transaction) => {
        await undoSlices(transaction, entry.doc_id, requestId);
        await transaction
          .updateTable("mutations")
          .set({ state: "done", completed_at_ms: clock.now(), warning, edit: "{}" })
          .where("doc_id", "=", entry.doc_id)
          .where("id", "=", requestId)
          .execute();
      });
      return true;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      stopListening?.();
      lookout.close();
      work.close();
      await rounds.idle();
    },
  };
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
