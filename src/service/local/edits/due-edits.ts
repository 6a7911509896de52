import { applyBatch } from "./apply-batch.ts";
import type { BatchOptions } from "./batch.ts";
import type { DueTimes } from "./due-times.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { listDueDocs } from "./pending-edits.ts";
import { createRounds } from "./rounds.ts";

/** Applies edits that are due, those of one document in order. Documents do not wait for each other. */
export interface DueEdits {
  /** Applies what is due of one document, for as long as a request can wait for it. */
  applyTo(docId: string, patienceMs?: number): Promise<void>;
  /** Applies every edit that is due now or in so many milliseconds. */
  applyAll(aheadMs: number): Promise<void>;
  /** Begins to apply what is due of every document that is not worked on. */
  begin(): Promise<void>;
  /** Whether edits of a document are being applied. */
  isBusy(docId: string): boolean;
  /** How often edits of any document were applied. */
  countBatches(): number;
  /** Waits for what was begun. */
  idle(): Promise<void>;
}

export interface DueEditsOptions extends BatchOptions {
  due: DueTimes;
}

/** How many edits of one document are applied in one transaction. */
const BATCH_EDITS = 200;
/** After so many edits a request goes on, although more are due. */
const ROUND_EDITS = 200;
/** How long a request waits for a large edit of its document, in milliseconds. */
const PATIENCE_MS = 20_000;
/** After a transaction of so many milliseconds other processes have had no reason to wait. */
const SHORT_MS = 5;
/** Documents whose edits are applied at the same time. */
const DOCS_AT_ONCE = 20;

export function createDueEdits(options: DueEditsOptions): DueEdits {
  const { storage, clock, due, isClosed } = options;
  const rounds = createRounds();
  let batches = 0;
  const endBatch = () => {
    batches++;
    due.forget();
  };

  /** Applies what is due of one document, up to so many edits. */
  async function applyRound(docId: string, aheadMs: number): Promise<void> {
    for (let applied = 0; !isClosed() && applied < ROUND_EDITS; ) {
      const begunAt = performance.now();
      const count = await applyBatch(options, { docId, aheadMs, most: BATCH_EDITS }).finally(
        endBatch,
      );
      if (count === 0) return;
      applied += count;
      if (performance.now() - begunAt < SHORT_MS) await new Promise(setImmediate);
      else await storage.letOthersWrite();
    }
  }

  return {
    // What is left goes on in the background.
    applyTo: (docId, patienceMs = PATIENCE_MS) =>
      waitAtMost(
        rounds.share(docId, () => applyRound(docId, 0)),
        patienceMs,
      ),
    async applyAll(aheadMs) {
      while (!isClosed()) {
        const dueMs = Math.min(NEVER_MS, clock.now() + aheadMs);
        const docs = await listDueDocs(storage.db, dueMs, DOCS_AT_ONCE);
        if (docs.length === 0) return;
        // They take turns.
        await Promise.all(
          docs.map((docId) => rounds.inTurn(docId, () => applyRound(docId, aheadMs))),
        );
      }
    },
    async begin() {
      const busy = rounds.listBusy();
      const docs = await listDueDocs(storage.db, clock.now(), DOCS_AT_ONCE + busy.length);
      const free = docs.filter((docId) => !busy.includes(docId));
      // What does not succeed now is done next time.
      for (const docId of free.slice(0, Math.max(0, DOCS_AT_ONCE - busy.length)))
        rounds.inTurn(docId, () => applyRound(docId, 0)).catch(() => {});
    },
    isBusy: (docId) => rounds.listBusy().includes(docId),
    countBatches: () => batches,
    idle: rounds.idle,
  };
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
