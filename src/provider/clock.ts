/** A clock that tests move forward instead of sleeping. */
export interface VirtualClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock forward. */
  advance(ms: number): void;
}

/** @param now the real clock, in milliseconds; what is advanced is added to it */
export function createVirtualClock(now: () => number): VirtualClock & { reset(): void } {
  let aheadMs = 0;
  return {
    now: () => now() + aheadMs,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new TypeError("A clock moves forward by a number of milliseconds.");
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
}
