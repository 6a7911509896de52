import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isFile, readRegularFile } from "../shared/files.ts";
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

export function environmentForCompiler(): NodeJS.ProcessEnv {
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

export interface CompilerRun {
  code: number | null;
  output: string;
  isTimeout: boolean;
}

/** Runs a compiler until it ends. */
export function runCompiler(
  compiler: string,
  flags: readonly string[],
  cwd: string,
  timeoutMs: number,
): Promise<CompilerRun> {
  return new Promise((resolveRun, reject) => {
    // Since TypeScript 7 the script starts a native program: kill the process group to end both.
    const isGroup = process.platform !== "win32";
    const native = findNativeCompiler(compiler);
    const child = spawn(
      native ?? process.execPath,
      [...(native === undefined ? [compiler] : []), ...flags, ...PLAIN_OUTPUT],
      {
        cwd,
        env: environmentForCompiler(),
        stdio: ["ignore", "pipe", "ignore"],
        detached: isGroup,
        windowsHide: true,
      },
    );
    const end = (): void => {
      if (child.pid === undefined) return;
      if (isGroup) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    const stop = (): void => {
      try {
        end();
      } catch {
        // It has already ended.
      }
    };
    let output = "";
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      stop();
    }, timeoutMs);
    process.once("exit", stop);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (output.length < MAX_OUTPUT) output += chunk;
    });
    const done = (): void => {
      clearTimeout(timer);
      process.removeListener("exit", stop);
    };
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("close", (code) => {
      done();
      resolveRun({ code, output, isTimeout });
    });
  });
}
