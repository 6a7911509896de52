import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { uptimeMs } from "../shared/uptime.ts";
import { assembleBundle } from "./assemble-bundle.ts";
import { type BundleOptions, type BundlePlan, planBundle, planIfReadable } from "./bundle-plan.ts";
import type { PackBundle } from "./pack-bundle.ts";
import { createEsbuildRunner, type EsbuildRunner, esbuildOptions, runEsbuild } from "./run-esbuild.ts";

export interface SingleBundleOptions extends BundleOptions {
  /** Called when esbuild is at work and needs this process no more for a while: the time to load what is needed later. */
  onStart?: (() => void) | undefined;
}

/**
 * Bundles a Pack with esbuild, in one pass and in memory. The same input gives the same bytes, wherever it lies.
 * @throws {PackError} PACK_FILE_UNREADABLE the entry file cannot be read
 * @throws {PackError} PACK_BUILD_FAILED with every problem and its position
 */
export async function bundlePack({ onStart, ...options }: SingleBundleOptions): Promise<PackBundle> {
  const startedAt = uptimeMs();
  const plan = planBundle(options);
  const bundling = runEsbuild(onStart === undefined ? esbuildOptions(plan) : withStart(esbuildOptions(plan), onStart));
  return assembleBundle(await bundling, plan, startedAt);
}

/** esbuild asks its plugins before it reads the first file: work of this process before that answer keeps the build waiting. */
function withStart({ plugins = [], ...options }: BuildOptions, onStart: () => void): BuildOptions {
  const start: Plugin = { name: "start", setup: (build) => build.onStart(() => void setImmediate(onStart)) };
  return { ...options, plugins: [...plugins, start] };
}

/** Bundles one Pack again and again; what has not changed is not read or parsed anew. */
export interface PackBundler extends AsyncDisposable {
  /** @throws {PackError} those of `bundlePack` */
  rebuild(): Promise<PackBundle>;
  /** The absolute paths that a build looks at, also one that fails: the files, and the relative imports that lead nowhere. */
  lookedAt(): Promise<string[]>;
}

/** @returns a bundler that has read nothing yet */
export function createPackBundler(options: BundleOptions): PackBundler {
  let made: { runner: EsbuildRunner; plan: BundlePlan } | undefined;
  const runnerFor = async (plan: BundlePlan): Promise<EsbuildRunner> => {
    if (made?.plan.lenient === plan.lenient && made.plan.format === plan.format) return made.runner;
    await made?.runner[Symbol.asyncDispose]();
    made = { runner: await createEsbuildRunner(esbuildOptions(plan)), plan };
    return made.runner;
  };
  return {
    async rebuild() {
      const startedAt = uptimeMs();
      const plan = planBundle(options);
      return assembleBundle(await (await runnerFor(plan)).run(), plan, startedAt);
    },
    async lookedAt() {
      const entry = resolve(options.cwd ?? ".", options.entry);
      const plan = planIfReadable(options);
      return [...new Set([entry, ...(plan === undefined ? [] : await pathsLookedAt(esbuildOptions(plan)))])];
    },
    async [Symbol.asyncDispose]() {
      await made?.runner[Symbol.asyncDispose]();
    },
  };
}

/**
 * Builds once more, only to learn which files are read and where relative imports lead: a build that fails does not tell.
 * @returns absolute paths; those of relative imports as they are written, whether or not there is such a file
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
  await build({ ...options, plugins: [recorder, ...(options.plugins ?? [])] }).catch(() => undefined);
  return [...paths];
}
