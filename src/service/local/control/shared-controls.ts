import { randomUUID } from "node:crypto";
import type { RateLimitOptions, RateLimits } from "../api/rate-limits.ts";
import type { EditSettings } from "../edits/edit-settings.ts";
import { createLookout } from "../edits/lookout.ts";
import type { ServiceState } from "../state.ts";
import { saveSetting } from "../store/settings.ts";
import type { Fault } from "./fault-schema.ts";
import type { Faults } from "./faults.ts";

/** What is set as a whole. */
type ControlName = "clock" | "edits" | "faults" | "limits";

/** How a process reads and sets it. */
interface Control {
  read(): unknown;
  /** @param told what `read` of another process gave */
  follow(told: never): void;
}

export interface SharedControls extends Disposable {
  /** Tells the other processes of a database server how something is set here. */
  share(name: ControlName): Promise<void>;
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
  if (storage.engine !== "postgres") return { share: async () => {}, [Symbol.dispose]: () => {} };
  const controls = getControls(controlled);
  const readAll = () =>
    storage.read((db) =>
      db.selectFrom("settings").selectAll().where("name", "like", `${PREFIX}%`).execute(),
    );
  // Each value is different, so one that was read late is not followed again.
  const seen = new Set((await readAll()).map(({ value }) => value));
  const lookout = createLookout({
    intervalMs: INTERVAL_MS,
    idleMs: INTERVAL_MS,
    isNeeded: async () => true,
    async look() {
      for (const { name, value } of await readAll()) {
        if (seen.has(value)) continue;
        seen.add(value);
        const { told } = JSON.parse(value) as { told: never };
        controls[name.slice(PREFIX.length) as ControlName].follow(told);
      }
    },
  });
  return {
    async share(name) {
      const value = JSON.stringify({ id: randomUUID(), told: controls[name].read() });
      seen.add(value);
      await storage.transaction((transaction) => saveSetting(transaction, PREFIX + name, value));
    },
    [Symbol.dispose]: () => lookout.close(),
  };
}

function getControls({
  state: { clock, settings },
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
      follow: (told: EditSettings) => void Object.assign(settings, told),
    },
    faults: {
      read: () => faults.list(),
      follow: (told: readonly Fault[]) => faults.replace(told),
    },
    limits: {
      read: () => rateLimits.options ?? null,
      follow: (told: RateLimitOptions | null) => rateLimits.follow(told ?? undefined),
    },
  };
}
