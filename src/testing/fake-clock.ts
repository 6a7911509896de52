/** A clock that only changes when you advance or set it. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  set(time: number | string | Date): void;
}

/**
 * Creates a clock for tests. Passed as `clock`, it is the time that the Pack sees and that caches,
 * blobs and tokens use. Waiting
 * for a busy server advances it without real waiting.
 * @param start milliseconds, an ISO date, or a date
 * @throws {TypeError} when the start is not a valid time
 */
export function createFakeClock(start: number | string | Date): FakeClock {
  let time = timeOf(start);
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
    set: (next) => {
      time = timeOf(next);
    },
  };
}

function timeOf(time: number | string | Date): number {
  const ms = typeof time === "number" ? time : new Date(time).getTime();
  if (!Number.isFinite(ms)) throw new TypeError(`${String(time)} is not a valid time.`);
  return ms;
}
