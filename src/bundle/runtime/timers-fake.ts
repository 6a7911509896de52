// Timer strategy "fake": the Pack runtime has no timers. A callback runs as soon as the work before it is done, however long it
// was to wait; that of an interval runs once, because nothing would ever end it.
type Callback = (...args: unknown[]) => void;

let last = 0;
const waiting = new Set<number>();

function soon(callback: Callback, args: unknown[]): number {
  const id = ++last;
  waiting.add(id);
  void Promise.resolve().then(() => {
    if (waiting.delete(id)) callback(...args);
  });
  return id;
}

const forget = (id: number): void => void waiting.delete(id);

export const setTimeout = (callback: Callback, _delay?: number, ...args: unknown[]): number => soon(callback, args);
export const setInterval = (callback: Callback, _delay?: number, ...args: unknown[]): number => soon(callback, args);
export const setImmediate = (callback: Callback, ...args: unknown[]): number => soon(callback, args);
export { forget as clearImmediate, forget as clearInterval, forget as clearTimeout };
