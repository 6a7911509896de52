import { resolve } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { bundleAhead } from "../bundle/bundle-pack.ts";
import { isPackError } from "../errors.ts";
import { loadRules, type OpenPackOptions, type Pack, readPack } from "../execute/open-pack.ts";
import { failureIssues, folderOf, invalidPack } from "../execute/pack-issues.ts";
import { createDefinitionReader, type DefinitionReader } from "../sandbox/host/load-bundle.ts";
import { inParallel } from "../shared/concurrency.ts";
import { type Failure, toFailure } from "../shared/failures.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import { withoutMisspelt, withoutReported } from "./misspelt-keys.ts";
import type { PackCache } from "./pack-cache.ts";
import type { TypeCache } from "./type-cache.ts";
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

export interface EachPackOptions extends OpenPackOptions {
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Packs from earlier builds. @default none */
  cache?: PackCache | undefined;
  /** What earlier checks of the types found. @default none */
  typeCache?: TypeCache | undefined;
  /** Keeps the texts of the sources, which you need to change them. @default false */
  keepSources?: boolean | undefined;
  /** Stops the work with the reason of the signal, but never while `use` is running. */
  signal?: AbortSignal | undefined;
  /** Called after each Pack. */
  onLoaded?: ((done: number) => void) | undefined;
}

/**
 * The entry file of a Pack, how long it took to load, in milliseconds, and whether it came from the
 * cache.
 */
export interface PackTurn {
  file: string;
  loadMs: number;
  isCached: boolean;
}

type Outcome =
  | { turn: PackTurn; pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues"> }
  | { turn: PackTurn; failure: Failure };

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
      : checkTypes(files, { cwd: options.cwd, cache: options.typeCache });
  let done = 0;
  const { signal } = options;
  const known = readKnown(files, options, () => options.onLoaded?.(++done));
  const unknown = files.filter((file) => !known.has(file));
  await using reader = createDefinitionReader(unknown.length);
  const bundleOf = bundleAhead(unknown, { ...options, onStart: loadRules });
  const loading = inParallel(files, async (file) => {
    signal?.throwIfAborted();
    const kept = known.get(file);
    if (kept !== undefined) return kept;
    const outcome = await load(file, bundleOf(file), options, reader);
    options.onLoaded?.(++done);
    return outcome;
  });
  const [outcomes, { issues: typeIssues, unchecked }] = await unlessAborted(
    Promise.all([loading, checking]),
    signal,
  );
  const types = shareTypeIssues(typeIssues, outcomes, options.cwd);

  const issues: Issue[] = [];
  const failures: PacksReport["failures"] = [];
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
    signal?.throwIfAborted();
    await use(pack, turn).catch((error: unknown) => fail(toFailure(error), turn.file));
  }
  // The type errors of a file that several Packs share are reported once.
  const all = [...new Set([...issues, ...types.rest])];
  const invalid = invalidPack(all, "The definition");
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
): Map<string, Outcome> {
  const known = new Map<string, Outcome>();
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

async function load(
  file: string,
  bundling: Promise<Bundle>,
  options: EachPackOptions,
  reader: DefinitionReader,
): Promise<Outcome> {
  let startedMs = uptimeMs();
  const turn = (): PackTurn => ({ file, loadMs: uptimeMs() - startedMs, isCached: false });
  try {
    // A Pack that waited for others to be bundled did not take longer because of that.
    const timed = bundling.then((bundle) => {
      startedMs = uptimeMs() - bundle.durationMs;
      return bundle;
    });
    const pack = await readPack(file, options, timed, reader);
    options.cache?.write(resolve(options.cwd, file), pack);
    if (options.keepSources === true) return { turn: turn(), pack };
    // The texts were needed to find where the issues are. Those of all Packs together are too much
    // to keep.
    const sources = pack.bundle.sources.map(({ path }) => ({ path, text: "" }));
    return { turn: turn(), pack: { ...pack, bundle: { ...pack.bundle, sources } } };
  } catch (error) {
    return { turn: turn(), failure: toFailure(error) };
  }
}

/**
 * Gives each Pack the type errors of its own files. Files that are in no bundle, such as files with
 * only types, count for every
 * Pack. When a Pack did not load, those files may belong to it, and their errors are in `rest`.
 */
function shareTypeIssues(
  issues: readonly Issue[],
  outcomes: readonly Outcome[],
  cwd: string,
): {
  of(file: string): Issue[];
  rest: Issue[];
} {
  const pathsOf = new Map<string, Set<string>>();
  for (const outcome of outcomes) {
    if (!("pack" in outcome)) continue;
    const { file } = outcome.turn;
    const folder = folderOf(file, cwd);
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
