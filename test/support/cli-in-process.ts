import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createProgram } from "../../src/cli/program.ts";
import { runCli as runCommandLine } from "../../src/cli/run.ts";
import { findFacts } from "../../src/cli/verb.ts";
import { createJsonSchema, listVerbs } from "../../src/cli/verbs/schema.ts";
import { loadRules } from "../../src/execute/open-pack.ts";
import { type CliRun, createRun } from "./cli-run.ts";
import { checkJsonOutput } from "./json-output.ts";
import { runFolder } from "./make-once.ts";
import { plainEnv } from "./plain-env.ts";

const SOURCES = { createProgram, findFacts, listVerbs, createJsonSchema };

export interface CliOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  columns?: number | undefined;
}

/** Runs a command line in this process, as `cli.ts` does as a child process. */
export async function runCli(
  args: readonly string[],
  options: Partial<CliOptions> = {},
): Promise<CliRun> {
  const run = startCli(args, { cwd: process.cwd(), ...options });
  const code = await run.ended;
  await checkJsonOutput(args, run.stdout(), () => SOURCES);
  return createRun(code, run.stdout(), run.stderr());
}

export interface RunningCli {
  /** Everything on stderr so far. */
  stderr(): string;
  stdout(): string;
  /** Resolves with the first match on stderr, or with undefined when the command ends before. */
  seen(pattern: RegExp): Promise<RegExpExecArray | undefined>;
  /** The exit code. */
  ended: Promise<number>;
}

/** Runs a command line in this process, on streams instead of a terminal. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  let [stdout, stderr] = ["", ""];
  const listeners = new Set<() => void>();
  const collect = (add: (text: string) => void) => {
    const stream = new PassThrough();
    stream.on("data", (chunk) => {
      add(String(chunk));
      for (const listener of listeners) listener();
    });
    return stream;
  };
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? "");
  const ended = runCommandLine(args, {
    stdout: Object.assign(
      collect((text) => (stdout += text)),
      options.columns === undefined ? {} : { columns: options.columns },
    ),
    stderr: collect((text) => (stderr += text)),
    stdin,
    env: { ...plainEnv(), PACKSMITH_HOME: workerHome(), ...options.env },
    cwd: options.cwd,
    // A command that ends early has begun to load them, and nothing may load after a test file.
  }).finally(loadRules);
  return {
    stderr: () => stderr,
    stdout: () => stdout,
    ended,
    seen(pattern) {
      const match = new Promise<RegExpExecArray>((resolve) => {
        const look = () => {
          const found = pattern.exec(stderr);
          if (found === null) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      });
      return Promise.race([match, ended.then(() => undefined)]);
    },
  };
}

/** Commands must neither read nor change the vault of the user. The run removes this folder. */
function workerHome(): string {
  return join(runFolder(), `home-${process.env["VITEST_POOL_ID"]}`);
}
