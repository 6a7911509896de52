import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * The kernel counts in hundredths of a second, whatever its own timer does: `USER_HZ` of proc(5).
 */
const TICK_MS = 10;

/**
 * @returns the resident memory of a process and those below it; `undefined` when it has ended, or
 *   the system does not say
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
      const fields = readStat(`/proc/${each}/stat`);
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    });
  });
}

/**
 * The process that was started is often not the one that computes: what confines a sandbox are
 * processes above it, and git starts itself for a repository in a repository.
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

/** @returns the fields after the name, which may contain anything */
function readStat(path: string): string[] {
  const stat = readFileSync(path, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * @returns whether each thread of a process and of those below it sleeps and can be interrupted, as
 *   one does that waits for a pipe. One that waits for a disk cannot; undefined when the system
 *   does not say
 */
export function isAsleep(pid: number): boolean | undefined {
  return orUndefined(() => {
    const awake = sumOverTree(pid, (each) => {
      const tasks = `/proc/${each}/task`;
      const states = readdirSync(tasks).map((task) => readStat(`${tasks}/${task}/stat`)[0]);
      return states.filter((state) => state !== "S" && state !== "Z").length;
    });
    return awake === undefined ? undefined : awake === 0;
  });
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
