/** How often the memory is looked at during a run, in milliseconds. */
const INTERVAL_MS = 10;
const MIB = 1024 * 1024;

/**
 * Memory that a run may add to the process before it is ended: twice the limit, since garbage that V8 has not collected
 * yet counts too, and so do the responses that the host holds.
 */
export function allowedGrowthBytes(memoryLimitMb: number): number {
  return memoryLimitMb * 2 * MIB;
}

/**
 * Watches the memory of the process from outside the sandbox. V8's own limit of a worker does not do: one allocation
 * that passes it aborts the whole process, and it does not count buffers.
 * @param onExceeded called once, when the process has grown by more than the limit allows
 * @returns a function that ends the watch
 */
export function watchMemory(memoryLimitMb: number, onExceeded: () => void): () => void {
  const limit = process.memoryUsage.rss() + allowedGrowthBytes(memoryLimitMb);
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= limit) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
