import { readdirSync, readFileSync } from "node:fs";

/** The processes of a PostgreSQL server of this machine, by the first of them. */
export function listServerProcesses(server: number): number[] {
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return [server, ...all.filter((pid) => readParent(pid) === server)];
}

/** Undefined for a process that has ended, and where the system is not Linux. */
export function readParent(pid: number): number | undefined {
  const fields = readText(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  return fields === undefined ? undefined : Number(fields[1]);
}

/** What threads have used up, in milliseconds. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** How long each thread of some processes has run. */
export function readProcessorTimes(pids: readonly (number | undefined)[]): ThreadTimes {
  return readSchedule(pids, 0);
}

/** How long each thread of some processes has waited for a free core. */
export function readQueuedTimes(pids: readonly (number | undefined)[]): ThreadTimes {
  return readSchedule(pids, 1);
}

/** What threads have used up since then. Of one that has ended, it is not known. */
export function subtractTimes(now: ThreadTimes, before: ThreadTimes): number {
  let sum = 0;
  for (const [thread, ms] of now) sum += ms - (before.get(thread) ?? 0);
  return sum;
}

function readSchedule(pids: readonly (number | undefined)[], field: 0 | 1): ThreadTimes {
  const threads = pids.flatMap((pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    } catch {
      return [];
    }
  });
  // The kernel counts in nanoseconds.
  return new Map(
    threads.map((thread) => [
      thread,
      Number(readText(`${thread}/schedstat`)?.split(" ")[field] ?? 0) / 1e6,
    ]),
  );
}

/** Undefined for a process that has ended, and where the system is not Linux. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
