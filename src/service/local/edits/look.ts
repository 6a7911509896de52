import type { Storage } from "../../../storage/storage.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { DueTimes } from "./due-times.ts";
import type { RunningWork } from "./outside-work.ts";

export interface LookOptions {
  storage: Pick<Storage<ServiceSchema>, "engine" | "signals" | "version">;
  due: Pick<DueTimes, "isDue" | "forget">;
  work: Pick<RunningWork, "isAnyOpen" | "takeOffered" | "giveUpAbandoned">;
  /** No other process uses the database. */
  isAlone: boolean;
  beginDue(): Promise<void>;
  /** Milliseconds of a clock that only goes on. @default that of the process */
  uptime?: (() => number) | undefined;
}

/** How often there is a look for work of processes that are gone, in real milliseconds. */
const CHECK_MS = { sqlite: 1_000, postgres: 5_000 };
/** How often there is one for actions that wait for a process that has their Pack. */
const OFFER_MS = 200;

/**
 * Looks for what there is to do: edits that are due, actions that wait for a process that has their
 * Pack, and work of processes that are gone. While the database stays as it is, and no work is
 * open, it asks the database nothing.
 */
export function createLook({
  storage,
  due,
  work,
  isAlone,
  beginDue,
  uptime = () => performance.now(),
}: LookOptions): { look(): Promise<void>; onSignal(): void } {
  const { version, signals, engine } = storage;
  let [offeredAtMs, checkedAtMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let known: string | undefined;
  /** Changes of the database, and after how many of them no work was open. */
  let [changes, settled] = [1, 0];
  return {
    onSignal() {
      due.forget();
      changes++;
    },
    async look() {
      if (await due.isDue()) await beginDue();
      if (isAlone) return;
      const now = version?.();
      if (now !== known || signals?.isListening === false) changes++;
      known = now;
      const nowMs = uptime();
      const isCheck = nowMs - checkedAtMs >= CHECK_MS[engine];
      // A signal can be lost together with the process that should have sent it.
      const isAsked = changes !== settled || (isCheck && signals !== undefined);
      if (!isAsked || nowMs - offeredAtMs < OFFER_MS) return;
      offeredAtMs = nowMs;
      const asked = changes;
      const isOpen = await work.isAnyOpen();
      if (isOpen) await work.takeOffered();
      else settled = asked;
      if (!isCheck) return;
      checkedAtMs = nowMs;
      due.forget();
      if (isOpen) await work.giveUpAbandoned();
    },
  };
}
