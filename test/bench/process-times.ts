import { spawnSync } from "node:child_process";
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
 * Medians in milliseconds: of the clock until the process ends, and of the processor in it and in
 * all that it started. The processor time is not a number where Linux or Perl is missing.
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
  const [program = "", ...args] = [...listCounter(), ...command];
  const started = performance.now();
  const { status, stderr, error, output } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { ...ownEnv(), ...env },
    maxBuffer: 1e8,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const tookMs = performance.now() - started;
  if (status !== 0)
    throw new Error(
      `${command.join(" ")} ended with ${status}: ${error?.message ?? stderr.slice(-1_000)}`,
    );
  const counted = output[3] ?? "";
  const [wallMs = tookMs, cpuMs = Number.NaN] =
    counted === "" ? [] : counted.split(" ").map(Number);
  return { wallMs, cpuMs };
}

/**
 * Runs a command, and prints how long it took and what it used of the processor. esbuild's program
 * outlives the command that started it, and the system counts only processes that were waited for.
 * So this adopts those that are left (`PR_SET_CHILD_SUBREAPER`, prctl(2)), and waits for them
 * before it asks (`RUSAGE_CHILDREN`, getrusage(2)).
 */
const COUNTER = `use Time::HiRes "time";
my ($prctl, $getrusage) = splice @ARGV, 0, 2;
open my $result, ">&=", 3;
syscall $prctl + 0, 36, 1, 0, 0, 0;
my $begun = time;
my ($command, $took, $status) = (fork);
if (!$command) { close $result; exec { $ARGV[0] } @ARGV; exit 127 }
while ((my $ended = wait) > 0) { ($took, $status) = (time - $begun, $?) if $ended == $command }
my $usage = chr(0) x 144;
syscall $getrusage + 0, -1, $usage;
my ($user, $userMicros, $system, $systemMicros) = unpack "q4", $usage;
print $result join " ", $took * 1e3, ($user + $system) * 1e3 + ($userMicros + $systemMicros) / 1e3;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);`;

/** The numbers of the two system calls. */
const CALLS: Readonly<Record<string, readonly [prctl: string, getrusage: string]>> = {
  x64: ["157", "98"],
  arm64: ["167", "165"],
};

let counter: readonly string[] | undefined;

/** Nothing where processor time cannot be counted. */
function listCounter(): readonly string[] {
  const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
  counter ??=
    calls !== undefined && spawnSync("perl", ["-MTime::HiRes", "-e", "1"]).status === 0
      ? ["perl", "-e", COUNTER, ...calls]
      : [];
  return counter;
}

/**
 * Where more certificates are named, Node reads them in every process, for longer than it takes to
 * start: that would hide what differs.
 */
function ownEnv(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
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
