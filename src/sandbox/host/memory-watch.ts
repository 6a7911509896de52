import { uptimeMs } from "../../shared/uptime.ts";

/** How often the memory is checked during a run, in milliseconds. */
const INTERVAL_MS = 10;
const MIB = 1024 * 1024;

/**
 * The process may grow by this multiple of the limit while the Pack's code runs without a pause: from outside, garbage that V8
 * has not collected yet looks like memory in use. At every pause the sandbox checks the memory in use against the exact limit
 * (`inside/memory-report.ts`).
 */
const GARBAGE_FACTOR = 2;

/**
 * Watches the memory of the process from outside the sandbox, without what the host allocated meanwhile (the responses). V8's
 * own limit for a worker is not enough: a single allocation beyond it aborts the process, and it does not count buffers.
 * @param onExceeded called once, when the process has grown by more than the limit allows
 * @returns a function that ends the watch
 */
export function watchMemory(memoryLimitMb: number, onExceeded: () => void): () => void {
  const start = recentUsage();
  // The highest value, because freed memory is not returned to the system at once.
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

/** Reuses a recent value: reading the memory takes longer than some runs. */
function recentUsage(): NodeJS.MemoryUsage {
  const atMs = uptimeMs();
  if (sampled.usage === undefined || atMs - sampled.atMs > INTERVAL_MS) sampled = { atMs, usage: process.memoryUsage() };
  return sampled.usage as NodeJS.MemoryUsage;
}

/** Heap and buffers of this thread, without those of a worker. */
function hostBytesOf({ heapTotal, external }: NodeJS.MemoryUsage): number {
  return heapTotal + external;
}
