import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * The kernel counts in hundredths of a second, whatever its own timer does: `USER_HZ` of proc(5).
 */
const TICK_MS = 10;

/**
 * @returns the resident memory of a process; `undefined` when it has ended, or the system does not
 * say
 */
export function residentBytes(pid: number): number | undefined {
  return orUndefined(() => {
    if (process.platform !== "linux") return Number(askPs(pid, "rss=")) * 1024;
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  });
}

/**
 * @returns the processor time that a process has used; `undefined` when it has ended, or the system
 * does not say
 */
export function processorMs(pid: number): number | undefined {
  return orUndefined(() => {
    if (process.platform !== "linux")
      return (
        askPs(pid, "time=")
          .split(":")
          .reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
      );
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  });
}

function askPs(pid: number, field: string): string {
  return execFileSync("/bin/ps", ["-o", field, "-p", String(pid)], {
    encoding: "utf8",
    timeout: 5000,
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function orUndefined(read: () => number | undefined): number | undefined {
  try {
    return process.platform === "win32" ? undefined : read();
  } catch {
    return undefined;
  }
}
