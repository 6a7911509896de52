import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/**
 * A folder in which `node@24` and `@codahq/packs-sdk` are installed; CI makes one, and nothing of
 * it is part of this package.
 */
const folder = process.env["PACKSMITH_ORACLE"];
const sdk = folder === undefined ? undefined : join(folder, "node_modules/@codahq/packs-sdk");

export const hasPublishedPackage = sdk !== undefined && existsSync(join(sdk, "package.json"));

/** Where sources that import `@codahq/packs-sdk` find it. */
export const publishedModules: string = join(folder ?? "", "node_modules");

export interface Description {
  metadata?: Record<string, unknown>;
  /** What the published validator refuses. */
  problems?: { path: string; message: string }[];
  error?: string;
}

export type Answer =
  | { ok: true; result: unknown }
  | {
      ok: false;
      name: string;
      isUserVisible: boolean;
      message: string;
      statusCode?: number | undefined;
    };

type Job = {
  kind:
    | "build"
    | "define"
    | "metadata"
    | "execute"
    | "exported"
    | "propertyNames"
    | "judge"
    | "evaluate";
} & Record<string, unknown>;

let ask: ((job: Job) => Promise<unknown>) | undefined;

/**
 * Asks the published package, in a process of Node 24: one for each test file, and another one after
 * a job that ended it.
 */
export async function askPublished<Result>(job: Job): Promise<Result> {
  ask ??= startOtherSide();
  return (await ask(job)) as Result;
}

/**
 * The process ends with this one, which holds the other end of its standard input.
 * @returns a function that asks it: jobs are answered in their order
 */
function startOtherSide(): (job: Job) => Promise<unknown> {
  const child = spawnPublished("other-side.cjs", ["pipe", "ignore", "pipe", "pipe"]);
  const stdin = child.stdio[0] as Writable;
  const stderr = child.stdio[2] as Readable;
  const answers = child.stdio[3] as Readable;
  let problems = "";
  stderr.on("data", (chunk) => (problems += String(chunk)));
  const lines = createInterface({ input: answers })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    stdin.write(`${JSON.stringify(job)}\n`);
    const answer = last.then(async () => {
      const { value, done } = await lines.next();
      if (done === true) {
        ask = undefined;
        throw new Error(`The published package failed: ${problems}`);
      }
      const { result, error } = JSON.parse(value) as { result?: unknown; error?: string };
      if (error !== undefined) throw new Error(`The published package failed: ${error}`);
      return result;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}

/**
 * Runs a fixture beside the published package, in a process of Node 24. @returns the document that
 * it writes
 */
export async function runPublished<Result>(fixture: string): Promise<Result> {
  const child = spawnPublished(fixture, ["ignore", "pipe", "pipe"]);
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`The published package failed: ${stderr.slice(-2_000)}`);
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1)) as Result;
}

function spawnPublished(fixture: string, stdio: StdioOptions): ChildProcess {
  const script = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  return spawn(join(folder ?? "", "node_modules/.bin/node"), [script, sdk ?? ""], {
    stdio,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
}
