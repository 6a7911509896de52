import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { computeMedian } from "./section.ts";

export interface Command {
  /** The program, then its arguments. */
  command: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>> | undefined;
  /** Puts back what a run changes. Its time is not counted. */
  before?: (() => void) | undefined;
}

/**
 * Medians in milliseconds: of the clock, and of the processor in the process and those that it
 * started and waited for.
 */
export interface ProcessTimes {
  wallMs: number;
  cpuMs: number;
}

/**
 * Runs commands in turns, so that a noisy moment of the machine falls on all of them. The first
 * round fills the file cache.
 */
export function timeProcesses<Name extends string>(
  commands: Readonly<Record<Name, Command>>,
  runs: number,
): Record<Name, ProcessTimes> {
  const names = Object.keys(commands) as Name[];
  const times = new Map(names.map((name) => [name, [] as ProcessTimes[]]));
  for (let run = -1; run < runs; run++) {
    for (const name of names) {
      const measured = timeOnce(commands[name]);
      if (run >= 0) times.get(name)?.push(measured);
    }
  }
  const median = (name: Name, of: keyof ProcessTimes) =>
    computeMedian((times.get(name) ?? []).map((each) => each[of]));
  return Object.fromEntries(
    names.map((name) => [name, { wallMs: median(name, "wallMs"), cpuMs: median(name, "cpuMs") }]),
  ) as Record<Name, ProcessTimes>;
}

export function timeOnce({ command, cwd, env, before }: Command): ProcessTimes {
  before?.();
  const [program = "", ...args] = command;
  const cpuBefore = childCpuMs();
  const started = performance.now();
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { ...ownEnv(), ...env },
    maxBuffer: 1e8,
  });
  const wallMs = performance.now() - started;
  if (status !== 0)
    throw new Error(
      `${command.join(" ")} ended with ${status}: ${error?.message ?? stderr.slice(-1_000)}`,
    );
  return { wallMs, cpuMs: childCpuMs() - cpuBefore };
}

/**
 * Where more certificates are named, Node reads them in every process, for longer than it takes to
 * start: that would hide what differs.
 */
function ownEnv(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
}

/** Of all children that have ended. Linux tells; elsewhere it is unknown. */
function childCpuMs(): number {
  try {
    // The command's name, which may hold anything, ends with the last bracket; then come 13 others
    // (proc(5)).
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // Hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

/**
 * The most memory that a command takes, in megabytes, by GNU time; undefined where there is none.
 */
export function peakMemoryMb({ command, cwd }: Command): number | undefined {
  const { stderr, status } = spawnSync("/usr/bin/time", ["-f", "%M", ...command], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const kib = Number(stderr?.trim().split("\n").at(-1));
  return status === 0 && Number.isFinite(kib) ? (kib * 1_024) / 1e6 : undefined;
}
