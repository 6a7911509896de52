import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { uptimeMs } from "../shared/time.ts";
import { assembleBundle } from "./assemble-bundle.ts";
import type { Bundle } from "./bundle.ts";
import {
  type BundleOptions,
  type BundlePlan,
  planBundle,
  planIfReadable,
  planKey,
} from "./bundle-plan.ts";
import { withoutForeignProblems } from "./file-boundary.ts";
import {
  createEsbuildRunner,
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
  const startedAt = uptimeMs();
  const plan = planBundle(options);
  const bundling = runEsbuild(esbuildOptions(plan));
  // Not later: esbuild asks for each file that it reads, and would wait for the answer.
  if (onStart !== undefined) setImmediate(onStart);
  return assembleBundle(await withinBoundary(bundling, plan), plan, startedAt);
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
      const startedAt = uptimeMs();
      const plan = planBundle(options);
      return assembleBundle(
        await withinBoundary((await runnerFor(plan)).run(), plan),
        plan,
        startedAt,
      );
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
