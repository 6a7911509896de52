import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { basename, join } from "node:path";
import { builtFile } from "../../shared/own-package.ts";
import { bubblewrapCommand, unshareCommand } from "./confine-linux.ts";
import { sandboxExecCommand, writeSandboxProfile } from "./confine-macos.ts";
import { findKept, type KeptConfinement } from "./kept-confinement.ts";
import { readProgramFiles, readRootEntries } from "./root-entries.ts";

/**
 * What the kernel denies to the process of a sandbox, named after the program that asks for it.
 * With `none` only Node's permission model denies something.
 */
export interface Confinement {
  readonly name: "bwrap" | "unshare" | "sandbox-exec" | "none";
  /** Whether the kernel also refuses system calls, such as those that open sockets. */
  readonly filtersCalls: boolean;
  launch(node: readonly string[], options: LaunchOptions): Launch;
}

export interface LaunchOptions {
  /** Commands of the shell that set the limits of the kernel. */
  limits: string;
  /** A debugger needs sockets, and the network of this machine. */
  isInspected: boolean;
}

export interface Launch {
  /** Commands of the shell that are still to run before the command. */
  limits: string;
  command: readonly string[];
  /** A file with the filter of system calls, which the process gets as descriptor FILTER_FD. */
  filter: string | undefined;
}

/** The standard descriptors and that of the guard come before it. */
export const FILTER_FD = 4;

/** Where systems keep their programs. `PATH` has no say in what holds a Pack. */
const FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** A busy machine takes its time; a program that hangs must not hang a command. */
const TRIAL_TIMEOUT_MS = 20_000;

/** The filters of `system-call-filter.ts`, as the build has written them. */
const FILTERS: Readonly<Partial<Record<string, string>>> = {
  x64: "bin/system-calls.x64.bpf",
  arm64: "bin/system-calls.arm64.bpf",
};

/** What the Node of nodejs.org is linked with. Another one may read more when it starts. */
const BASE_LIBRARY = /^(?:ld-|ld64|lib(?:c|dl|m|pthread|rt|gcc_s|stdc\+\+|atomic)\.)/;

export const NO_CONFINEMENT: Confinement = {
  name: "none",
  filtersCalls: false,
  launch: (node, { limits }) => ({ limits, command: node, filter: undefined }),
};

let found: Confinement | undefined;
let kept: KeptConfinement | undefined;

/**
 * Finds the strongest confinement that works for the Node that runs this: a system may have a
 * program and forbid it to use the kernel, as most containers do. Looks once; that the strongest
 * of those that are installed has worked is kept for other processes.
 * @param isTried starts Node even if that is known, as who diagnoses a machine does
 */
export function findConfinement({ isTried = false } = {}): Confinement {
  if (found !== undefined && !isTried) return found;
  const installed = NAMES.flatMap((name) => orUndefined(CANDIDATES[name]) ?? []);
  const [strongest] = installed;
  kept = orUndefined(() => findKept(strongest?.programs ?? []));
  found =
    strongest !== undefined && kept?.isKnown === true && !isTried
      ? strongest
      : (installed.find(isWorking) ?? NO_CONFINEMENT);
  if (found !== NO_CONFINEMENT && found === strongest) kept?.keep();
  else kept?.forget();
  return found;
}

/** What was known may have changed in a way that nothing shows: the next process tries again. */
export function doubtConfinement(): void {
  kept?.forget();
}

/** @returns the confinement of that name, if Node starts under it */
export function tryConfinement(name: Confinement["name"]): Confinement | undefined {
  if (name === "none") return NO_CONFINEMENT;
  const confinement = orUndefined(CANDIDATES[name]);
  return confinement !== undefined && isWorking(confinement) ? confinement : undefined;
}

function orUndefined<Value>(find: () => Value | undefined): Value | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** The strongest first. */
const NAMES = ["bwrap", "unshare", "sandbox-exec"] as const;

/** A confinement that may not work here, and the programs that it needs. */
interface Candidate extends Confinement {
  readonly programs: readonly string[];
}

const CANDIDATES: Readonly<Record<(typeof NAMES)[number], () => Candidate | undefined>> = {
  bwrap() {
    const program = findSystemProgram("bwrap");
    if (!isLinux() || program === undefined) return undefined;
    const entries = readRootEntries(nodeFiles());
    const filter = FILTERS[process.arch];
    return {
      name: "bwrap",
      programs: [program],
      filtersCalls: filter !== undefined,
      launch(node, { limits, isInspected }) {
        const isFiltered = filter !== undefined && !isInspected;
        const filterFd = isFiltered ? FILTER_FD : undefined;
        const options = { program, entries, sharesNetwork: isInspected, filterFd };
        return {
          limits,
          command: [...bubblewrapCommand(options), ...node],
          filter: isFiltered ? builtFile(filter) : undefined,
        };
      },
    };
  },

  unshare() {
    const names = ["unshare", "setpriv", "mount", "mkdir", "ln"] as const;
    const programs = Object.fromEntries(names.map((name) => [name, findSystemProgram(name)]));
    if (!isLinux() || Object.values(programs).includes(undefined)) return undefined;
    const entries = readRootEntries(nodeFiles());
    return {
      name: "unshare",
      programs: Object.values(programs as Record<string, string>),
      filtersCalls: false,
      launch: (node, { limits, isInspected }) => ({
        limits: ":",
        command: [
          ...unshareCommand({
            programs: programs as Record<(typeof names)[number], string>,
            entries,
            sharesNetwork: isInspected,
            limits,
          }),
          ...node,
        ],
        filter: undefined,
      }),
    };
  },

  "sandbox-exec"() {
    const program = findSystemProgram("sandbox-exec");
    if (process.platform !== "darwin" || program === undefined) return undefined;
    return {
      name: "sandbox-exec",
      programs: [program],
      filtersCalls: false,
      launch(node, { limits, isInspected }) {
        const profile = writeSandboxProfile(process.execPath, { sharesNetwork: isInspected });
        return {
          limits,
          command: [...sandboxExecCommand(program, profile), ...node],
          filter: undefined,
        };
      },
    };
  },
};

/** The limits are watched through the list of a process's children, which a kernel may not have. */
function isLinux(): boolean {
  return process.platform === "linux" && existsSync(`/proc/self/task/${process.pid}/children`);
}

let files: string[] | undefined;

function nodeFiles(): string[] {
  files ??= readProgramFiles(process.execPath);
  return files;
}

function findSystemProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Starts Node once: its version is answered before most of it is loaded. */
function isWorking({ launch }: Confinement): boolean {
  return orUndefined(() => answersVersion(launch)) === true;
}

function answersVersion(launch: Confinement["launch"]): boolean {
  const isPlain = files?.slice(1).every((path) => BASE_LIBRARY.test(basename(path))) ?? false;
  const node = [process.execPath, ...(isPlain ? ["--version"] : ["-p", "process.version"])];
  const { command, filter } = launch(node, { limits: ":", isInspected: false });
  const filterFd = filter === undefined ? undefined : openSync(filter, "r");
  try {
    const [program, ...args] = command as [string, ...string[]];
    const { status, stdout } = spawnSync(program, args, {
      cwd: "/",
      env: {},
      encoding: "utf8",
      timeout: TRIAL_TIMEOUT_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore", "ignore", filterFd ?? "ignore"],
    });
    return status === 0 && stdout.trim() === process.version;
  } finally {
    if (filterFd !== undefined) closeSync(filterFd);
  }
}
