import type { RateGroup } from "../contract/operations.ts";

/** The maximum number of requests within a number of milliseconds. */
export interface RateLimit {
  requests: number;
  perMs: number;
}

export type RateLimits = Readonly<Record<RateGroup, RateLimit>>;

/** Just under the published limits, because other programs of the same user count too. */
export const DEFAULT_LIMITS: RateLimits = {
  read: { requests: 90, perMs: 6_000 },
  write: { requests: 8, perMs: 6_000 },
  content: { requests: 4, perMs: 10_000 },
  listDocs: { requests: 3, perMs: 6_000 },
  analytics: { requests: 90, perMs: 6_000 },
};

/** What the requests of one token share. */
export interface Throttle {
  /**
   * Takes the next free place of a group.
   * @returns how long to wait for it, in milliseconds; undefined, and nothing is taken, when that
   *   ends after `latestMs`
   */
  reserve(group: RateGroup, nowMs: number, latestMs: number): number | undefined;
  /**
   * After so many milliseconds, a request of the group does not count against its limit any more.
   */
  windowMs(group: RateGroup): number;
  /** Nothing of the group is sent until then. */
  hold(group: RateGroup, untilMs: number): void;
  /** A call gave up on the rate limit, or one came through. */
  note(nowMs: number, gaveUp: boolean): void;
  /** Waiting has not helped lately. */
  isStuck(nowMs: number): boolean;
}

const STUCK_CALLS = 3;
const STUCK_MS = 120_000;

/** @param limits undefined: requests are not held back, unless the service refused one */
export function createThrottle(limits: RateLimits | undefined): Throttle {
  const sentAtMs: Partial<Record<RateGroup, number[]>> = {};
  const heldUntilMs: Partial<Record<RateGroup, number>> = {};
  let gaveUpAtMs: number[] = [];
  return {
    reserve(group, nowMs, latestMs) {
      const { requests, perMs } = limits?.[group] ?? { requests: 0, perMs: 0 };
      sentAtMs[group] ??= [];
      const log = sentAtMs[group];
      const oldest = log.length < requests ? undefined : log[log.length - requests];
      const atMs = Math.max(
        nowMs,
        heldUntilMs[group] ?? 0,
        oldest === undefined ? 0 : oldest + perMs,
      );
      if (atMs > latestMs) return undefined;
      log.push(atMs);
      if (log.length > requests) log.shift();
      return atMs - nowMs;
    },
    windowMs: (group) => (limits ?? DEFAULT_LIMITS)[group].perMs,
    hold(group, untilMs) {
      heldUntilMs[group] = Math.max(heldUntilMs[group] ?? 0, untilMs);
    },
    note(nowMs, gaveUp) {
      gaveUpAtMs = gaveUp ? [...gaveUpAtMs.slice(1 - STUCK_CALLS), nowMs] : [];
    },
    isStuck: (nowMs) =>
      gaveUpAtMs.length === STUCK_CALLS && nowMs - (gaveUpAtMs[0] ?? 0) < STUCK_MS,
  };
}
