import childProcess, { type SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import * as esbuild from "esbuild";
import { PROGRAM_ENDED } from "./build-problems.ts";

/** What the program of esbuild needs of the environment. The rest may be secret. */
const NEEDED = /^(?:path|home|userprofile|tmpdir|temp|tmp|systemroot|go[a-z]+|esbuild_\w+)$/i;

/**
 * Kilobytes of memory, several times as many as a large project needs. A source of 100 kB can need
 * any number, because esbuild joins the texts of a long sum one by one, and keeps each of them.
 */
const LIMIT = "ulimit -S -d 1572864";
const SHELL = "/bin/sh";

// esbuild starts one program at its first use, and passes on the environment and the stderr of this
// process. The program prints nothing there until a source needs more memory than it gets, or has
// more levels than its stack: then it prints its stack, and ends.

/** The same as `build` of esbuild. After its program has ended, the next build starts another. */
export function build<Options extends esbuild.BuildOptions>(
  options: esbuild.SameShape<esbuild.BuildOptions, Options>,
): Promise<esbuild.BuildResult<Options>> {
  return withoutSharing(() => esbuild.build(options)).catch(replaceEndedProgram);
}

/** A build that is repeated, and that parses only what has changed. */
export interface WarmBuild {
  rebuild(): Promise<esbuild.BuildResult>;
  dispose(): Promise<void>;
}

export async function createWarmBuild(options: esbuild.BuildOptions): Promise<WarmBuild> {
  const start = () => withoutSharing(() => esbuild.context(options));
  let warm: esbuild.BuildContext | undefined = await start().catch(replaceEndedProgram);
  return {
    async rebuild() {
      try {
        warm ??= await start();
        return await warm.rebuild();
      } catch (error) {
        if (hasEnded(error)) warm = undefined;
        return replaceEndedProgram(error);
      }
    },
    dispose: async () => await warm?.dispose(),
  };
}

/** esbuild keeps the program that has ended, so that each later build would fail. */
function replaceEndedProgram(error: unknown): never {
  if (!hasEnded(error)) throw error;
  void esbuild.stop();
  throw new Error(PROGRAM_ENDED, { cause: error });
}

function hasEnded(error: unknown): boolean {
  return /^The service (?:was stopped|is no longer running)/.test((error as Error).message);
}

/** @param start starts the program, if it does, before it returns */
function withoutSharing<Result>(start: () => Result): Result {
  const { env } = process;
  const { spawn } = childProcess;
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
  const spawnQuietly = (program: string, args: readonly string[], options: SpawnOptions) => {
    const limited = ["-c", `{ ${LIMIT}; } 2>/dev/null; exec "$0" "$@"`, program, ...args];
    const [file, words] = existsSync(SHELL) ? [SHELL, limited] : [program, args];
    return spawn(file, words, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  };
  childProcess.spawn = spawnQuietly as typeof spawn;
  try {
    return start();
  } finally {
    process.env = env;
    childProcess.spawn = spawn;
  }
}
