import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a process uses now. */
export interface ProcessUsage {
  residentBytes: number;
  /** Processor time since it started, in milliseconds. */
  processorMs: number;
}

/** The kernel counts in hundredths of a second, whatever its own timer does: `USER_HZ` of proc(5). */
const TICK_MS = 10;

/** @returns `undefined` when the process has ended, or the system does not say */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    return process.platform === "linux" ? readProc(pid) : process.platform === "win32" ? undefined : askPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): ProcessUsage {
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is a name, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { residentBytes: Number(resident ?? 0) * 1024, processorMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
}

function askPs(pid: number): ProcessUsage {
  const answer = execFileSync("/bin/ps", ["-o", "rss=,time=", "-p", String(pid)], { encoding: "utf8", timeout: 5000 });
  const [resident, time = ""] = answer.trim().split(/\s+/);
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return { residentBytes: Number(resident) * 1024, processorMs: seconds * 1000 };
}
