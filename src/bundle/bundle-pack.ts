import { dirname, resolve } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { readStats } from "../shared/files.ts";
import { uptimeMs } from "../shared/time.ts";
import { assembleBundle, type Beginning } from "./assemble-bundle.ts";
import { explainMissingNames, packagesThatLackNames } from "./build-problems.ts";
import type { Bundle } from "./bundle.ts";
import {
  type BundleOptions,
  type BundlePlan,
  planBundle,
  planIfReadable,
  planKey,
} from "./bundle-plan.ts";
import { build } from "./esbuild.ts";
import { runEsbuildBatch } from "./esbuild-batch.ts";
import { withoutForeignProblems } from "./file-boundary.ts";
import { isInOwnFolder } from "./own-modules.ts";
import {
  createEsbuildRunner,
  type EsbuildOutput,
  type EsbuildRunner,
  esbuildOptions,
  runEsbuild,
} from "./run-esbuild.ts";

export interface SingleBundleOptions extends BundleOptions {
  /**
   * Called when esbuild starts and this process would only wait: use the time to load what you need
   * later.
   */
  onStart?: (() => void) | undefined;
}

/**
 * Bundles a Pack with esbuild, in one pass and in memory. The same input gives the same bytes in
 * every folder.
 * @throws {PackError} PACK_FILE_UNREADABLE the entry file cannot be read
 * @throws {PackError} PACK_BUILD_FAILED with every problem and its position
 */
export async function bundlePack({ onStart, ...options }: SingleBundleOptions): Promise<Bundle> {
  const beginning = beginNow();
  const plan = planBundle(options);
  const bundling = runEsbuild(esbuildOptions(plan));
  // Not later: esbuild asks for each file that it reads, and would wait for the answer.
  if (onStart !== undefined) setImmediate(onStart);
  return await assembleOrUseMainFiles(bundling, plan, beginning);
}

function beginNow(): Beginning {
  return { startedAt: uptimeMs(), readSinceMs: Date.now() };
}

/** A package may have a name, such as a default export, only in its main files. */
async function assembleOrUseMainFiles(
  bundling: Promise<EsbuildOutput>,
  plan: BundlePlan,
  beginning: Beginning,
): Promise<Bundle> {
  try {
    return assembleBundle(await withinBoundary(bundling, plan), plan, beginning);
  } catch (failure) {
    const packages = packagesThatLackNames(failure);
    if (packages.length === 0 || plan.packageEntries === "main") throw failure;
    const main: BundlePlan = { ...plan, packageEntries: "main" };
    const output = await withinBoundary(runEsbuild(esbuildOptions(main)), main).catch(() => {
      throw explainMissingNames(failure, packages);
    });
    return assembleBundle(output, main, beginning);
  }
}

async function withinBoundary<Output>(
  bundling: Promise<Output>,
  plan: BundlePlan,
): Promise<Output> {
  return await bundling.catch(async (error: unknown) => {
    throw await withoutForeignProblems(error, esbuildOptions(plan), plan.boundary);
  });
}

/** Bundles one Pack repeatedly. Files that have not changed are not parsed again. */
export interface PackBundler extends AsyncDisposable {
  /** @throws {PackError} those of `bundlePack` */
  rebuild(): Promise<Bundle>;
  /**
   * The absolute paths that a build needs, even one that fails: its files, and the targets of
   * relative imports that do not exist.
   */
  lookedAt(): Promise<string[]>;
}

/** Creates a bundler. It reads nothing before its first build. */
export function createPackBundler(options: BundleOptions): PackBundler {
  let made: { runner: EsbuildRunner; plan: BundlePlan } | undefined;
  const runnerFor = async (plan: BundlePlan): Promise<EsbuildRunner> => {
    if (made !== undefined && planKey(made.plan) === planKey(plan)) return made.runner;
    await made?.runner[Symbol.asyncDispose]();
    made = { runner: await createEsbuildRunner(esbuildOptions(plan)), plan };
    return made.runner;
  };
  return {
    async rebuild() {
      const beginning = beginNow();
      const plan = planBundle(options);
      return await assembleOrUseMainFiles((await runnerFor(plan)).run(), plan, beginning);
    },
    async lookedAt() {
      const entry = resolve(options.cwd ?? ".", options.entry);
      const plan = planIfReadable(options);
      return [
        ...new Set([
          entry,
          ...(plan === undefined ? [] : await pathsLookedAt(esbuildOptions(plan))),
        ]),
      ];
    },
    async [Symbol.asyncDispose]() {
      await made?.runner[Symbol.asyncDispose]();
    },
  };
}

/**
 * Builds again to record the files that are read and the targets of relative imports: esbuild does
 * not report them when a build fails.
 * @returns absolute paths; relative imports as they are written, even when the file does not exist
 */
