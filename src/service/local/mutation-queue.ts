import type { Storage } from "../../storage/database.ts";
import { applyEdit } from "./apply-edit.ts";
import type { ServiceClock } from "./clock.ts";
import type { Edit } from "./edit.ts";
import type { ServiceSchema } from "./schema.ts";

export interface MutationQueueOptions {
  storage: Storage<ServiceSchema>;
  clock: ServiceClock;
  delayMs: number;
  newId(): string;
}

/** Accepted edits. One becomes due by the clock of the service, and those of one document apply in their order (decision 48). */
export interface MutationQueue extends AsyncDisposable {
  /** @returns the request id by which the edit can be followed */
  accept(docId: string, userId: string, edit: Edit): Promise<string>;
  /** Applies every edit that is due, and with `all` every other one too. */
  pump(options?: { all?: boolean | undefined }): Promise<void>;
  hasPending(docId: string): Promise<boolean>;
}

/** How often due edits are looked for while there are pending ones, in real milliseconds. */
const PUMP_INTERVAL_MS = 10;

export function createMutationQueue({ storage, clock, delayMs, newId }: MutationQueueOptions): MutationQueue {
  const { db } = storage;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  // Pending edits may wait in a database file from an earlier run.
  let mayHavePending = true;
  let closed = false;
  // An edit whose application failed for an unknown reason; the next round completes it, so that the queue goes on.
  const unusable = new Set<string>();

  const pump: MutationQueue["pump"] = ({ all = false } = {}) => {
    if (!mayHavePending) return running;
    const pumped = running.then(() => applyDue(all));
    running = pumped.catch(() => {});
    return pumped;
  };

  async function applyDue(all: boolean): Promise<void> {
    while (!closed) {
      const nowMs = clock.now();
      const next = await storage.transaction(async (transaction) => {
        let query = transaction.selectFrom("mutations").selectAll().where("completed_at_ms", "is", null).orderBy("position").limit(1);
        if (!all) query = query.where("due_at_ms", "<=", nowMs);
        const mutation = await query.executeTakeFirst();
        if (mutation === undefined) return undefined;
        const warning = unusable.has(mutation.id)
          ? "The edit could not be applied."
          : await applyEdit(transaction, mutation.doc_id, JSON.parse(mutation.edit), nowMs).catch((error: unknown) => {
              unusable.add(mutation.id);
              throw error;
            });
        await transaction
          .updateTable("mutations")
          .set({ completed_at_ms: nowMs, warning: warning ?? null, edit: "{}" })
          .where("position", "=", mutation.position)
          .execute();
        return mutation;
      });
      if (next === undefined) break;
      unusable.delete(next.id);
    }
    if (closed) return;
    const pending = await db.selectFrom("mutations").select("position").where("completed_at_ms", "is", null).limit(1).execute();
    mayHavePending = pending.length > 0;
    if (!mayHavePending) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    pump,
    async accept(docId, userId, edit) {
      const id = newId();
      const nowMs = clock.now();
      await storage.transaction(async (transaction) => {
        const { last } = await transaction
          .selectFrom("mutations")
          .where("doc_id", "=", docId)
          .where("completed_at_ms", "is", null)
          .select(transaction.fn.max("due_at_ms").as("last"))
          .executeTakeFirstOrThrow();
        await transaction
          .insertInto("mutations")
          .values({
            id,
            doc_id: docId,
            user_id: userId,
            edit: JSON.stringify(edit),
            accepted_at_ms: nowMs,
            due_at_ms: Math.max(nowMs + delayMs, last ?? 0),
            completed_at_ms: null,
            warning: null,
          } as never)
          .execute();
      });
      mayHavePending = true;
      timer ??= setInterval(() => void pump().catch(() => {}), PUMP_INTERVAL_MS).unref();
      return id;
    },
    async hasPending(docId) {
      const pending = await db
        .selectFrom("mutations")
        .select("position")
        .where("doc_id", "=", docId)
        .where("completed_at_ms", "is", null)
        .limit(1)
        .execute();
      return pending.length > 0;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
