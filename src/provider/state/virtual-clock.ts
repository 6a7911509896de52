/** A clock that tests can advance instead of waiting. */
export interface VirtualClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock forward. */
  advance(ms: number): void;
}

/** @param now the real clock, in milliseconds; advances are added to it */
export function createVirtualClock(
  now: () => number,
  keptAheadMs = 0,
): VirtualClock & { reset(): void; aheadMs(): number } {
  let aheadMs = keptAheadMs;
  return {
    aheadMs: () => aheadMs,
    now: () => now() + aheadMs,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        throw new TypeError("Pass the number of milliseconds by which the clock moves forward.");
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
}
