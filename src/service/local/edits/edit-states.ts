import type { Transaction, Updateable } from "kysely";
import type { MutationStatus } from "../../contract/models/responses.ts";
import { KEPT_MS } from "../store/purge.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { takeHead } from "../store/take-head.ts";
import type { BatchOptions } from "./batch.ts";
import type { DueTimes } from "./due-times.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { findPending, updateHead } from "./pending-edits.ts";
import { abandonSlices } from "./undo-slices.ts";

/** Without the edit itself, which can be long and is not read for each poll. */
const STATUS_COLUMNS = [
  "doc_id",
  "state",
  "due_at_ms",
  "completed_at_ms",
  "warning",
  "polls_left",
] as const;
type EditStatus = Pick<ServiceSchema["mutations"], (typeof STATUS_COLUMNS)[number]>;

/** The states of edits, and what changes them from outside of the queue. */
export interface EditStates {
  /** Whether an edit of a document is not completed. */
  hasPending(docId: string): Promise<boolean>;
  /** One poll of an edit that waits for some. */
  countPoll(docId: string, requestId: string, left: number): Promise<void>;
  /** The state of an edit for its user. */
  read(requestId: string, userId: string): Promise<EditStatus | undefined>;
  /** The state as it is answered; undefined when it is too old. */
  describe(status: EditStatus): MutationStatus | undefined;
  /**
   * Makes an edit and those before it due. @returns its document; undefined when it is not pending
   */
  makeDue(requestId: string): Promise<string | undefined>;
  /** Makes all edits due that were held. */
  release(): Promise<void>;
  /** Completes an edit with a warning instead of applying it. @returns whether it was pending */
  fail(requestId: string, warning: string): Promise<boolean>;
}

export function createEditStates(
  { storage, clock, settings }: Pick<BatchOptions, "storage" | "clock" | "settings">,
  due: DueTimes,
): EditStates {
  const { db } = storage;

  /** Changes edits of a document that wait, and with them its head. */
  async function changePending(
    docId: string,
    change: (transaction: Transaction<ServiceSchema>) => Promise<unknown>,
  ): Promise<void> {
    await storage.transaction(
      async (transaction) => {
        await takeHead(transaction, docId, storage.engine);
        await change(transaction);
        await updateHead(transaction, docId);
        // TypeScript 5.9 does not see that the types of the two databases agree.
        await storage.signals?.send(transaction as never);
      },
      { rowLocks: true },
    );
    due.forget();
  }

  const updateOne = (
    transaction: Transaction<ServiceSchema>,
    docId: string,
    requestId: string,
    values: Updateable<ServiceSchema["mutations"]>,
  ) =>
    transaction
      .updateTable("mutations")
      .set(values)
      .where("doc_id", "=", docId)
      .where("id", "=", requestId)
      .execute();

  /** Edits that wait for no poll and no time, in their order behind others. */
  const releaseIn = (transaction: Transaction<ServiceSchema>, docId: string) =>
    transaction
      .updateTable("mutations")
      .set({ due_at_ms: clock.now() })
      .where("doc_id", "=", docId)
      .where("state", "=", "pending")
      .where("due_at_ms", "=", NEVER_MS)
      .where("polls_left", "is", null)
      .execute();

  return {
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
    countPoll: (docId, requestId, left) =>
      changePending(docId, async (transaction) => {
        await updateOne(transaction, docId, requestId, {
          polls_left: Math.max(0, left),
          ...(left <= 0 ? { due_at_ms: clock.now() } : {}),
        });
        // They were behind it.
        if (left <= 0) await releaseIn(transaction, docId);
      }),
    read: (requestId, userId) =>
      db
        .selectFrom("mutations")
        .select(STATUS_COLUMNS)
        .where("id", "=", requestId)
        .where("user_id", "=", userId)
        .executeTakeFirst(),
    describe({ state, completed_at_ms: completedAtMs, due_at_ms: dueAtMs, warning }) {
      if (state === "done" && completedAtMs !== null && clock.now() - completedAtMs > KEPT_MS)
        return undefined;
      // With a lag the edit is said to be completed before the snapshot that reads see has it.
      const isLagging =
        state === "pending" &&
        settings.snapshotLagMs > 0 &&
        clock.now() >= dueAtMs - settings.snapshotLagMs;
      return { completed: state === "done" || isLagging, ...(warning === null ? {} : { warning }) };
    },
    async makeDue(requestId) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return undefined;
      await changePending(entry.doc_id, (transaction) =>
        transaction
          .updateTable("mutations")
          .set({ due_at_ms: 0, polls_left: null })
          .where("doc_id", "=", entry.doc_id)
          .where("state", "=", "pending")
          .where("position", "<=", entry.position)
          .execute(),
      );
      return entry.doc_id;
    },
    async release() {
      const held = await db
        .selectFrom("mutations")
        .select("doc_id")
        .distinct()
        .where("state", "=", "pending")
        .where("due_at_ms", "=", NEVER_MS)
        .where("polls_left", "is", null)
        .execute();
      for (const { doc_id: docId } of held)
        await changePending(docId, (transaction) => releaseIn(transaction, docId));
    },
    async fail(requestId, warning) {
      const entry = await findPending(db, requestId);
      if (entry === undefined) return false;
      await changePending(entry.doc_id, async (transaction) => {
        await abandonSlices(transaction, entry.doc_id, requestId);
        const completed = { state: "done", completed_at_ms: clock.now(), edit: "{}" } as const;
        await updateOne(transaction, entry.doc_id, requestId, { ...completed, warning });
      });
      return true;
    },
  };
}
