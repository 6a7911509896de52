import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { uptimeMs } from "../shared/uptime.ts";
import { assembleBundle } from "./assemble-bundle.ts";
import { bundlePack, type SingleBundleOptions } from "./bundle-pack.ts";
import { type BundleOptions, type BundlePlan, planIfReadable } from "./bundle-plan.ts";
import { runEsbuildBatch } from "./esbuild-batch.ts";
import { isInOwnFolder } from "./own-modules.ts";
import type { PackBundle } from "./pack-bundle.ts";
import type { EsbuildOutput } from "./run-esbuild.ts";

/** Packs of one pass. More gain little, and all of them are in memory at once. */
const PACKS_AT_ONCE = 32;
/** Nothing is known yet of how large they are. */
const PACKS_AT_FIRST = 4;
/** Code and source maps of one pass. */
const BYTES_AT_ONCE = 16_000_000;

interface Built {
  plan: BundlePlan;
  output: EsbuildOutput;
  /** Its share of the pass. */
  buildMs: number;
  /** When the pass began to read files, in milliseconds of the epoch. */
  readSinceMs: number;
}

/**
 * Bundles many Packs, several in one pass of esbuild, and one pass ahead of who asks for them. What it gives is what `bundlePack` gives.
 * @param entries in the order in which they are asked for, each once
 * @param options.onStart for a single Pack; beside many, nothing of what is loaded counts
 * @returns a function that gives the bundle of an entry; it throws the errors of `bundlePack`
 */
export function bundleAhead(
  entries: readonly string[],
  { onStart, ...options }: Omit<SingleBundleOptions, "entry">,
): (entry: string) => Promise<PackBundle> {
  const { cwd = "." } = options;
  const waiting = [...new Set(entries.map((entry) => resolve(cwd, entry)))];
  const begun = new Map<string, Promise<Built | undefined>>();
  let atOnce = PACKS_AT_FIRST;
  let passes: Promise<unknown> = Promise.resolve();
  let running = 0;

  const beginPass = (): void => {
    running += 1;
    const batch = waiting.splice(0, atOnce);
    const pass = passes.then(() => buildTogether(batch, options));
    passes = pass.then((built) => {
      running -= 1;
      atOnce = nextSize(built);
    });
    for (const entry of batch)
      begun.set(
        entry,
        pass.then((built) => built.get(entry)),
      );
  };

  return async (entry) => {
    const path = resolve(cwd, entry);
    // Nothing is there to be shared, and esbuild starts at once.
    if (entries.length === 1) return await bundlePack({ ...options, entry: path, onStart });
    while (!begun.has(path) && waiting.length > 0) beginPass();
    const built = await begun.get(path);
    begun.delete(path);
    if (running === 0 && waiting.length > 0) beginPass();
    // Whoever saves a file meanwhile gets a bundle of what is there now, and its hashes.
    if (built === undefined || isOutdated(built)) return await bundlePack({ ...options, entry: path });
    return assembleBundle(built.output, built.plan, uptimeMs() - built.buildMs);
  };
}

function nextSize(built: ReadonlyMap<string, Built>): number {
  const sizes = [...built.values()].map(({ output }) => output.code.contents.byteLength + output.sourceMap.contents.byteLength);
  if (sizes.length === 0) return PACKS_AT_FIRST;
  const average = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return Math.max(1, Math.min(PACKS_AT_ONCE, Math.floor(BYTES_AT_ONCE / average)));
}

/** Without those that cannot be built, or not together with others. */
async function buildTogether(entries: readonly string[], options: Omit<BundleOptions, "entry">): Promise<Map<string, Built>> {
  const built = new Map<string, Built>();
  // Comments name files from the folder that all of them lie in.
  if (options.minify === false) return built;
  const alike = new Map<string, BundlePlan[]>();
  for (const entry of entries) {
    const plan = planIfReadable({ ...options, entry });
    if (plan === undefined) continue;
    const key = `${plan.lenient} ${plan.format}`;
    alike.set(key, [...(alike.get(key) ?? []), plan]);
  }
  for (const group of alike.values()) await buildAlike(group, built);
  return built;
}

async function buildAlike(plans: readonly BundlePlan[], built: Map<string, Built>): Promise<void> {
  const [first] = plans;
  // There is nothing to share.
  if (first === undefined || plans.length === 1) return;
  const startedMs = uptimeMs();
  const readSinceMs = Date.now();
  const entries = plans.map(({ entry }) => entry);
  const outputs = await runEsbuildBatch(entries, first).catch(() => undefined);
  if (outputs === undefined) {
    // One that fails takes the others of its pass with it.
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

/** Times of files lag behind the clock by up to a tick of the kernel. */
const TICK_MS = 10;

/** @returns whether the author saved one of its files after esbuild may have read it */
function isOutdated({ plan, output, readSinceMs }: Built): boolean {
  return Object.keys(output.metafile.inputs)
    .map((path) => resolve(dirname(plan.entry), path))
    .filter((path) => !isInOwnFolder(path))
    .some((path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY) > readSinceMs - TICK_MS);
}
