import type { Kysely } from "kysely";
import type { ServiceClock } from "../clock.ts";
import { isLoopbackUrl } from "../loopback-url.ts";
import { readPublishedVersion } from "../registry/published-version.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { ActionRunner, OutsideWork } from "./edit.ts";
import type { EditSettings } from "./edit-settings.ts";
import { finishEdits } from "./finish-edits.ts";

const DELIVERY_TIMEOUT_MS = 5_000;
/** After this another instance that ran an action is taken to be gone. */
const ABANDONED_MS = 60_000;

/** Work of edits outside of the database. */
export interface RunningWork {
  start(docId: string, id: string, work: OutsideWork): void;
  /** Waits for the work of one edit, or of all. */
  wait(id?: string): Promise<void>;
  /** Work of a process that ended in the middle is not done a second time. */
  giveUpAbandoned(): Promise<void>;
  /** What ends later is not stored any more. */
  close(): void;
}

export interface RunningWorkOptions {
  db: Kysely<ServiceSchema>;
  clock: ServiceClock;
  settings: EditSettings;
  actions: ActionRunner | undefined;
}

export function createRunningWork(options: RunningWorkOptions): RunningWork {
  const { db, clock, settings, actions } = options;
  const running = new Map<string, Promise<void>>();
  let isClosed = false;
  return {
    start(docId, id, work) {
      const end = async (warning: string | undefined) => {
        if (isClosed) return;
        await finishEdits(db, settings, docId, { ids: [id], warning, nowMs: clock.now() });
      };
      const done = performWork(work, actions, db)
        .then(end)
        .catch(() => {})
        .finally(() => running.delete(id));
      running.set(id, done);
    },
    async wait(id) {
      await (id === undefined ? Promise.all(running.values()) : running.get(id));
    },
    async giveUpAbandoned() {
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
      if (running.size > 0) abandoned = abandoned.where("id", "not in", [...running.keys()]);
      await abandoned.execute();
    },
    close() {
      isClosed = true;
    },
  };
}

/**
 * Runs the action of a Pack, or delivers what an automation was triggered with. @returns what went
 * wrong, for people
 */
async function performWork(
  work: OutsideWork,
  actions: ActionRunner | undefined,
  db: Kysely<ServiceSchema>,
): Promise<string | undefined> {
  try {
    if (work.kind === "deliver") return await deliver(work);
    if (actions === undefined)
      return `The service was started without actions; ${work.call.formula} was not run.`;
    await actions(work.call, (packId) => readPublishedVersion(db, packId));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    return work.kind === "deliver"
      ? "The delivery of the automation failed."
      : `The action failed: ${reason.slice(0, 1_000)}`;
  }
}

async function deliver({
  url,
  payload,
  ruleId,
}: Extract<OutsideWork, { kind: "deliver" }>): Promise<string | undefined> {
  if (!isLoopbackUrl(url)) return "Automations deliver only to addresses of this machine.";
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Emulator-Rule": ruleId },
    body: JSON.stringify(payload),
    redirect: "error",
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.ok
    ? undefined
    : `The delivery of the automation ended with status ${response.status}.`;
}
