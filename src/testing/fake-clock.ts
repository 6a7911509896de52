/** A clock that changes only if you advance or set the clock. */
export interface FakeClock {
  /** The time in milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  set(time: number | string | Date): void;
}

/**
 * Creates a clock for tests. Pass this clock as `clock`: the Pack, caches, blobs and tokens then
 * use the time of this clock. A wait for a busy server advances the clock without a real delay.
 * @param start milliseconds, an ISO date, or a date
 * @throws {TypeError} if the start is not a valid time
 */
export function createFakeClock(start: number | string | Date): FakeClock {
  let time = parseTime(start);
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
    set: (next) => {
      time = parseTime(next);
    },
  };
}

function parseTime(time: number | string | Date): number {
  const ms = typeof time === "number" ? time : new Date(time).getTime();
  if (!Number.isFinite(ms)) throw new TypeError(`${String(time)} is not a valid time.`);
  return ms;
}
