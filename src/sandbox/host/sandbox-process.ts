import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { parse } from "node:path";
import type { Readable, Writable } from "node:stream";
import { hasShell, killGroup, spawnGuarded } from "../../shared/guarded-process.ts";
import { builtFile } from "../../shared/own-package.ts";
import { encodeFrame } from "../frame.ts";
import {
  type Confinement,
  doubtConfinement,
  findConfinement,
  type Launch,
  NO_CONFINEMENT,
} from "./confinement.ts";

/**
 * A process with an empty sandbox, before a bundle is loaded. Start it while the bundler runs, to
 * hide its start-up time.
 */
export interface SandboxProcess extends AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly memoryLimitMb: number;
  /** A debugger is in charge: there are no limits. */
  readonly isInspected: boolean;
}

/** A debugger that a sandbox waits for before it runs anything. */
export interface InspectOptions {
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** Receives the address for debuggers, once for each process. It contains a random id. */
  onListening(url: string): void;
}

/** The memory limit of the document service. */
const MEMORY_LIMIT_MB = 128;
/** What fits into every process: a debugger holds on to more than a Pack. */
const INSPECTED_MEMORY_MB = 2048;
const MIB = 1024 * 1024;

/**
 * Reads the first text from the pipe, and runs it: without access to files, Node cannot read a
 * script.
 */
const READ_SCRIPT = `const { readSync } = require("fs");
const read = (length) => {
  const bytes = Buffer.alloc(length);
  for (let at = 0, count; at < length; at += count) if ((count = readSync(0, bytes, at, length - at, null)) === 0) process.exit();
  return bytes;
};
const text = read(read(5).readUInt32LE()).toString();
new (require("vm").Script)(text, { filename: "packsmith:process" }).runInThisContext();`;

/**
 * What the kernel holds the process to, whatever happens in it and to this process: seconds of
 * processor time, kilobytes of memory,
 * files that it writes, core dumps, open files. Node reserves up to 600 MB of the memory without
 * using it.
 */
export const KERNEL_LIMITS: string =
  process.platform === "linux"
    ? "ulimit -t 3600; ulimit -d 2621440; ulimit -f 0; ulimit -c 0; ulimit -n 64"
    : ":";

let script: Buffer | undefined;

export interface SandboxProcessOptions {
  /** Memory limit of the Pack in MiB. @default 128 */
  memoryLimitMb?: number | undefined;
  /**
   * Waits for a debugger. Node's permission model excludes one, and the process keeps the network
   * of this machine; the rest of what the kernel denies stays.
   */
  inspect?: InspectOptions | undefined;
  /** @default the strongest that works on this machine */
  confinement?: Confinement | undefined;
}

type StartProcess = (options: SandboxProcessOptions) => SandboxProcess;

let startProcess: StartProcess = startNewProcess;

/**
 * Most tests are not about the processes. They use each process for several Packs, because starting
 * one takes longer than the rest of the test.
 */
export function useProcessStarter(replacement: StartProcess): void {
  startProcess = replacement;
}

/** The same as `startNewProcess`, except in tests that share processes. */
export function startSandboxProcess(options: SandboxProcessOptions = {}): SandboxProcess {
  return startProcess(options);
}

/**
 * Starts a process without environment variables and without access to files, other processes,
 * threads and native code. It ends
 * with this process, except that on Windows it outlives a kill of this process while the Pack's
 * code loops.
 */
