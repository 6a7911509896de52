import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * The kernel counts in hundredths of a second, whatever its own timer does: `USER_HZ` of proc(5).
 */
const TICK_MS = 10;

/**
 * @returns the resident memory of a process and those below it; `undefined` when it has ended, or the system does not
 * say
 */
export function residentBytes(pid: number): number | undefined {
  return orUndefined(() => {
    if (process.platform !== "linux") return Number(askPs(pid, "rss=")) * 1024;
    return sumOverTree(pid, (each) => {
      const status = readFileSync(`/proc/${each}/status`, "utf8");
      const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    });
  });
}

/**
 * @returns the processor time that a process and those below it have used; `undefined` when it has
 * ended, or the system does not say
 */
export function processorMs(pid: number): number | undefined {
  return orUndefined(() => {
    if (process.platform !== "linux")
      return (
        askPs(pid, "time=")
          .split(":")
          .reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
      );
    return sumOverTree(pid, (each) => {
      const stat = readFileSync(`/proc/${each}/stat`, "utf8");
      // The second field is a name, which may contain anything.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    });
  });
}

/**
 * What confines a sandbox are processes above it, so the process that was started is not the one
 * that computes. The others use next to nothing.
 */
function sumOverTree(pid: number, read: (pid: number) => number | undefined): number | undefined {
  const first = read(pid);
  if (first === undefined) return undefined;
  const below = listChildren(pid).map((child) => orUndefined(() => sumOverTree(child, read)) ?? 0);
  return below.reduce((sum, part) => sum + part, first);
}

/** @returns the processes that a process of one thread has started */
export function listChildren(pid: number): number[] {
  const list = orUndefined(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) ?? "";
  return list.split(" ").filter(Boolean).map(Number);
}

function askPs(pid: number, field: string): string {
  return execFileSync("/bin/ps", ["-o", field, "-p", String(pid)], {
    encoding: "utf8",
    timeout: 5000,
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function orUndefined<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return process.platform === "win32" ? undefined : read();
  } catch {
    return undefined;
  }
}

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
