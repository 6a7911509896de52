import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { usageError } from "../../errors.ts";
import { type RunFormulaOptions, type RunResult, runTarget } from "../../execute/run-target.ts";
import { saveTest } from "../../testing/save-test.ts";
import { createRunOptions } from "../run/run-options.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { RunRequest } from "../wire/run.ts";
import type { SaveView } from "../wire/timeline.ts";

export const saveRequest = z.object({
  kind: z.enum(["test", "cassette"]),
  file: z.string(),
  overwrites: z.boolean().default(false),
});

export interface SaveRunOptions {
  kind: "test" | "cassette";
  /** Relative to the project folder. */
  file: string;
  /** Replaces existing files. */
  overwrites: boolean;
  signal: AbortSignal;
}

/**
 * Runs something again and saves it: as a cassette, or as a test with its cassette. Files are
 * written only below the
 * project folder, and replaced only with `overwrites`.
 * @throws {PackError} USAGE_INVALID for a file elsewhere or of another kind; OUTPUT_NOT_WRITABLE
 */
export async function saveRun(
  session: DevSession,
  request: RunRequest,
  options: SaveRunOptions,
): Promise<SaveView> {
  const { kind, file, overwrites, signal } = options;
  const { cwd } = session.options;
  const path = projectFile(cwd, file, kind);
  const cassette = kind === "cassette" ? path : readCassette(path);
  const exists = [...new Set([path, cassette])]
    .filter(existsSync)
    .map((found) => formatPath(cwd, found));
  if (exists.length > 0 && !overwrites) return { written: false, exists };
  const run = runOptions(session, request, { record: cassette, signal });
  const result =
    kind === "test"
      ? (await saveTest({ ...run, testFile: path, overwrites })).run
      : await record(session, run);
  const files = [...new Set([path, cassette])]
    .filter(existsSync)
    .map((found) => formatPath(cwd, found));
  const failure = result.ok ? undefined : result.failure.error.message;
  // A run that failed before the Pack started has recorded nothing.
  if (result.cassette === undefined && !result.ok) throw result.failure.cause;
  return { written: true, files, requests: result.cassette?.requests ?? 0, failure };
}

/** File names for a run that do not exist yet. */
export function suggestNames(
  { options }: DevSession,
  target: string,
): { test: string; cassette: string } {
  const plain = target.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "run";
  const kebab = plain.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
  const free = (name: (count: string) => string): string => {
    for (let count = 1; count < 1_000; count++) {
      const candidate = name(count === 1 ? "" : `-${count}`);
      if (!existsSync(resolve(options.cwd, candidate))) return candidate;
    }
    return name("");
  };
  return {
    test: free((count) => `test/${kebab}${count}.test.ts`),
    cassette: free((count) => `test/cassettes/${kebab}${count}.json`),
  };
}

async function record(session: DevSession, options: RunFormulaOptions): Promise<RunResult> {
  const { formula, args, dynamicUrl } = options;
  await using pack = await session.openPack();
  await using run = runTarget(pack, { target: formula, args, dynamicUrl }, options);
  return await run.finish();
}

function runOptions(
  session: DevSession,
  request: RunRequest,
  own: Pick<RunFormulaOptions, "record" | "signal">,
): RunFormulaOptions {
  const { target, args, account, dynamicUrl } = request;
  return {
    ...createRunOptions(session),
    account,
    dynamicUrl,
    formula: target,
    args: { text: args },
    ...own,
  };
}

const NAMES = {
  test: [/\.(test|spec)\.[cm]?[jt]s$/, "Use a name such as test/list-tasks.test.ts."],
  cassette: [/\.json$/, "Use a name such as test/cassettes/list-tasks.json."],
} as const;

/** @throws {PackError} USAGE_INVALID */
function projectFile(cwd: string, file: string, kind: SaveRunOptions["kind"]): string {
  const [pattern, hint] = NAMES[kind];
  const path = resolve(cwd, file);
  if (/[\0\r\n]/.test(file) || !pattern.test(file))
    throw usageError(`This is not a valid file name for a ${kind}.`, hint);
  const isHidden = relative(cwd, path)
    .split(sep)
    .some((part) => part === "node_modules" || part.startsWith("."));
  if (!isBelow(cwd, path) || isHidden || !isBelow(realpathSync(cwd), findRealPath(path))) {
    throw usageError("The page can only write files in the project folder.", hint);
  }
  return path;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/**
 * The real path of a file that may not exist yet. A link in the path must not point out of the
 * project.
 */
function findRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(findRealPath(parent), relative(parent, path));
}

/** Where `saveTest` puts the cassette of a test by default. */
function readCassette(test: string): string {
  const name = relative(dirname(test), test).replace(/\.(test|spec)\.[cm]?[jt]s$/, "");
  return join(dirname(test), "cassettes", `${name}.json`);
}

function formatPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join("/");
}
