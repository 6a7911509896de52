import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type BuildRecord, createBuildRecord } from "../bundle/build-record.ts";
import { bundleParts, compareParts } from "../bundle/bundle-parts.ts";
import { checkBudget } from "../bundle/bundle-size.ts";
import { whyImported } from "../bundle/import-graph.ts";
import { packNames } from "../bundle/pack-names.ts";
import {
  findBuiltEntry,
  folderOfBuild,
  notABuild,
  readBuild,
  readFacts,
} from "../bundle/read-build.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import { writeBundle } from "../bundle/write-bundle.ts";
import type { PackError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import {
  failureIssues,
  getFolder,
  invalidPacks,
  placeIssues,
  stopsBuild,
} from "../execute/pack-issues.ts";
import { toFailure } from "../shared/failures.ts";
import { createRootFinder, isInside, realPath, requireInside } from "../shared/project-boundary.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import type { BuildResult } from "./build-result.ts";
import { createCacheKeys } from "./cache-keys.ts";
import {
  type CacheOptions,
  openChosenHazardCache,
  openChosenTypeCache,
  resolveCacheFolder,
} from "./cache-options.ts";
import { eachPack, type PacksReport } from "./each-pack.ts";
import { nameConflict, outputConflict } from "./name-conflict.ts";
import { openPackCache, type PackCache, type PackCacheOptions } from "./pack-cache.ts";

export interface BuildPacksOptions extends CacheOptions {
  /** Each Pack gets a folder of its name in it. */
  outDir: string;
  /** @default true */
  minify?: boolean | undefined;
  /** How to replace timers, which the Pack runtime does not have. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Limit for each bundle. A larger one is an error and is not written. @default none */
  budgetBytes?: number | undefined;
  /** Name of a package or file: finds the imports that bring it into each bundle. */
  why?: string | undefined;
  /**
   * Compares the size of each bundle with this build, or with the one that is replaced (`last`).
   */
  compare?: string | undefined;
  /**
   * Writes esbuild's `metafile.json` next to each bundle. Analyzers of bundles read it. The cache is
   * not used.
   * @default false
   */
  metafile?: boolean | undefined;
  /**
   * Stops the build with the reason of the signal. A Pack that is being written is finished first.
   */
  signal?: AbortSignal | undefined;
  /** Called after each Pack. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface BuildReport extends PacksReport {
  ok: boolean;
  packs: BuildResult[];
}

/**
 * Builds several Packs at once. A Pack with an error in its definition or its types is not written,
 * unless only an upload would be refused, and does not stop the others.
 * Neither are Packs that would be written to the same folder: PACK_NAME_CONFLICT.
 */
export async function buildPacks(
  files: readonly string[],
  options: BuildPacksOptions,
): Promise<BuildReport> {
  const { cwd, minify = true, timerStrategy, types, signal, onProgress } = options;
  const names = packNames(files.map((file) => resolve(cwd, file)));
  const conflicts = nameConflicts(files, names, cwd);
  const distinct = files.filter((file) => !conflicts.has(file));
  const packs: BuildResult[] = [];
  const overBudget: Issue[] = [];
  const findRoot = createRootFinder();
  const keys = createCacheKeys();
  const place = {
    root: realPath(findRoot(cwd)),
    entries: files.map((file) => resolve(cwd, file)),
  };
  const loading = {
    cwd,
    minify,
    timerStrategy,
    types,
    signal,
    // A Pack in the cache has no metafile.
    cache:
      options.cache === false || options.metafile === true
        ? undefined
        : openCache(options, { findRoot, keys }),
    typeCache: openChosenTypeCache(options, keys),
    hazardStore: openChosenHazardCache(options),
    findRoot,
    onLoaded: (done: number) => onProgress?.(done, distinct.length),
  };
  const result = await eachPack(distinct, loading, async (opened, { file, loadMs, isCached }) => {
    const startedMs = uptimeMs();
    const pack = withName(opened, names.get(resolve(cwd, file)));
    const tooLarge = (
      options.budgetBytes === undefined ? [] : checkBudget(pack.bundle, options.budgetBytes)
    ).map((issue) => ({
      ...issue,
      message: `${pack.bundle.name}: ${issue.message}`,
      file: basename(file),
      line: 1,
      column: 1,
    }));
    overBudget.push(...placeIssues(tooLarge, getFolder(file, cwd), cwd));
    if ([...pack.issues, ...tooLarge].some(stopsBuild)) return;
    const built = await writePack(pack, options, place);
    const cache = loading.cache === undefined ? "off" : isCached ? "hit" : "miss";
    packs.push({
      ...built,
      entry: resolve(cwd, file),
      cache,
      durationMs: loadMs + uptimeMs() - startedMs,
    });
  });
  const { failure, issues, ...rest } = withIssues(
    withConflicts(result, conflicts, cwd),
    overBudget,
    files.length,
  );
  return { ok: failure === undefined, packs, issues, failure, ...rest };
}

function openCache(
  options: BuildPacksOptions,
  shared: Pick<PackCacheOptions, "findRoot" | "keys">,
): PackCache {
  const { cwd, minify = true, timerStrategy } = options;
  const folder = resolveCacheFolder(options);
  return openPackCache({ cwd, folder, options: { minify, timerStrategy }, ...shared });
}

/** The same Pack under the name that it has among the others. */
export function withName<Named extends Pick<Pack, "bundle">>(
  pack: Named,
  name = pack.bundle.name,
): Named {
  return { ...pack, bundle: { ...pack.bundle, name } };
}

/** The Packs whose names other Packs have, with the error for each. */
function nameConflicts(
  files: readonly string[],
  names: ReadonlyMap<string, string>,
  cwd: string,
): Map<string, PackError> {
  const byName = new Map<string, Set<string>>();
  for (const [path, name] of names) byName.set(name, (byName.get(name) ?? new Set()).add(path));
  const conflicts = new Map<string, PackError>();
  for (const file of files) {
    const path = resolve(cwd, file);
    const name = names.get(path) ?? "";
    const others = [...(byName.get(name) ?? [])].filter((each) => each !== path);
    if (others.length > 0) conflicts.set(file, nameConflict(name, [path, ...others]));
  }
  return conflicts;
}

function withConflicts(
  result: PacksReport,
  conflicts: ReadonlyMap<string, PackError>,
  cwd: string,
): PacksReport {
  const failures = [...conflicts].map(([file, error]) => ({ file, failure: toFailure(error) }));
  const issues = failures.flatMap(({ file, failure }) => failureIssues(failure, file, cwd));
  return {
    ...result,
    issues: [...result.issues, ...issues],
    failure: result.failure ?? failures[0]?.failure,
  };
}

/** @param more an issue for each bundle that is too large */
function withIssues(result: PacksReport, more: readonly Issue[], total: number): PacksReport {
  if (more.length === 0) return result;
  const issues = [...result.issues, ...more];
  const invalid = invalidPacks(issues, { invalid: more.length, total });
  return {
    ...result,
    issues,
    failure: result.failure ?? (invalid === undefined ? undefined : toFailure(invalid)),
  };
}

const DEFAULT_FOLDER = "build";

/** Where a command may write. */
export interface OutputPlace {
  /** The real path of the project of the working folder. */
  root: string;
  /** Absolute paths of all entries of the command: their earlier outputs may be replaced. */
  entries: readonly string[];
}

/**
 * Writes a checked Pack into its folder, and collects the facts that the options ask for.
 * @throws {PackError} PACK_NAME_CONFLICT the folder contains the build of a Pack that is not a part
 *   of the command; those of `writeBundle`
 */
export async function writePack(
  { bundle, compiled }: Pick<Pack, "bundle" | "compiled">,
  options: BuildPacksOptions,
  { root, entries }: OutputPlace,
): Promise<Omit<BuildResult, "entry" | "cache" | "durationMs">> {
  const outDir = resolve(options.cwd, options.outDir);
  const { name, bytes, gzipBytes, sha256, inputs } = bundle;
  const parts = bundleParts(inputs);
  // A path that the user passes may be anywhere, but a link of the project leads nowhere else.
  const isDefault = options.outDir === DEFAULT_FOLDER;
  const directory = join(outDir, name);
  requireInside(isDefault ? root : outDir, directory);
  requireNoOther(directory, bundle, entries);
  const before = readCompared(options, directory);
  // Outside of the project, a path to the entry would tell where the project is.
  const isInProject = [directory, dirname(bundle.entry)].every((path) =>
    isInside(root, realPath(path)),
  );
  const record = createBuildRecord(bundle, compiled, isInProject ? directory : undefined);
  const { directory: _, ...written } = await writeBundle(bundle, record, outDir);
  const metafile = join(directory, "metafile.json");
  if (options.metafile === true) rmSync(metafile, { force: true });
  if (options.metafile === true) writeFileSync(metafile, JSON.stringify(bundle.metafile));
  return {
    name,
    ...written,
    bytes,
    gzipBytes,
    sha256,
    parts,
    ...(bundle.mainEntries.length > 0 ? { mainEntries: bundle.mainEntries } : {}),
    ...(options.metafile === true ? { metafile } : {}),
    ...(before === undefined ? {} : { changes: compareParts(bundleParts(before.inputs), parts) }),
    ...(options.why === undefined ? {} : { why: whyImported(bundle.imports, options.why) }),
  };
}

/** @throws {PackError} PACK_NAME_CONFLICT */
function requireNoOther(
  directory: string,
  { name, entry }: Pick<Pack["bundle"], "name" | "entry">,
  entries: readonly string[],
): void {
  const other = findBuiltEntry(directory);
  if (other === undefined) return;
  const path = realPath(other);
  if ([entry, ...entries].some((each) => realPath(each) === path)) return;
  throw outputConflict(directory, { name, entry, other });
}

/**
 * If the last build was stopped while it wrote, its facts are still the complete ones of the build
 * before. A file with another name
 * is a copy of a build.json, without the other files.
 * @throws {PackError} USAGE_INVALID when the path is not a build; BUILD_INCOMPLETE
 */
function readCompared(
  { compare, cwd }: BuildPacksOptions,
  last: string,
): Omit<BuildRecord, "metadata"> | undefined {
  if (compare === undefined) return undefined;
  if (compare === "last") return readFacts(join(last, "build.json"));
  const path = resolve(cwd, compare);
  const facts = readBuild(folderOfBuild(path)) ?? readFacts(path);
  if (facts === undefined) throw notABuild(path);
  return facts;
}
