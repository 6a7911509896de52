import { dirname, join } from "node:path";
import { whyImported } from "../bundle/import-graph.ts";
import { readManifest } from "../bundle/read-manifest.ts";
import { type BundleBaseline, baselineOf, describeBundle, describeTreemap } from "./describe-bundle.ts";
import type { DevSession } from "./dev-session.ts";
import type { PackState } from "./pack-state.ts";
import { badRequest, type DevRouter } from "./router.ts";
import type { BundleView, TileView, WhyView } from "./wire/bundle.ts";

/** Where `packsmith build` writes to when it is not told otherwise. */
const OUT_DIR = "build";
const MAX_SIDE = 10_000;

/** The routes of the view Bundle. */
export function addBundleRoutes(router: DevRouter, session: DevSession): undefined {
  const { start, save } = keepBaselines(session);
  router.get("/api/bundle", async (): Promise<BundleView | null> => {
    const state = session.state();
    const { bundle } = state;
    if (bundle === undefined) return null;
    return describeBundle(state, bundle, { start: start(), save: save(), build: lastBuild(session, bundle.name) });
  });
  router.get("/api/bundle/treemap", ({ query }): TileView[] => {
    const [width, height] = ["width", "height"].map((name) => Number(query.get(name)));
    if (!isSide(width) || !isSide(height)) throw badRequest("A treemap needs a width and a height.");
    const { bundle } = session.state();
    return bundle === undefined ? [] : describeTreemap(bundle, width, height);
  });
  router.get("/api/bundle/why", ({ query }): WhyView => {
    const path = query.get("path") ?? "";
    const { imports } = session.state().bundle ?? { imports: new Map<string, readonly string[]>() };
    const [entry] = imports.keys();
    return { way: path === entry ? [path] : whyImported(imports, path) };
  });
}

/** Keeps the sizes of the first bundle and of the one before the latest. */
function keepBaselines(session: DevSession): Readonly<Record<"start" | "save", () => BundleBaseline | undefined>> {
  let start: BundleBaseline | undefined;
  let latest: (BundleBaseline & { sha256: string }) | undefined;
  let before: BundleBaseline | undefined;
  const take = ({ bundle, isStale }: PackState): void => {
    // A save that changes nothing of the bundle is no step to compare with.
    if (bundle === undefined || isStale || bundle.sha256 === latest?.sha256) return;
    before = latest;
    latest = { ...baselineOf(bundle), sha256: bundle.sha256 };
    start ??= latest;
  };
  take(session.state());
  session.onPack(take);
  return { start: () => start, save: () => before };
}

/** Builds are written beside the entry file, or where the command was run. */
function lastBuild({ entry, options }: DevSession, name: string): BundleBaseline | undefined {
  const folders = [...new Set([options.cwd, dirname(entry)])];
  const manifest = folders.map((folder) => readManifest(join(folder, OUT_DIR, name, "manifest.json"))).find((found) => found !== undefined);
  return manifest === undefined ? undefined : { ...manifest.bundle, inputs: manifest.inputs };
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && side >= 1 && side <= MAX_SIDE;
}
