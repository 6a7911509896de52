import { resolve } from "node:path";
import { isPackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";
import { failureIssues } from "./failure-issues.ts";
import { inParallel } from "./in-parallel.ts";
import { invalidPack } from "./invalid-pack.ts";
import { folderOf } from "./issue-files.ts";
import { type CheckedPack, type LoadPackOptions, loadPack } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";
import type { PackCache } from "./pack-cache.ts";
import { checkTypes } from "./type-check.ts";

export interface PacksResult {
  issues: Issue[];
  /** The first Pack that could not be built, loaded or used, else the errors among the issues; undefined when all is well. */
  failure: Failure | undefined;
  /** Packs whose types nothing checked, because no TypeScript is installed beside them. */
  unchecked: string[];
}

export interface EachPackOptions extends LoadPackOptions {
  /** Type-checks the Packs, too, where TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Gives back what was made of a Pack before. @default none */
  cache?: PackCache | undefined;
  /** Called after each Pack. */
  onLoaded?: ((done: number) => void) | undefined;
}

/** Whose turn it is, and how long the Pack took until then, in milliseconds. */
export interface PackTurn {
  file: string;
  loadMs: number;
}

type Outcome = { turn: PackTurn; pack: CheckedPack } | { turn: PackTurn; failure: Failure };

/**
 * Loads Packs, several at once, while their types are checked, then uses each in turn; one that fails becomes issues and does
 * not stop the rest.
 */
export async function eachPack(
  files: readonly string[],
  options: EachPackOptions,
  use: (pack: CheckedPack, turn: PackTurn) => Promise<void> = async () => {},
): Promise<PacksResult> {
  const checking = options.types === false ? { issues: [], unchecked: [] } : checkTypes(files, { cwd: options.cwd });
  let done = 0;
  const outcomes = await inParallel(files, async (file) => {
    const outcome = await load(file, options);
    options.onLoaded?.(++done);
    return outcome;
  });
  const { issues: typeIssues, unchecked } = await checking;
  const types = shareTypeIssues(typeIssues, outcomes, options.cwd);

  const issues: Issue[] = [];
  let failure: Failure | undefined;
  const fail = (found: Failure, file: string): void => {
    failure ??= found;
    issues.push(...failureIssues(found, file, options.cwd));
  };
  for (const outcome of outcomes) {
    const { turn } = outcome;
    if ("failure" in outcome) {
      fail(outcome.failure, turn.file);
      continue;
    }
    const pack = { ...outcome.pack, issues: [...outcome.pack.issues, ...withoutTold(types.of(outcome.pack), outcome.pack.issues)] };
    issues.push(...pack.issues);
    await use(pack, turn).catch((error: unknown) => fail(toFailure(error), turn.file));
  }
  // A file that several Packs share has its type errors once.
  const all = [...new Set([...issues, ...types.rest])];
  const invalid = invalidPack(all, "The definition");
  return { issues: all, failure: failure ?? (invalid === undefined ? undefined : toFailure(invalid)), unchecked };
}

async function load(file: string, options: EachPackOptions): Promise<Outcome> {
  const startedMs = performance.now();
  const turn = (): PackTurn => ({ file, loadMs: performance.now() - startedMs });
  const entry = resolve(options.cwd, file);
  try {
    const known = options.cache?.read(entry);
    if (known !== undefined) return { turn: turn(), pack: known };
    await using loaded = await loadPack(file, options);
    const { bundle, definition, issues } = loaded;
    options.cache?.write(entry, { bundle, definition, issues });
    return { turn: turn(), pack: { bundle, definition, issues } };
  } catch (error) {
    return { turn: turn(), failure: toFailure(error) };
  }
}

/** A rule says more than the compiler does of the same place. */
export function withoutTold(types: readonly Issue[], told: readonly Issue[]): Issue[] {
  const placeOf = ({ file, line, column }: Issue): string => `${file}:${line}:${column}`;
  const places = new Set(told.filter(({ severity }) => severity === "error").map(placeOf));
  return types.filter((issue) => !places.has(placeOf(issue)));
}

/**
 * Gives each Pack the type errors of its own files. Those of files that are in no bundle, such as files of types alone, go to
 * every Pack; when a Pack did not load they may be its own, and stand for themselves.
 */
function shareTypeIssues(
  issues: readonly Issue[],
  outcomes: readonly Outcome[],
  cwd: string,
): { of(pack: CheckedPack): Issue[]; rest: Issue[] } {
  const pathsOf = new Map<CheckedPack, Set<string>>();
  for (const outcome of outcomes) {
    if (!("pack" in outcome)) continue;
    const folder = folderOf(outcome.turn.file, cwd);
    pathsOf.set(outcome.pack, new Set(outcome.pack.bundle.sources.map(({ path }) => resolve(folder, path))));
  }
  const isIn = (paths: Set<string> | undefined, { file = "" }: Issue): boolean => paths?.has(resolve(cwd, file)) === true;
  const outside = issues.filter((issue) => ![...pathsOf.values()].some((paths) => isIn(paths, issue)));
  const failures = outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure.cause] : []));
  const isOfEveryPack = failures.length === 0;
  // What the compiler makes of a file that does not build adds nothing to what the build said of it.
  const rest = isOfEveryPack || failures.some((cause) => isPackError(cause, "PACK_BUILD_FAILED")) ? [] : outside;
  return {
    of: (pack) => issues.filter((issue) => isIn(pathsOf.get(pack), issue) || (isOfEveryPack && outside.includes(issue))),
    rest,
  };
}
