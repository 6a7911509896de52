import { type Kysely, type SqlBool, sql } from "kysely";
import { isPackError } from "../../../errors.ts";
import type { Storage } from "../../../storage/storage.ts";
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

/** How long an action waits for a process that has its Pack. */
const OFFERED_MS = 5 * 60_000;
/** So many of them are looked at together. */
const OFFERED_AT_ONCE = 100;

/** Work of edits outside of the database. */
export interface RunningWork {
  start(docId: string, id: string, work: OutsideWork): void;
  /** Whether any work is not done, of this process or of others. */
  isAnyOpen(): Promise<boolean>;
  /** Runs the actions that other processes could not run, if this one has their Packs. */
  takeOffered(): Promise<void>;
  /** Waits for the work of one edit, or of all. */
  wait(id?: string): Promise<void>;
  /**
   * Work of a process that ended in the middle is not done a second time, and an action does not
   * wait for ever.
   */
  giveUpAbandoned(): Promise<void>;
  /** What ends later is not stored any more. */
  close(): void;
}

export interface RunningWorkOptions {
  storage: Pick<Storage<ServiceSchema>, "db" | "signals" | "transaction">;
  clock: ServiceClock;
  settings: EditSettings;
  actions: ActionRunner | undefined;
  /** No other process can have the Pack of an action. */
  isAlone: boolean;
}

export function createRunningWork(options: RunningWorkOptions): RunningWork {
  const { storage, clock, settings, actions, isAlone } = options;
  const { db } = storage;
  const running = new Map<string, Promise<void>>();
  /** Edits with an action that this process does not have. */
  const unknown = new Set<string>();
  let isClosed = false;

  const start: RunningWork["start"] = (docId, id, work) => {
    const end = async ({ warning, isUnknown }: Outcome) => {
      if (isClosed) return;
      if (isUnknown) unknown.add(id);
      if (isUnknown && !isAlone) await offer(storage, docId, id);
      else await finishEdits(db, settings, docId, { ids: [id], warning, nowMs: clock.now() });
    };
    const done = performWork(work, actions, db)
      .then(end)
      .catch(() => {})
      .finally(() => running.delete(id));
    running.set(id, done);
  };

  return {
    start,
    isAnyOpen: () => isAnyOpen(db),
    async takeOffered() {
      if (actions === undefined) return;
      for (const { doc_id: docId, id, edit } of await listOffered(db)) {
        if (unknown.has(id) || !(await take(db, docId, id, clock.now()))) continue;
        start(docId, id, JSON.parse(edit));
      }
    },
    async wait(id) {
      await (id === undefined ? Promise.all(running.values()) : running.get(id));
    },
    async giveUpAbandoned() {
      const nowMs = clock.now();
      for (const { doc_id: docId, id } of await listBegun(db, nowMs - ABANDONED_MS))
        if (!running.has(id)) await abandon(db, docId, id, nowMs);
      for (const { doc_id: docId, id, edit, accepted_at_ms: sinceMs } of await listOffered(db)) {
        if (sinceMs > nowMs - OFFERED_MS || !(await take(db, docId, id, nowMs))) continue;
        const { call } = JSON.parse(edit) as ActionWork;
        const warning = `No process of the service has the Pack of ${call.formula}, which was not run.`;
        await finishEdits(db, settings, docId, { ids: [id], warning, nowMs });
      }
    },
    close() {
      isClosed = true;
    },
  };
}

type ActionWork = Extract<OutsideWork, { kind: "action" }>;

const NO_ACTIONS = "The service was started without actions";

/** Work that began so long ago. */
async function listBegun(db: Kysely<ServiceSchema>, untilMs: number) {
  return await db
    .selectFrom("mutations")
    .select(["doc_id", "id"])
    // As a literal, without which the partial index is not used.
    .where(sql<SqlBool>`state = 'running'`)
    .where("due_at_ms", "<=", untilMs)
    .execute();
}

async function abandon(
  db: Kysely<ServiceSchema>,
  docId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable("mutations")
    .set({
      state: "done",
      completed_at_ms: nowMs,
      edit: "{}",
      warning: "The service stopped before the action reported a result.",
    })
    .where("doc_id", "=", docId)
    .where("id", "=", id)
    .where("state", "=", "running")
    .execute();
}

async function listOffered(db: Kysely<ServiceSchema>) {
  return await db
    .selectFrom("mutations")
    .select(["doc_id", "id", "edit", "accepted_at_ms"])
    // As a literal, without which the partial index is not used.
    .where(sql<SqlBool>`state = 'offered'`)
    .orderBy("position")
    .limit(OFFERED_AT_ONCE)
    .execute();
}

async function isAnyOpen(db: Kysely<ServiceSchema>): Promise<boolean> {
  // Literals, without which the partial indexes are not used.
  const { rows } = await sql`select 1 from mutations where state = 'running'
    union all select 1 from mutations where state = 'offered' limit 1`.execute(db);
  return rows.length > 0;
}

/** Lets processes that have the Pack of an action run it. */
async function offer(
  { transaction, signals }: RunningWorkOptions["storage"],
  docId: string,
  id: string,
): Promise<void> {
  await transaction(
    async (db) => {
      await db
        .updateTable("mutations")
        .set({ state: "offered" })
        .where("doc_id", "=", docId)
        .where("id", "=", id)
        .where("state", "=", "running")
        .execute();
      // TypeScript 5.9 does not see that the types of the two databases agree.
      await signals?.send(db as never);
    },
    { rowLocks: true },
  );
}

/** @returns whether no other process took it */
async function take(
  db: Kysely<ServiceSchema>,
  docId: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mutations")
    .set({ state: "running", due_at_ms: nowMs })
    .where("doc_id", "=", docId)
    .where("id", "=", id)
    .where("state", "=", "offered")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface Outcome {
  /** What went wrong, for people. */
  warning: string | undefined;
  /** This process does not have the action. */
  isUnknown: boolean;
}

/**
 * Runs the action of a Pack, or delivers what an automation was triggered with.
 */
async function performWork(
  work: OutsideWork,
  actions: ActionRunner | undefined,
  db: Kysely<ServiceSchema>,
): Promise<Outcome> {
  const outcome = (warning: string | undefined, isUnknown = false) => ({ warning, isUnknown });
  try {
    if (work.kind === "deliver") return outcome(await deliver(work));
    if (actions === undefined)
      return outcome(`${NO_ACTIONS}; ${work.call.formula} was not run.`, true);
    await actions(work.call, (packId) => readPublishedVersion(db, packId));
    return outcome(undefined);
  } catch (error) {
    if (work.kind === "deliver") return outcome("The delivery of the automation failed.");
    const reason = error instanceof Error ? error.message : "unknown reason";
    return outcome(
      `The action failed: ${reason.slice(0, 1_000)}`,
      isPackError(error, "FORMULA_UNKNOWN"),
    );
  }
}

async function deliver({
  url,
  payload,
  ruleId,
}: Extract<OutsideWork, { kind: "deliver" }>): Promise<string | undefined> {
  if (!isLoopbackUrl(url)) return "Automations can send requests only to this machine.";
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
