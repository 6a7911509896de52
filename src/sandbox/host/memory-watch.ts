import { uptimeMs } from "../../shared/uptime.ts";

/** How often the memory is looked at during a run, in milliseconds. */
const INTERVAL_MS = 10;
const MIB = 1024 * 1024;

/**
 * What the process may grow by while the Pack's code runs without a pause: from outside, garbage that V8 has not collected
 * yet cannot be told from what the Pack keeps. At every pause the sandbox itself looks at what is kept, against the limit
 * as it is (`sandbox/memory-report.ts`).
 */
const GARBAGE_FACTOR = 2;

/**
 * Watches the memory of the process from outside the sandbox, less what the host itself came to hold meanwhile (the
 * responses). V8's own limit of a worker does not do: one allocation that passes it aborts the whole process, and it
 * does not count buffers.
 * @param onExceeded called once, when the process has grown by more than the limit allows
 * @returns a function that ends the watch
 */
export function watchMemory(memoryLimitMb: number, onExceeded: () => void): () => void {
  const start = recentUsage();
  // The highest value: memory that the host frees does not go back to the system at once.
  let hostBytes = hostBytesOf(start);
  const limit = start.rss - hostBytes + memoryLimitMb * GARBAGE_FACTOR * MIB;
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    hostBytes = Math.max(hostBytes, hostBytesOf(now));
    if (now.rss - hostBytes <= limit) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

let sampled = { atMs: Number.NEGATIVE_INFINITY, usage: undefined as NodeJS.MemoryUsage | undefined };

/** Asking the system takes longer than many a run. */
function recentUsage(): NodeJS.MemoryUsage {
  const atMs = uptimeMs();
  if (sampled.usage === undefined || atMs - sampled.atMs > INTERVAL_MS) sampled = { atMs, usage: process.memoryUsage() };
  return sampled.usage as NodeJS.MemoryUsage;
}

/** Heap and buffers of this thread; a worker has its own. */
function hostBytesOf({ heapTotal, external }: NodeJS.MemoryUsage): number {
  return heapTotal + external;
}
