import type { Transaction } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import type { ServiceClock } from "../clock.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import { giveWay } from "../store/give-way.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { takeHead } from "../store/take-head.ts";
import { beginBatch } from "./apply-edit.ts";
import type { Edit } from "./edit.ts";
import { type EditSettings, NEVER_MS, parseDelay } from "./edit-settings.ts";
import { chooseOutcome, debugApplied, type EditOutcome } from "./finish-edits.ts";
import { lastDueMs, MAX_BATCH_CHARACTERS } from "./pending-edits.ts";
import { isRowEdit } from "./plan-rows.ts";

export interface EditToAccept {
  id: string;
  docId: string;
  userId: string;
  edit: Edit;
  /** Runs first, in the same transaction. */
  before: ((transaction: Transaction<ServiceSchema>) => Promise<void>) | undefined;
}

/** What it takes to accept an edit. */
export interface Acceptance {
  storage: Storage<ServiceSchema>;
  indexes: ColumnIndexes;
  clock: ServiceClock;
  settings: EditSettings;
  random(): number;
}

/**
 * Puts an edit behind those of its document. With `isDirect`, an edit that is due at once and has
 * none before it is applied in
 * the same transaction, without a detour through the queue.
 * @returns whether it waits
 */
export async function acceptEdit(
  { storage, indexes, clock, settings, random }: Acceptance,
  { id, docId, userId, edit, before }: EditToAccept,
  isDirect: boolean,
): Promise<boolean> {
  const text = JSON.stringify(edit);
  const size = measureSize(edit, text);
  if (text.length > MAX_BATCH_CHARACTERS) await giveWay();
  return await storage.transaction(
    async (transaction) => {
      await before?.(transaction);
      const nowMs = clock.now();
      const isFirst = (await takeHead(transaction, docId, storage.engine)) === null;
      const last = isFirst ? undefined : await lastDueMs(transaction, docId);
      const { delayMs, polls } = parseDelay(settings.latency, random);
      const dueAtMs = settings.isHeld
        ? NEVER_MS
        : Math.min(NEVER_MS, nowMs + delayMs + settings.snapshotLagMs);
      const isApplied = isDirect && isFirst && dueAtMs <= nowMs && size <= MAX_BATCH_CHARACTERS;
      let outcome: EditOutcome = {
        state: "pending",
        completed_at_ms: null,
        warning: null,
        edit: text,
      };
      if (isApplied) {
        const batch = beginBatch(transaction, { engine: storage.engine, indexes }, docId);
        const [applied] = await batch.apply([{ userId, edit, nowMs }]);
        await batch.finish();
        debugApplied(docId, id, applied?.warning);
        outcome = chooseOutcome(settings, applied?.warning, nowMs);
      }
      const waitsUntilMs = Math.max(dueAtMs, last ?? 0);
      await transaction
        .insertInto("mutations")
        .values({
          id,
          doc_id: docId,
          user_id: userId,
          size,
          accepted_at_ms: nowMs,
          due_at_ms: waitsUntilMs,
          polls_left: polls ?? null,
          ...outcome,
        })
        .execute();
      if (!isApplied && isFirst) {
        await transaction
          .updateTable("docs")
          .set({ next_due_ms: waitsUntilMs })
          .where("id", "=", docId)
          .execute();
        // TypeScript 5.9 does not see that the types of the two databases agree.
        await storage.signals?.send(transaction as never);
      }
      return !isApplied;
    },
    { rowLocks: true },
  );
}

/** Only edits of rows are applied in slices. */
function measureSize(edit: Edit, text: string): number {
  return isRowEdit(edit) ? text.length : Math.min(text.length, MAX_BATCH_CHARACTERS);
}
