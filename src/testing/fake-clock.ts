/** A clock that stands still until it is told to go on. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  set(time: number | string | Date): void;
}

/**
 * Creates a clock for tests: given as `clock`, it is what the Pack sees as the present, and what caches, blobs and tokens
 * expire by. A wait for a busy server moves it on and takes no time.
 * @param start milliseconds, an ISO date, or a date
 * @throws {TypeError} when the start is no time
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
  if (!Number.isFinite(ms)) throw new TypeError(`${String(time)} is no time.`);
  return ms;
}
