/**
 * What a Pack finds for `setTimeout` and its relatives. The document service has no timers.
 * - `none`: they do not exist
 * - `error`: calling one throws, with advice
 * - `fake`: no time passes; callbacks run in the order of their time as soon as the Pack waits for nothing else
 */
export type TimerStrategy = "none" | "error" | "fake";

export interface SandboxTimers {
  /** Runs the callback that is next, if there is one. */
  fireNext(): boolean;
  /** Forgets all callbacks. */
  clear(): void;
}

/**
 * Puts timers into the sandbox's globals. Self-contained: its source text is evaluated inside the sandbox.
 * @param onError is given what a callback throws
 */
export function createTimers(strategy: TimerStrategy, globals: object, onError: (error: unknown) => void): SandboxTimers {
  interface Timer {
    id: number;
    dueMs: number;
    everyMs: number | undefined;
    callback(): void;
  }
  let timers: Timer[] = [];
  let nowMs = 0;
  let lastId = 0;
  const { defineProperty } = Object;
  const { apply } = Reflect;
  const Failure = Error;
  const number = Number;
  const define = (name: string, value: unknown): void =>
    void defineProperty(globals, name, { value, writable: true, enumerable: false, configurable: true });

  const schedule = (callback: unknown, delay: unknown, isRepeated: boolean, args: unknown[]): number => {
    if (typeof callback !== "function") throw new TypeError("The callback of a timer must be a function.");
    lastId += 1;
    const delayMs = number(delay) > 0 ? number(delay) : 0;
    const timer: Timer = {
      id: lastId,
      dueMs: nowMs + delayMs,
      everyMs: isRepeated ? delayMs : undefined,
      callback: () => void apply(callback, undefined, args),
    };
    timers[timers.length] = timer;
    return lastId;
  };

  const cancel = (id: unknown): void => {
    const kept: Timer[] = [];
    for (let index = 0; index < timers.length; index++) {
      const timer = timers[index] as Timer;
      if (timer.id !== id) kept[kept.length] = timer;
    }
    timers = kept;
  };

  const NAMES = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"];
  if (strategy === "error") {
    for (let index = 0; index < NAMES.length; index++) {
      const name = NAMES[index] as string;
      define(name, () => {
        throw new Failure(
          `${name} does not exist where Packs run: the document service has no timers. Do the work at once, or in a later call.`,
        );
      });
    }
  }
  if (strategy === "fake") {
    define("setTimeout", (callback: unknown, delay?: unknown, ...args: unknown[]) => schedule(callback, delay, false, args));
    define("setInterval", (callback: unknown, delay?: unknown, ...args: unknown[]) => schedule(callback, delay, true, args));
    define("setImmediate", (callback: unknown, ...args: unknown[]) => schedule(callback, 0, false, args));
    for (let index = 3; index < NAMES.length; index++) define(NAMES[index] as string, cancel);
  }

  return {
    fireNext() {
      let next: Timer | undefined;
      for (let index = 0; index < timers.length; index++) {
        const timer = timers[index] as Timer;
        if (next === undefined || timer.dueMs < next.dueMs) next = timer;
      }
      if (next === undefined) return false;
      nowMs = next.dueMs;
      if (next.everyMs === undefined) cancel(next.id);
      else next.dueMs += next.everyMs > 0 ? next.everyMs : 1;
      try {
        next.callback();
      } catch (error) {
        onError(error);
      }
      return true;
    },
    clear() {
      timers = [];
    },
  };
}
