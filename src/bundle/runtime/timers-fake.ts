// Timer strategy "fake": the Pack runtime has no timers, so nothing waits. A callback runs as soon
// as the work before it is done; callbacks set at the same moment run in the order of their delays.
// An interval runs once, because nothing would ever end it.
type Callback = (...args: unknown[]) => void;

interface Timer {
  id: number;
  delay: number;
  run: () => void;
}

let last = 0;
let waiting: Timer[] = [];

function callSoon(callback: Callback, delay: unknown, args: unknown[]): number {
  if (typeof callback !== "function")
    throw new TypeError("The callback of a timer must be a function.");
  const id = ++last;
  if (waiting.length === 0) void Promise.resolve().then(fireNext);
  waiting.push({ id, delay: Number(delay) || 0, run: () => callback(...args) });
  return id;
}

/** Runs one callback at a time: everything that it continues comes before the next callback. */
function fireNext(): void {
  const next = waiting.reduce<Timer | undefined>(
    (first, timer) => (first === undefined || timer.delay < first.delay ? timer : first),
    undefined,
  );
  if (next === undefined) return;
  forget(next.id);
  if (waiting.length > 0) void Promise.resolve().then(fireNext);
  next.run();
}

const forget = (id: number): void => {
  waiting = waiting.filter((timer) => timer.id !== id);
};

export const setTimeout = (callback: Callback, delay?: number, ...args: unknown[]): number =>
  callSoon(callback, delay, args);
export const setInterval = (callback: Callback, delay?: number, ...args: unknown[]): number =>
  callSoon(callback, delay, args);
export const setImmediate = (callback: Callback, ...args: unknown[]): number =>
  callSoon(callback, 0, args);
export { forget as clearImmediate, forget as clearInterval, forget as clearTimeout };
