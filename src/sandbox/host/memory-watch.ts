import { residentBytes } from "./process-usage.ts";

const MIB = 1024 * 1024;
/** Where the memory is read from a file, and where a program must be asked. */
const INTERVAL_MS = process.platform === "linux" ? 10 : 250;

/**
 * The process may grow by this multiple of the limit while the Pack's code runs without a pause:
 * from outside, garbage that V8
 * has not collected yet looks like memory in use. At every pause the process checks the memory in
 * use against the exact limit
 * (`process/memory-check.ts`).
 */
const GARBAGE_FACTOR = 2;

/** What a process uses before a Pack is loaded, at most. */
const EMPTY_MB = 96;

/**
 * Watches the memory of a sandbox from outside: native code does not pause, and V8's own limit does
 * not count buffers.
 * @param onExceeded called once, when the process uses more than the limit allows
 * @returns a function that ends the watch
 */
export function watchMemory(
  pid: number,
  memoryLimitMb: number,
  onExceeded: () => void,
): () => void {
  const limit = (EMPTY_MB + memoryLimitMb * GARBAGE_FACTOR) * MIB;
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) <= limit) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