export function startNewProcess(options: SandboxProcessOptions = {}): SandboxProcess {
  const { inspect } = options;
  const memoryLimitMb =
    inspect === undefined ? (options.memoryLimitMb ?? MEMORY_LIMIT_MB) : INSPECTED_MEMORY_MB;
  // Always the built file: it contains the text of several modules.
  script ??= encodeFrame(readFileSync(builtFile("bin/sandbox-process.cjs"), "utf8"), false);
  const node = [
    process.execPath,
    ...(inspect === undefined
      ? processFlags(memoryLimitMb)
      : inspectedFlags(memoryLimitMb, inspect.port)),
    "-e",
    READ_SCRIPT,
  ] as const;
  const confinement = hasShell() ? (options.confinement ?? findConfinement()) : NO_CONFINEMENT;
  const isInspected = inspect !== undefined;
  const child = spawnLaunch(confinement.launch(node, { limits: KERNEL_LIMITS, isInspected }));
  if (options.confinement === undefined) doubtAfterFailedStart(child);
  // An early failure must not end this process; `createSandboxChannel` notices it by the end of the
  // child.
  child.on("error", () => undefined);
  for (const pipe of child.stdio) pipe?.on("error", () => undefined);
  child.stdin.write(script);
  child.stdin.write(encodeFrame(String(memoryLimitMb * MIB), false));
  if (inspect !== undefined) announceInspector(child.stderr, inspect);
  unrefProcess(child);
  return {
    child,
    memoryLimitMb,
    isInspected,
    [Symbol.asyncDispose]: () => endProcess(child),
  };
}

function doubtAfterFailedStart(child: SandboxProcess["child"]): void {
  child.once("exit", (code) => {
    const hasAnswered = (child.stdout as Socket).bytesRead > 0;
    if (code !== null && code !== 0 && !hasAnswered) doubtConfinement();
  });
}

/** Starts a command as that of a sandbox is started: with four pipes, limits and no environment. */
export function spawnLaunch({ limits, command, filter }: Launch): SandboxProcess["child"] {
  const filterFd = filter === undefined ? undefined : openSync(filter, "r");
  try {
    return spawnGuarded(command, {
      cwd: parse(process.execPath).root,
      env: { TZ: readTimeZone() },
      stdio: ["pipe", "pipe", "pipe", ...(filterFd === undefined ? [] : [filterFd])],
      limits,
    }) as SandboxProcess["child"];
  } finally {
    if (filterFd !== undefined) closeSync(filterFd);
  }
}

/** It is part of what a Pack computes, and the process cannot read the files that say it. */
export function readTimeZone(): string {
  const { TZ } = process.env;
  const isFile = TZ === undefined || /^:?\//.test(TZ);
  return isFile ? Intl.DateTimeFormat().resolvedOptions().timeZone : TZ;
}

/** What Node is started with. */
export function processFlags(memoryLimitMb: number): string[] {
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  return [
    isStable ? "--permission" : "--experimental-permission",
    "--no-addons",
    "--disallow-code-generation-from-strings",
    // The permission model lets the database of Node 22 and 24 open every file.
    ...(process.allowedNodeEnvironmentFlags.has("--experimental-sqlite")
      ? ["--no-experimental-sqlite"]
      : []),
    // For `process/node-internals.ts`.
    "--expose-internals",
    "--no-warnings",
    "--input-type=commonjs",
    `--max-old-space-size=${Math.round(memoryLimitMb * 1.5)}`,
  ];
}

/** The same, with the inspector in place of the permissions, which exclude each other. */
function inspectedFlags(memoryLimitMb: number, port: number): string[] {
  const [, ...flags] = processFlags(memoryLimitMb);
  return [`--inspect-wait=127.0.0.1:${port}`, ...flags];
}

function announceInspector(stderr: Readable, { onListening }: InspectOptions): void {
  let text = "";
  const look = (chunk: Buffer): void => {
    text += chunk.toString("latin1");
    const [, url] = /^Debugger listening on (ws:\/\/\S+)\n/m.exec(text) ?? [];
    if (url === undefined) return;
    stderr.off("data", look);
    onListening(url);
  };
  stderr.on("data", look);
}

/** Ends the process at once, whatever it does. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.ref();
  killGroup(child);
  await ended;
}

type HasRef = { ref(): void; unref(): void };

/** The child and its pipes. A file that it got is none of them. */
function listHandles(child: SandboxProcess["child"]): HasRef[] {
  return [child, ...child.stdio].filter((part) => part !== null) as unknown as HasRef[];
}

/** Keeps this process alive until the child answers. */
export function refProcess(child: SandboxProcess["child"]): void {
  for (const part of listHandles(child)) part.ref();
}

export function unrefProcess(child: SandboxProcess["child"]): void {
  for (const part of listHandles(child)) part.unref();
}
