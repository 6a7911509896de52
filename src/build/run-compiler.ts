import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isFile, readRegularFile } from "../shared/files.ts";
import { type GuardedOptions, killGroup, spawnGuarded } from "../shared/guarded-process.ts";
import { realPath } from "../shared/project-boundary.ts";

/** Of one run, in characters. */
export const MAX_OUTPUT = 50_000_000;

/** The compiler is a program of the project: secrets in the environment are not its business. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SystemRoot",
  "TMPDIR",
  "TMP",
  "TEMP",
  "NODE_OPTIONS",
];

function environmentForCompiler(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  );
}

const PLAIN_OUTPUT = ["--pretty", "false", "--locale", "en"];

/** The whole of the compiler's script since TypeScript 7, in which it starts a native program. */
const NATIVE_SCRIPT = /^#!\/usr\/bin\/env node\s+import "\.\.\/lib\/tsc\.js";\s*$/;

/**
 * The program that the script of TypeScript 7 starts: without the script, a check takes half of the
 * time.
 */
function findNativeCompiler(compiler: string): string | undefined {
  try {
    if (!NATIVE_SCRIPT.test(readRegularFile(compiler).toString())) return undefined;
    const { resolve } = createRequire(realPath(compiler));
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const path = join(dirname(resolve(name)), "lib", "tsc");
    const program = process.platform === "win32" ? `${path}.exe` : path;
    return isFile(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * For a folder that is not trusted, where a few lines can describe a type of any size: 768 MiB, for
 * Node of its heap. 2,000 files with many types need two thirds of it. In kilobytes; Node reserves
 * more memory than it uses.
 */
const NATIVE_LIMIT = "ulimit -S -d 786432";
const NODE_LIMIT = "ulimit -S -d 1572864";
const HEAP_LIMIT = "--max-old-space-size=768";

export interface CompilerOptions {
  cwd: string;
  /** Whether the folder is trusted: the compiler gets any amount of memory. */
  isTrusted: boolean;
}

/** Starts a program or script of a compiler, which ends with this process. */
export function startCompiler(
  [program, ...args]: readonly [program: string, ...args: string[]],
  { cwd, isTrusted }: CompilerOptions,
  stdio: GuardedOptions["stdio"],
): ChildProcess {
  const options = { cwd, env: environmentForCompiler(), stdio };
  if (isTrusted) return spawnGuarded([program, ...args], options);
  return program === process.execPath
    ? spawnGuarded([program, HEAP_LIMIT, ...args], { ...options, limits: NODE_LIMIT })
    : spawnGuarded([program, ...args], { ...options, limits: NATIVE_LIMIT });
}

export interface CompilerRun {
  code: number | null;
  output: string;
  isTimeout: boolean;
}

/** Runs a compiler until it ends. */
export function runCompiler(
  compiler: string,
  flags: readonly string[],
  { timeoutMs, ...options }: CompilerOptions & { timeoutMs: number },
): Promise<CompilerRun> {
  return new Promise((resolveRun, reject) => {
    const native = findNativeCompiler(compiler);
    const [program, ...script] = native === undefined ? [process.execPath, compiler] : [native];
    const command = [program, ...script, ...flags, ...PLAIN_OUTPUT] as const;
    const child = startCompiler(command, options, ["ignore", "pipe", "ignore"]);
    let output = "";
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      killGroup(child);
    }, timeoutMs);
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      if (output.length < MAX_OUTPUT) output += chunk;
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolveRun({ code, output, isTimeout });
    });
  });
}
