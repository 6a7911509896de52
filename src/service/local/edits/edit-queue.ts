import type { Kysely } from "kysely";
import { isDatabaseTrouble, type Storage } from "../../../storage/storage.ts";
import type { MutationStatus } from "../../contract/models/responses.ts";
import type { ServiceClock } from "../clock.ts";
import type { ReadCache } from "../store/read-cache.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { acceptEdit, type EditToAccept, outcomeOf } from "./accept-edit.ts";
import { applyEdit } from "./apply-edit.ts";
import type { ActionRunner, Edit, OutsideWork } from "./edit.ts";
import { type EditSettings, NEVER_MS } from "./edit-settings.ts";
import { performWork } from "./outside-work.ts";
import { beginWork, findPending, takeNext } from "./pending-edits.ts";

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

/** Accepted edits. One becomes due by the clock of the service, and those of one document are applied in order. */
export interface EditQueue extends AsyncDisposable {
  /**
   * @param before runs in the same transaction, before the edit is accepted
   * @returns the request id by which the edit can be followed
   */
  accept(docId: string, userId: string, edit: Edit, before?: EditToAccept["before"]): Promise<string>;
  /** Applies every edit that is due, now or in so many milliseconds, and with `all` every other one too. */
  pump(options?: { all?: boolean | undefined; aheadMs?: number | undefined }): Promise<void>;
  hasPending(docId: string): Promise<boolean>;
  /** The state as its user may see it; undefined when it is unknown or too old. */
  statusOf(requestId: string, userId: string): Promise<MutationStatus | undefined>;
  /** Completes an edit and those of its document that came before. @returns whether it was pending */
  complete(requestId: string): Promise<boolean>;
  /** Completes an edit with a warning instead of applying it. @returns whether it was pending */
  fail(requestId: string, warning: string): Promise<boolean>;
  /** After the state was replaced. */
  reload(): void;
}

/** How often due edits are looked for while there are pending ones, in real milliseconds; on a server each look is a query. */
const PUMP_INTERVAL_MS = { sqlite: 10, postgres: 50 };
/** How long the state of a completed edit can be read. */
const KEPT_MS = 24 * 60 * 60_000;
/** After this another instance that ran an action is taken to be gone. */
const ABANDONED_MS = 60_000;
/** How many looks for due edits there are for one at such work. */
const LOOKS_PER_CHECK = 100;

