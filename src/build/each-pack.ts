import { resolve } from "node:path";
import { isPackError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { failureIssues, getFolder, invalidPacks } from "../execute/pack-issues.ts";
import { type Failure, toFailure } from "../shared/failures.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import { withoutMisspelt, withoutReported } from "./misspelt-keys.ts";
import type { PackLoader } from "./pack-loader.ts";
import type { EachPackOptions, PackOutcome, PackTurn } from "./pack-outcome.ts";
import { checkTypes } from "./type-check.ts";

export interface PacksReport {
  issues: Issue[];
  /**
   * The first Pack that could not be built, loaded or used, or else the errors among the issues;
   * undefined without either.
   */
  failure: Failure | undefined;
  /** Each Pack that could not be built, loaded or used. */
  failures: { file: string; failure: Failure }[];
  /** Packs whose types were not checked, because TypeScript is not installed there. */
  unchecked: string[];
}

/**
 * Loads several Packs at once while their types are checked, then calls `use` for one after the
 * other. A Pack that fails becomes
 * issues and does not stop the others.
 */
export async function eachPack(
  files: readonly string[],
  options: EachPackOptions,
  use: (
    pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">,
    turn: PackTurn,
  ) => Promise<void> = async () => {},
): Promise<PacksReport> {
  const checking =
    options.types === false
      ? { issues: [], unchecked: [] }
      : checkTypes(files, {
          cwd: options.cwd,
          cache: options.typeCache,
          findRoot: options.findRoot,
        });
  let done = 0;
  const { signal } = options;
  const known = readKnown(files, options, () => options.onLoaded?.(++done));
  const unknown = files.filter((file) => !known.has(file));
  await using loader = await openLoader(unknown, options);
  const [loaded, { issues: typeIssues, unchecked }] = await unlessAborted(
    Promise.all([loader?.loadAll(() => options.onLoaded?.(++done)), checking]),
    signal,
  );
  const outcomes = files.flatMap((file) => known.get(file) ?? loaded?.get(file) ?? []);
  const types = shareTypeIssues(typeIssues, outcomes, options.cwd);

  const issues: Issue[] = [];
  const failures: PacksReport["failures"] = [];
  let invalidCount = 0;
  const fail = (failure: Failure, file: string): void => {
    failures.push({ file, failure });
    issues.push(...failureIssues(failure, file, options.cwd));
  };
  for (const outcome of outcomes) {
    const { turn } = outcome;
    if ("failure" in outcome) {
      fail(outcome.failure, turn.file);
      continue;
    }
    const typeErrors = withoutReported(types.of(turn.file), outcome.pack.issues, options.cwd);
    const pack = {
      ...outcome.pack,
      issues: [...withoutMisspelt(outcome.pack.issues, typeErrors), ...typeErrors],
    };
    issues.push(...pack.issues);
    if (pack.issues.some(({ severity }) => severity === "error")) invalidCount++;
    signal?.throwIfAborted();
    await use(pack, turn).catch((error: unknown) => fail(toFailure(error), turn.file));
  }
  // The type errors of a file that several Packs share are reported once.
  const all = [...new Set([...issues, ...types.rest])];
  const invalid = invalidPacks(all, { invalid: invalidCount, total: files.length });
  const failure = failures[0]?.failure ?? (invalid === undefined ? undefined : toFailure(invalid));
  return { issues: all, failure, failures, unchecked };
}

/** @throws the signal's reason, without waiting for the work to end */
async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return await work;
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

/** Reads the cache before anything is built: the other Packs are built together. */
function readKnown(
  files: readonly string[],
  { cache, cwd }: EachPackOptions,
  onRead: () => void,
): Map<string, PackOutcome> {
  const known = new Map<string, PackOutcome>();
  if (cache === undefined) return known;
  for (const file of files) {
    const startedMs = uptimeMs();
    const pack = cache.read(resolve(cwd, file));
    if (pack === undefined) continue;
    known.set(file, { turn: { file, loadMs: uptimeMs() - startedMs, isCached: true }, pack });
    onRead();
  }
  return known;
}

/** What loads Packs is not needed for those in the cache. */
async function openLoader(
  files: readonly string[],
  options: EachPackOptions,
): Promise<PackLoader | undefined> {
  if (files.length === 0) return undefined;
  const { createPackLoader } = await import("./pack-loader.ts");
  return createPackLoader(files, options);
}

/**
 * Gives each Pack the type errors of its own files. Files that are in no bundle, such as files with
 * only types, count for every
 * Pack. When a Pack did not load, those files may belong to it, and their errors are in `rest`.
 */
function shareTypeIssues(
  issues: readonly Issue[],
  outcomes: readonly PackOutcome[],
  cwd: string,
): {
  of(file: string): Issue[];
  rest: Issue[];
} {
  const pathsOf = new Map<string, Set<string>>();
  for (const outcome of outcomes) {
    if (!("pack" in outcome)) continue;
    const { file } = outcome.turn;
    const folder = getFolder(file, cwd);
    pathsOf.set(
      file,
      new Set(outcome.pack.bundle.sources.map(({ path }) => resolve(folder, path))),
    );
  }
  const isIn = (paths: Set<string> | undefined, { file = "" }: Issue): boolean =>
    paths?.has(resolve(cwd, file)) === true;
  const outside = issues.filter(
    (issue) => ![...pathsOf.values()].some((paths) => isIn(paths, issue)),
  );
  const failures = outcomes.flatMap((outcome) =>
    "failure" in outcome ? [outcome.failure.cause] : [],
  );
  const isOfEveryPack = failures.length === 0;
  // When a file does not build, the build has already reported why.
  const rest =
    isOfEveryPack || failures.some((cause) => isPackError(cause, "PACK_BUILD_FAILED"))
      ? []
      : outside;
  return {
    of: (file) =>
      issues.filter(
        (issue) => isIn(pathsOf.get(file), issue) || (isOfEveryPack && outside.includes(issue)),
      ),
    rest,
  };
}
