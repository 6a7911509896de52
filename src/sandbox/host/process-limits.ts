import { processorMs, residentBytes } from "../../shared/process-tree.ts";

export interface TimeLimit {
  ms: number;
  /**
   * `"wall"` is what a clock on the wall shows. `"processor"` counts only the time in which the process ran, so that a busy machine
   * ends nothing; at the latest it ends after ten times the limit.
   */
  of: "wall" | "processor";
}

const MAX_WAIT_FACTOR = 10;

/**
 * @param onExceeded called once, when the limit is reached
 * @returns a function that ends the limit
 */
export function startTimeLimit(
  pid: number,
  { ms, of }: TimeLimit,
  onExceeded: () => void,
): () => void {
  const usedMs = (): number | undefined => (of === "wall" ? undefined : processorMs(pid));
  const startMs = usedMs() ?? 0;
  let waitedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (nextMs: number): void => {
    timer = setTimeout(() => {
      waitedMs += nextMs;
      const used = usedMs();
      const leftMs = used === undefined ? 0 : ms - (used - startMs);
      if (leftMs <= 0 || waitedMs >= ms * MAX_WAIT_FACTOR) onExceeded();
      else wait(Math.max(leftMs, 10));
    }, nextMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

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
const GARBAGE_FACTOR = 1.25;

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
  const limit = mostBytes(memoryLimitMb);
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) <= limit) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Whether what earlier runs have left takes more than half of the memory that a sandbox had for
 * runs after loading, so that a run could be ended for the garbage of others.
 */
export function isFilled(pid: number, memoryLimitMb: number, loadedBytes: number): boolean {
  return (residentBytes(pid) ?? 0) > (loadedBytes + mostBytes(memoryLimitMb)) / 2;
}

function mostBytes(memoryLimitMb: number): number {
  return (EMPTY_MB + memoryLimitMb * GARBAGE_FACTOR) * MIB;
}