async function pathsLookedAt(options: BuildOptions): Promise<string[]> {
  const paths = new Set<string>();
  const recorder: Plugin = {
    name: "recorder",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}(?:\/|$)/ }, ({ path, resolveDir }) => {
        paths.add(resolve(resolveDir, path));
        return undefined;
      });
      onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
        paths.add(path);
        return undefined;
      });
    },
  };
  await build({ ...options, plugins: [recorder, ...(options.plugins ?? [])] }).catch(
    () => undefined,
  );
  return [...paths];
}

/**
 * Packs in one pass of esbuild. More save little time, and the code and source maps of all of them
 * are in memory.
 */
const PACKS_AT_ONCE = 8;

interface Built {
  plan: BundlePlan;
  output: EsbuildOutput;
  /** Its share of the time of the pass. */
  buildMs: number;
  /** When the pass began to read files, in milliseconds since the epoch. */
  readSinceMs: number;
}

/**
 * Bundles many Packs, several in one pass of esbuild, and starts the next pass before its Packs are
 * needed. Each bundle is the same
 * as that of `bundlePack`.
 * @param entries in the order in which you will ask for them
 * @param options.onStart called only when there is a single Pack
 * @returns a function to call once for each entry; it returns the bundle and throws the errors of
 *   `bundlePack`
 */
export function bundleAhead(
  entries: readonly string[],
  { onStart, ...options }: Omit<SingleBundleOptions, "entry">,
): (entry: string) => Promise<Bundle> {
  const { cwd = "." } = options;
  const waiting = [...new Set(entries.map((entry) => resolve(cwd, entry)))];
  const begun = new Map<string, Promise<Built | undefined>>();
  let passes: Promise<unknown> = Promise.resolve();
  let running = 0;

  const beginPass = (): void => {
    running += 1;
    const batch = waiting.splice(0, PACKS_AT_ONCE);
    const pass = passes.then(() => buildTogether(batch, options));
    passes = pass.then(() => {
      running -= 1;
    });
    for (const entry of batch)
      begun.set(
        entry,
        pass.then((built) => built.get(entry)),
      );
  };

  return async (entry) => {
    const path = resolve(cwd, entry);
    // A single Pack shares nothing with others.
    if (entries.length === 1) return await bundlePack({ ...options, entry: path, onStart });
    while (!begun.has(path) && waiting.length > 0) beginPass();
    const built = await begun.get(path);
    begun.delete(path);
    if (running === 0 && waiting.length > 0) beginPass();
    // A file that was saved in the meantime belongs into the bundle, with its new hash.
    if (built === undefined || isOutdated(built))
      return await bundlePack({ ...options, entry: path });
    const { output, plan, buildMs, readSinceMs } = built;
    return assembleBundle(output, plan, { startedAt: uptimeMs() - buildMs, readSinceMs });
  };
}

/**
 * Leaves out the Packs that cannot be built, and those that cannot be built together with others.
 */
async function buildTogether(
  entries: readonly string[],
  options: Omit<BundleOptions, "entry">,
): Promise<Map<string, Built>> {
  const built = new Map<string, Built>();
  // Without minifying, comments would name the files by their path from the folder that all Packs
  // have in common.
  if (options.minify === false) return built;
  const alike = new Map<string, BundlePlan[]>();
  for (const entry of entries) {
    const plan = planIfReadable({ ...options, entry });
    if (plan === undefined) continue;
    const key = planKey(plan);
    alike.set(key, [...(alike.get(key) ?? []), plan]);
  }
  for (const group of alike.values()) await buildAlike(group, built);
  return built;
}

async function buildAlike(plans: readonly BundlePlan[], built: Map<string, Built>): Promise<void> {
  const [first] = plans;
  // A Pack that shares nothing is built without the others.
  if (first === undefined || plans.length === 1) return;
  const startedMs = uptimeMs();
  const readSinceMs = Date.now();
  const entries = plans.map(({ entry }) => entry);
  const outputs = await runEsbuildBatch(entries, first).catch(() => undefined);
  if (outputs === undefined) {
    // One Pack that fails makes the complete pass fail: find it by halving.
    const middle = plans.length >> 1;
    await buildAlike(plans.slice(0, middle), built);
    await buildAlike(plans.slice(middle), built);
    return;
  }
  const buildMs = (uptimeMs() - startedMs) / plans.length;
  for (const plan of plans) {
    const output = outputs.get(plan.entry);
    if (output !== undefined) built.set(plan.entry, { plan, output, buildMs, readSinceMs });
  }
}

/** The times of files lag behind the clock by up to one tick of the kernel. */
const TICK_MS = 10;

/** @returns whether one of the files was saved after esbuild may have read it */
function isOutdated({ plan, output, readSinceMs }: Built): boolean {
  return Object.keys(output.metafile.inputs)
    .map((path) => resolve(dirname(plan.entry), path))
    .filter((path) => !isInOwnFolder(path))
    .some((path) => (readStats(path)?.ctimeMs ?? Number.POSITIVE_INFINITY) > readSinceMs - TICK_MS);
}
