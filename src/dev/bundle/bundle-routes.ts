import { dirname, join } from "node:path";
import type { Bundle } from "../../bundle/bundle.ts";
import type { BundleInput } from "../../bundle/bundle-parts.ts";
import { bundleParts, compareParts, getPart } from "../../bundle/bundle-parts.ts";
import { MAX_BUNDLE_BYTES } from "../../bundle/bundle-size.ts";
import { whyImported } from "../../bundle/import-graph.ts";
import { readFacts } from "../../bundle/read-build.ts";
import { layOutBundle } from "../../bundle/treemap.ts";
import { badRequest, type DevRouter } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { PackState } from "../session/pack-session.ts";
import type { BundleView, FileView, GrowthView, TileView, WhyView } from "../wire/bundle.ts";

/** Where `packsmith build` writes by default. */
const OUT_DIR = "build";
const MAX_SIDE = 10_000;

/** The routes of the view Bundle. */
export function addBundleRoutes(router: DevRouter, session: DevSession): undefined {
  const { start, save } = keepBaselines(session);
  router.get("/api/bundle", async (): Promise<BundleView | null> => {
    const state = session.state();
    const { bundle } = state;
    if (bundle === undefined) return null;
    return describeBundle(state, bundle, {
      start: start(),
      save: save(),
      build: lastBuild(session, bundle.name),
    });
  });
  router.get("/api/bundle/treemap", ({ query }): TileView[] => {
    const [width, height] = ["width", "height"].map((name) => Number(query.get(name)));
    if (!isSide(width) || !isSide(height))
      throw badRequest("A treemap needs a width and a height.");
    const { bundle } = session.state();
    return bundle === undefined ? [] : describeTreemap(bundle, width, height);
  });
  router.get("/api/bundle/why", ({ query }): WhyView => {
    const path = query.get("path") ?? "";
    const { imports } = session.state().bundle ?? { imports: new Map<string, readonly string[]>() };
    const [entry] = imports.keys();
    return { chain: path === entry ? [path] : whyImported(imports, path) };
  });
}

/** Remembers the sizes of the first bundle and of the one before the latest. */
function keepBaselines(
  session: DevSession,
): Readonly<Record<"start" | "save", () => BundleBaseline | undefined>> {
  let start: BundleBaseline | undefined;
  let latest: (BundleBaseline & { sha256: string }) | undefined;
  let before: BundleBaseline | undefined;
  const take = ({ bundle, isStale }: PackState): void => {
    // Skip saves that do not change the bundle.
    if (bundle === undefined || isStale || bundle.sha256 === latest?.sha256) return;
    before = latest;
    latest = { ...getBaseline(bundle), sha256: bundle.sha256 };
    start ??= latest;
  };
  take(session.state());
  session.onPack(take);
  return { start: () => start, save: () => before };
}

/** Builds are written next to the entry file, or where the command was run. */
function lastBuild({ entry, options }: DevSession, name: string): BundleBaseline | undefined {
  const folders = [...new Set([options.cwd, dirname(entry)])];
  const facts = folders
    .map((folder) => readFacts(join(folder, OUT_DIR, name, "build.json")))
    .find((found) => found !== undefined);
  return facts === undefined ? undefined : { ...facts.bundle, inputs: facts.inputs };
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && side >= 1 && side <= MAX_SIDE;
}

/** The sizes of an earlier bundle, to compare with. */
export interface BundleBaseline {
  bytes: number;
  gzipBytes: number;
  inputs: readonly Pick<BundleInput, "path" | "bundledBytes">[];
}

/** The current bundle, and how it differs from earlier ones. */
export function describeBundle(
  { revision, isStale }: PackState,
  bundle: Bundle,
  baselines: Readonly<Record<GrowthView["since"], BundleBaseline | undefined>>,
): BundleView {
  const { name, bytes, gzipBytes, sha256, durationMs } = bundle;
  const files = listFiles(bundle);
  return {
    revision,
    isStale,
    name,
    bytes,
    gzipBytes,
    durationMs,
    maxBytes: MAX_BUNDLE_BYTES,
    sha256: sha256.slice(0, 12),
    parts: bundleParts(bundle.inputs).map((part) => ({
      ...part,
      files: files.filter((file) => file.part === part.name).length,
    })),
    files,
    growth: (["start", "save", "build"] as const).flatMap((since) => {
      const before = baselines[since];
      return before === undefined ? [] : [measureGrowth(since, bundle, before)];
    }),
  };
}

/** The files of a bundle as rectangles. Files of one part are next to each other. */
export function describeTreemap(
  { inputs }: Pick<Bundle, "inputs">,
  width: number,
  height: number,
): TileView[] {
  return layOutBundle(inputs, { x: 0, y: 0, width, height }).map(
    ({ path, part, bytes, group, ...place }) => ({
      path,
      part,
      bytes,
      group,
      ...roundMembers(place),
    }),
  );
}

/** The sizes of a bundle, without its code and sources. */
export function getBaseline({ bytes, gzipBytes, inputs }: BundleBaseline): BundleBaseline {
  return {
    bytes,
    gzipBytes,
    inputs: inputs.map(({ path, bundledBytes }) => ({ path, bundledBytes })),
  };
}

function listFiles({ inputs }: Bundle): FileView[] {
  return inputs
    .filter(({ bundledBytes }) => bundledBytes > 0)
    .map(({ path, bytes, bundledBytes }) => ({
      path,
      part: getPart(path),
      bytes: bundledBytes,
      sourceBytes: bytes,
    }))
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
}

function measureGrowth(
  since: GrowthView["since"],
  bundle: Bundle,
  before: BundleBaseline,
): GrowthView {
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

function roundMembers<Place extends Record<keyof Place, number>>(place: Place): Place {
  return Object.fromEntries(
    Object.entries<number>(place).map(([name, value]) => [name, Math.round(value * 10) / 10]),
  ) as Place;
}