export function createEditQueue(options: EditQueueOptions): EditQueue {
  const { storage, cache, clock, settings, actions, isAlone, newId } = options;
  const { db } = storage;
  let last: Promise<void> = Promise.resolve();
  /** A round that has not begun yet: those who ask meanwhile share it. */
  let upcoming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watches = 0;
  let looks = 0;
  let closed = false;
  const working = new Map<string, Promise<void>>();

  const pump: EditQueue["pump"] = async ({ all = false, aheadMs = 0 } = {}) => {
    if (!all && ((await firstDueMs()) ?? Number.POSITIVE_INFINITY) > clock.now() + aheadMs) return;
    if (all || aheadMs > 0) {
      const round = last.then(() => applyDue(all ? NEVER_MS : aheadMs));
      last = round.catch(() => {});
      await round;
    } else {
      if (upcoming === undefined) {
        upcoming = last.then(() => {
          upcoming = undefined;
          return applyDue(0);
        });
        last = upcoming.catch(() => {});
      }
      await upcoming;
    }
    if (all) await Promise.all(working.values());
  };

  /** When the next pending edit is due; undefined when there is none. */
  function firstDueMs(): Promise<number | undefined> {
    return cache.read("first due", async () => {
      const { due } = await db
        .selectFrom("mutations")
        .where("state", "=", "pending")
        .select(db.fn.min("due_at_ms").as("due"))
        .executeTakeFirstOrThrow();
      return due ?? undefined;
    });
  }

  async function applyDue(aheadMs: number): Promise<void> {
    while (!closed && (await applyNext(aheadMs)));
  }

  /** Applies one edit. @returns false when none is due */
  async function applyNext(aheadMs: number): Promise<boolean> {
    let current: string | undefined;
    try {
      const next = await storage.transaction(
        async (transaction) => {
          const entry = await takeNext(transaction, Math.min(NEVER_MS, clock.now() + aheadMs), storage.engine === "postgres");
          if (entry === undefined || entry === "again") return entry;
          // Read once the document is ours: what is applied later is not older.
          const nowMs = clock.now();
          current = entry.id;
          const { doc_id: docId, user_id: userId } = entry;
          const { warning, work } = await applyEdit(transaction, { docId, userId, edit: JSON.parse(entry.edit), nowMs });
          if (work !== undefined) await beginWork(transaction, entry.id, work, nowMs);
          else await finish(transaction, entry.id, warning, nowMs);
          return { id: entry.id, work };
        },
        { rowLocks: true },
      );
      if (next === undefined || next === "again") return next === "again";
      if (next.work !== undefined) startWork(next.id, next.work);
    } catch (error) {
      // The database's own trouble passes; an edit that cannot be applied never will, and would stop all others.
      if (current === undefined || isDatabaseTrouble(error)) throw error;
      await finish(db, current, "The edit could not be applied.", clock.now());
    }
    return true;
  }

  async function finish(to: Kysely<ServiceSchema>, id: string, warning: string | undefined, nowMs: number): Promise<void> {
    await to
      .updateTable("mutations")
      .set(outcomeOf(settings, warning, nowMs))
      .where("id", "=", id)
      .execute();
  }

  function startWork(id: string, work: OutsideWork): void {
    const done = performWork(work, actions, db)
      .then((warning) => (closed ? undefined : finish(db, id, warning, clock.now())))
      .catch(() => {})
      .finally(() => working.delete(id));
    working.set(id, done);
  }

  /** Work of a process that ended in the middle is not done a second time. */
  async function giveUpAbandonedWork(): Promise<void> {
    const nowMs = clock.now();
    let abandoned = db
      .updateTable("mutations")
      .set({ state: "done", completed_at_ms: nowMs, edit: "{}", warning: "The service ended before the action was known to have run." })
      .where("state", "=", "running")
      .where("due_at_ms", "<=", nowMs - ABANDONED_MS);
    if (working.size > 0) abandoned = abandoned.where("id", "not in", [...working.keys()]);
    await abandoned.execute();
  }

  const watch = () => {
    watches++;
    timer ??= setInterval(() => void look().catch(() => {}), PUMP_INTERVAL_MS[storage.engine]).unref();
  };
  // Where others write, the look-out goes on: what an instance accepted that is gone is applied, too.
  async function look(): Promise<void> {
    const before = watches;
    await pump();
    if (!isAlone && looks++ % LOOKS_PER_CHECK === 0) await giveUpAbandonedWork();
    if (!isAlone || (await firstDueMs()) !== undefined || watches !== before) return;
    clearInterval(timer);
    timer = undefined;
  }
  if (!isAlone) watch();

  return {
    pump,
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
        db.selectFrom("mutations").selectAll().where("id", "=", requestId).where("user_id", "=", userId).executeTakeFirst();
      let entry = await read();
      if (entry?.state === "pending" && entry.polls_left !== null && !settings.isHeld) {
        const left = entry.polls_left - 1;
        await db
          .updateTable("mutations")
          .set({ polls_left: Math.max(0, left), ...(left <= 0 ? { due_at_ms: clock.now() } : {}) })
          .where("id", "=", requestId)
          .execute();
        await pump();
        entry = await read();
      }
      if (entry === undefined) return undefined;
      const { state, completed_at_ms: completedAtMs, due_at_ms: dueAtMs, warning } = entry;
      if (state === "done" && completedAtMs !== null && clock.now() - completedAtMs > KEPT_MS) return undefined;
      // With a lag the edit is said to be completed before the snapshot that reads see has it.
      const isLagging = state === "pending" && settings.snapshotLagMs > 0 && clock.now() >= dueAtMs - settings.snapshotLagMs;
      return { completed: state === "done" || isLagging, ...(warning === null ? {} : { warning }) };
    },
    async complete(requestId) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await db
        .updateTable("mutations")
        .set({ due_at_ms: 0, polls_left: null })
        .where("doc_id", "=", entry.doc_id)
        .where("state", "=", "pending")
        .where("position", "<=", entry.position)
        .execute();
      watch();
      await pump();
      await working.get(requestId);
      return true;
    },
    async fail(requestId, warning) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await db
        .updateTable("mutations")
        .set({ state: "done", completed_at_ms: clock.now(), warning, edit: "{}" })
        .where("id", "=", requestId)
        .execute();
      return true;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(timer);
      await last;
    },
  };
}
