import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RateLimitOptions, RateLimits } from "../api/rate-limits.ts";
import type { EditSettings } from "../edits/edit-settings.ts";
import { createLookout } from "../edits/lookout.ts";
import type { ServiceState } from "../state.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { saveSetting } from "../store/settings.ts";
import type { Fault } from "./fault-schema.ts";
import type { Faults } from "./faults.ts";

/** What is kept as a whole. */
type ControlName = "clock" | "edits" | "faults" | "limits";

/** How a process reads and sets it. */
interface Control {
  read(): unknown;
  /** @param told what `read` of another process gave */
  follow(told: never): void;
}

export interface SharedControls extends Disposable {
  /**
   * Changes how something is set, in all processes of a database server. Changes are made one after
   * the other: each begins with what the others were told before.
   */
  change(name: ControlName, apply: () => void): Promise<void>;
}

interface Controlled {
  state: ServiceState;
  /** The clock of this machine. */
  now(): number;
  rateLimits: RateLimits;
  faults: Faults;
}

const INTERVAL_MS = 1_000;
/** Their names in the table of settings begin with this. */
const PREFIX = "control ";

/**
 * Follows what other processes of a database server were told since this one started. A process
 * without a server is alone.
 */
export async function openSharedControls(controlled: Controlled): Promise<SharedControls> {
  const { storage } = controlled.state;
  if (storage.engine !== "postgres")
    return { change: async (_name, apply) => apply(), [Symbol.dispose]: () => {} };
  const controls = getControls(controlled);
  const readAll = (db: Kysely<ServiceSchema>) =>
    db.selectFrom("settings").selectAll().where("name", "like", `${PREFIX}%`).execute();
  // Each value is different, so one that was read late is not followed again.
  const seen = new Set((await storage.read(readAll)).map(({ value }) => value));
  const followAll = async (db: Kysely<ServiceSchema>): Promise<void> => {
    for (const { name, value } of await readAll(db)) {
      if (seen.has(value)) continue;
      seen.add(value);
      const { told } = JSON.parse(value) as { told: never };
      controls[name.slice(PREFIX.length) as ControlName].follow(told);
    }
  };
  const lookout = createLookout({
    intervalMs: INTERVAL_MS,
    idleMs: INTERVAL_MS,
    isNeeded: async () => true,
    look: () => storage.read(followAll),
  });
  return {
    // Without locks of rows: a transaction waits for those of other processes.
    change: (name, apply) =>
      storage.transaction(async (transaction) => {
        await followAll(transaction);
        apply();
        const value = JSON.stringify({ id: randomUUID(), told: controls[name].read() });
        seen.add(value);
        await saveSetting(transaction, PREFIX + name, value);
      }),
    [Symbol.dispose]: () => lookout.close(),
  };
}

function getControls({
  state: { clock, settings, edits },
  now,
  rateLimits,
  faults,
}: Controlled): Record<ControlName, Control> {
  return {
    clock: {
      read: () => ({
        nowMs: clock.now(),
        aheadMs: clock.now() - now(),
        isFrozen: clock.isFrozen,
      }),
      follow({ nowMs, aheadMs, isFrozen }: { nowMs: number; aheadMs: number; isFrozen: boolean }) {
        clock.resume();
        clock.set(isFrozen ? nowMs : now() + aheadMs);
        if (isFrozen) clock.freeze();
      },
    },
    edits: {
      read: (): EditSettings => ({
        latency: settings.latency,
        isHeld: settings.isHeld,
        snapshotLagMs: settings.snapshotLagMs,
        failedMutation: settings.failedMutation,
      }),
      follow(told: EditSettings) {
        const isReleased = settings.isHeld && !told.isHeld;
        Object.assign(settings, told);
        // What this process held meanwhile. The next release has what is left.
        if (isReleased) edits.release().catch(() => {});
      },
    },
    faults: {
      read: () => faults.list(),
      follow: (told: readonly Fault[]) => faults.replace(told),
    },
    limits: {
      read: () => rateLimits.options ?? null,
      follow: (told: RateLimitOptions | null) => rateLimits.set(told ?? undefined),
    },
  };
}
