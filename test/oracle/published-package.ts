import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
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

/** Asks the published package, in a process of Node 24. */
export async function askPublished<Result>(
  job: {
    kind:
      | "build"
      | "define"
      | "metadata"
      | "execute"
      | "exported"
      | "propertyNames"
      | "judge"
      | "evaluate";
  } & Record<string, unknown>,
): Promise<Result> {
  return await runPublished("other-side.cjs", job);
}

/**
 * Runs a fixture beside the published package, in a process of Node 24. @returns the document that
 * it writes
 */
export async function runPublished<Result>(fixture: string, job: object = {}): Promise<Result> {
  const script = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const child = spawn(join(folder ?? "", "node_modules/.bin/node"), [script, sdk ?? ""], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.end(JSON.stringify(job));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`The published package failed: ${stderr.slice(-2_000)}`);
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1)) as Result;
}
