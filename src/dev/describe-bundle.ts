import { type BundleInput, bundleParts, compareParts, partOf } from "../bundle/bundle-parts.ts";
import { MAX_BUNDLE_BYTES } from "../bundle/bundle-size.ts";
import type { PackBundle } from "../bundle/pack-bundle.ts";
import { layOutBundle } from "../bundle/treemap.ts";
import type { PackState } from "./pack-state.ts";
import type { BundleView, FileView, GrowthView, TileView } from "./wire/bundle.ts";

/** An earlier bundle, as far as another one is compared with it. */
export interface BundleBaseline {
  bytes: number;
  gzipBytes: number;
  inputs: readonly Pick<BundleInput, "path" | "bundledBytes">[];
}

/** The bundle that the Pack has now, and how it differs from earlier ones. */
export function describeBundle(
  { revision, isStale }: PackState,
  bundle: PackBundle,
  baselines: Readonly<Record<GrowthView["since"], BundleBaseline | undefined>>,
): BundleView {
  const { name, bytes, gzipBytes, sha256, durationMs } = bundle;
  const files = filesOf(bundle);
  return {
    ...{ revision, isStale, name, bytes, gzipBytes, durationMs },
    maxBytes: MAX_BUNDLE_BYTES,
    sha256: sha256.slice(0, 12),
    parts: bundleParts(bundle.inputs).map((part) => ({ ...part, files: files.filter((file) => file.part === part.name).length })),
    files,
    growth: (["start", "save", "build"] as const).flatMap((since) => {
      const before = baselines[since];
      return before === undefined ? [] : [growthOf(since, bundle, before)];
    }),
  };
}

/** The files of a bundle as rectangles. */
export function describeTreemap({ inputs }: Pick<PackBundle, "inputs">, width: number, height: number): TileView[] {
  return layOutBundle(inputs, { x: 0, y: 0, width, height }).map(({ path, part, bytes, group, ...place }) => ({
    ...{ path, part, bytes, group },
    ...rounded(place),
  }));
}

/** What a later bundle needs to be compared with this one: its code and its sources are not kept. */
export function baselineOf({ bytes, gzipBytes, inputs }: BundleBaseline): BundleBaseline {
  return { bytes, gzipBytes, inputs: inputs.map(({ path, bundledBytes }) => ({ path, bundledBytes })) };
}

function filesOf({ inputs }: PackBundle): FileView[] {
  return inputs
    .filter(({ bundledBytes }) => bundledBytes > 0)
    .map(({ path, bytes, bundledBytes }) => ({ path, part: partOf(path), bytes: bundledBytes, sourceBytes: bytes }))
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
}

function growthOf(since: GrowthView["since"], bundle: PackBundle, before: BundleBaseline): GrowthView {
  const filesIn = ({ inputs }: Pick<BundleBaseline, "inputs">) =>
    inputs.map(({ path, bundledBytes }) => ({ name: path, bytes: bundledBytes }));
  return {
    since,
    bytes: bundle.bytes - before.bytes,
    gzipBytes: bundle.gzipBytes - before.gzipBytes,
    parts: compareParts(bundleParts(before.inputs), bundleParts(bundle.inputs)),
    files: compareParts(filesIn(before), filesIn(bundle)),
  };
}

function rounded<Place extends Record<keyof Place, number>>(place: Place): Place {
  return Object.fromEntries(Object.entries<number>(place).map(([name, value]) => [name, Math.round(value * 10) / 10])) as Place;
}
