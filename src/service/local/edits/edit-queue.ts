import { isDatabaseTrouble } from "../../../storage/storage.ts";
import type { MutationStatus } from "../../contract/models/responses.ts";
import type { ReadCache } from "../store/read-cache.ts";
import { type Acceptance, acceptEdit, type EditToAccept } from "./accept-edit.ts";
import { createDueEdits } from "./due-edits.ts";
import { createDueTimes } from "./due-times.ts";
import type { ActionRunner, Edit } from "./edit.ts";
import { NEVER_MS } from "./edit-settings.ts";
import { createEditStates } from "./edit-states.ts";
import { createLook } from "./look.ts";
import { createLookout } from "./lookout.ts";
import { createRunningWork } from "./outside-work.ts";
import { isRowEdit } from "./plan-rows.ts";

export interface EditQueueOptions extends Acceptance {
  cache: ReadCache;
  actions: ActionRunner | undefined;
  /** How long a slice of a large edit is, in milliseconds. @default as the engine needs */
  sliceMs?: number | undefined;
  /** No other process uses the database. */
  isAlone: boolean;
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
  /**
   * @returns whether edits were applied since, or are being applied to the document: what was read
   * before is old then
   */
  watchChanges(docId: string | undefined): () => boolean;
  /** Whether an edit is due now, so that requests of its document apply it first. */
  isDue(docId?: string): Promise<boolean>;
  hasPending(docId: string): Promise<boolean>;
  /** The state as its user may see it; undefined when it is unknown or too old. */
  findStatus(requestId: string, userId: string): Promise<MutationStatus | undefined>;
  /**
   * Completes an edit and those of its document that came before. @returns whether it was pending
   */
  complete(requestId: string): Promise<boolean>;
  /** Makes all edits due that were held. */
  release(): Promise<void>;
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
/** How long the question waits whether an edit is applied. */
const STATUS_PATIENCE_MS = 1_000;
/**
 * How often there is a look while no edit waits, for those that another process accepted; a server
 * sends a signal for them, which can be lost.
 */
const IDLE_MS = { sqlite: 100, postgres: 1_000 };

export function createEditQueue(options: EditQueueOptions): EditQueue {
  const { storage, settings } = options;
  const due = createDueTimes(options);
  const work = createRunningWork(options);
  let closed = false;
  const dueEdits = createDueEdits({
    ...options,
    due,
    startWork: work.start,
    isClosed: () => closed,
  });
  const states = createEditStates(options, due);
  const { look, onSignal } = createLook({ ...options, due, work, beginDue: dueEdits.begin });
  const lookout = createLookout({
    intervalMs: PUMP_INTERVAL_MS[storage.engine],
    // What an instance accepted that is gone is applied, too.
    idleMs: options.isAlone ? undefined : IDLE_MS[storage.engine],
    look,
    isNeeded: due.isAnyPending,
  });
  const watch = () => {
    due.forget();
    lookout.watch();
  };
  const stopListening = storage.signals?.listen(() => {
    onSignal();
    lookout.lookNow();
  });

  const pump: EditQueue["pump"] = async (options = {}) => {
    const { docId, all = false, aheadMs = 0, patienceMs } = options;
    if (!all && !(await due.isDue({ docId, aheadMs }))) return;
    // A request does not wait for a long queue.
    if (docId !== undefined) await dueEdits.applyTo(docId, patienceMs);
    else await dueEdits.applyAll(all ? NEVER_MS : aheadMs);
    if (all) await work.wait();
  };

  return {
    pump,
    watchChanges(docId) {
      const before = dueEdits.countBatches();
      return () =>
        dueEdits.countBatches() !== before || (docId !== undefined && dueEdits.isBusy(docId));
    },
    isDue: (docId) => due.isDue({ docId }),
    reload: watch,
    hasPending: states.hasPending,
    async accept(docId, userId, edit, before) {
      const id = options.newId();
      if (await acceptPatiently(options, { id, docId, userId, edit, before })) watch();
      return id;
    },
    async findStatus(requestId, userId) {
      let entry = await states.read(requestId, userId);
      if (entry?.state === "pending") {
        const { doc_id: docId, polls_left: pollsLeft } = entry;
        if (pollsLeft !== null && !settings.isHeld)
          await states.countPoll(docId, requestId, pollsLeft - 1);
        await pump({ docId, patienceMs: STATUS_PATIENCE_MS });
        entry = await states.read(requestId, userId);
      }
      return entry === undefined ? undefined : states.describe(entry);
    },
    async complete(requestId) {
      const docId = await states.makeDue(requestId);
      if (docId === undefined) return false;
      watch();
      await pump({ docId });
      await work.wait(requestId);
      return true;
    },
    async release() {
      await states.release();
      watch();
    },
    async fail(requestId, warning) {
      const wasPending = await states.fail(requestId, warning);
      // What is written of it has to be taken back.
      if (wasPending) watch();
      return wasPending;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      stopListening?.();
      lookout.close();
      work.close();
      await dueEdits.idle();
    },
  };
}

/** Accepts an edit, also one that cannot be applied. @returns whether it waits */
async function acceptPatiently(options: EditQueueOptions, edit: EditToAccept): Promise<boolean> {
  const isDirect = isRowEdit(edit.edit);
  try {
    return await acceptEdit(options, edit, isDirect);
  } catch (error) {
    if (!isDirect || isDatabaseTrouble(error)) throw error;
    // The queue applies it in slices, or reports that it cannot be applied.
    return await acceptEdit(options, edit, false);
  }
}
