/** The time of the service, which tests can move. */
export interface ServiceClock {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  /** Sets the time; it runs on from there. */
  set(nowMs: number): void;
  freeze(): void;
  /** Lets the time run on from where it was frozen. */
  resume(): void;
  readonly isFrozen: boolean;
}

export function createClock(base: () => number): ServiceClock {
  let offsetMs = 0;
  let frozenAtMs: number | undefined;
  const now = () => frozenAtMs ?? base() + offsetMs;
  const set = (nowMs: number) => {
    if (frozenAtMs === undefined) offsetMs = nowMs - base();
    else frozenAtMs = nowMs;
  };
  return {
    now,
    set,
    advance: (ms) => set(now() + ms),
    freeze: () => {
      frozenAtMs = now();
    },
    resume: () => {
      if (frozenAtMs === undefined) return;
      offsetMs = frozenAtMs - base();
      frozenAtMs = undefined;
    },
    get isFrozen() {
      return frozenAtMs !== undefined;
    },
  };
}
