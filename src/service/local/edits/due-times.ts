import type { Storage } from "../../../storage/storage.ts";
import type { ServiceClock } from "../clock.ts";
import type { ReadCache } from "../store/read-cache.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { findDueMs, firstDueMs } from "./pending-edits.ts";

/** When edits are due. */
export interface DueTimes {
  /** Whether one is due now or in so many milliseconds, of one document or of any. */
  isDue(options?: { docId?: string | undefined; aheadMs?: number | undefined }): Promise<boolean>;
  /** Whether any edit waits. */
  isAnyPending(): Promise<boolean>;
  /** After a change: the next question reads the database. */
  forget(): void;
}

export interface DueTimesOptions {
  storage: Storage<ServiceSchema>;
  cache: ReadCache;
  clock: ServiceClock;
}

export function createDueTimes({ storage, cache, clock }: DueTimesOptions): DueTimes {
  const { db, signals } = storage;
  let first: Promise<number | undefined> | undefined;

  /** On a server it is kept until a signal says that there may be an earlier one. */
  async function readFirst(): Promise<number | undefined> {
    if (signals === undefined)
      return await cache.read("first due", "service", () => firstDueMs(db));
    if (first === undefined || !signals.isListening) {
      const reading = firstDueMs(db);
      first = reading;
      reading.catch(() => {
        if (first === reading) first = undefined;
      });
    }
    return await first;
  }

  const isReached = (dueMs: number | undefined, aheadMs: number) =>
    (dueMs ?? Number.POSITIVE_INFINITY) <= clock.now() + aheadMs;

  return {
    async isDue({ docId, aheadMs = 0 } = {}) {
      if (!isReached(await readFirst(), aheadMs)) return false;
      if (docId === undefined) return true;
      return isReached(
        await cache.read(`due ${docId}`, "service", () => findDueMs(db, docId)),
        aheadMs,
      );
    },
    isAnyPending: async () => (await readFirst()) !== undefined,
    forget() {
      first = undefined;
    },
  };
}
