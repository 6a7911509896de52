import { describe, expect, it } from "vitest";
import { buildPacks } from "../../../src/build/build-packs.ts";
import type { BundleView, TileView, WhyView } from "../../../src/dev/wire/bundle.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";

const PACK = `import * as sdk from "packsmith";
import { greet } from "./greet.ts";
export const pack = sdk.newPack();
pack.addFormula({
  name: "Hello", description: "Greets somebody.", parameters: [], resultType: "string", execute: async () => greet("World"),
});
`;
const GREET = 'export const greet = (who: string) => "Hello " + who;\n';
const LONGER = `import { words } from "./words.ts";\nexport const greet = (who: string) => words.join(" ") + who;\n`;
const WORDS = `export const words = ${JSON.stringify(Array.from({ length: 200 }, (_, at) => `word number ${at}`))};\n`;

const FILES = { "pack.ts": PACK, "greet.ts": GREET };

async function fetchBundle(dev: DevProject): Promise<BundleView> {
  return (await (await dev.get("/api/bundle")).json()) as BundleView;
}

/** Saves files and waits for the build that they lead to. */
async function save(dev: DevProject, files: Readonly<Record<string, string>>): Promise<void> {
  const { revision } = dev.server.session.state();
  const built = new Promise<void>((resolve) => {
    dev.server.session.onPack((state) => state.revision > revision && resolve());
  });
  for (const [path, text] of Object.entries(files)) dev.project.write(path, text);
  await built;
}

describe("the routes of the view Bundle", () => {
  it("return sizes, parts and files, the largest first", async () => {
    await using dev = await startDevProject(FILES);
    const bundle = await fetchBundle(dev);
    expect(bundle).toMatchObject({ maxBytes: 5_000_000, isStale: false });
    expect(bundle.parts.map(({ name }) => name).sort()).toEqual(["packsmith", "your code"]);
    expect(bundle.files.map(({ bytes }) => bytes)).toEqual(
      bundle.files.map(({ bytes }) => bytes).sort((a, b) => b - a),
    );
    expect(bundle.files.find(({ path }) => path === "greet.ts")).toMatchObject({
      part: "your code",
      sourceBytes: GREET.length,
    });
    expect(bundle.growth).toMatchObject([{ since: "start", bytes: 0, parts: [], files: [] }]);
  });

  it("return what grew since the start, since the previous save, and since the last build", async () => {
    await using dev = await startDevProject(FILES);
    await buildPacks(["pack.ts"], {
      cwd: dev.project.path,
      outDir: "build",
      types: false,
      cache: false,
    });
    await save(dev, { "words.ts": WORDS, "greet.ts": LONGER });
    const { growth } = await fetchBundle(dev);
    expect(growth.map(({ since }) => since)).toEqual(["start", "save", "build"]);
    for (const { bytes, parts, files } of growth) {
      expect(bytes).toBeGreaterThan(2_000);
      expect(parts[0]).toMatchObject({ name: "your code" });
      expect(files[0]).toMatchObject({ name: "words.ts" });
    }
    await save(dev, { "greet.ts": GREET });
    const [sinceStart, sinceSave] = (await fetchBundle(dev)).growth;
    expect([sinceStart?.bytes, Math.sign(sinceSave?.bytes ?? 0)]).toEqual([0, -1]);
  });

  it("keep the last bundle while the Pack does not build, and say so", async () => {
    await using dev = await startDevProject(FILES);
    const { bytes } = await fetchBundle(dev);
    await save(dev, { "greet.ts": "export const greet = (" });
    expect(await fetchBundle(dev)).toMatchObject({ isStale: true, bytes });
  });

  it("answer null while nothing could be built yet", async () => {
    await using dev = await startDevProject({ "pack.ts": "export const pack = (" });
    expect(await (await dev.get("/api/bundle")).json()).toBeNull();
    expect(await (await dev.get("/api/bundle/treemap?width=100&height=100")).json()).toEqual([]);
  });

  it("lay the treemap out: the tiles fill the area by their size and do not leave it", async () => {
    await using dev = await startDevProject(FILES);
    const tiles = (await (
      await dev.get("/api/bundle/treemap?width=800&height=400")
    ).json()) as TileView[];
    const { files } = await fetchBundle(dev);
    expect(tiles.map(({ path }) => path).sort()).toEqual(files.map(({ path }) => path).sort());
    expect(tiles.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(
      320_000,
      -3.5,
    );
    for (const { x, y, width, height } of tiles)
      expect([x + width <= 800.2, y + height <= 400.2]).toEqual([true, true]);
    expect((await dev.get("/api/bundle/treemap?width=0&height=1")).status).toBe(400);
  });

  it("return by which imports a file is in the bundle", async () => {
    await using dev = await startDevProject(FILES);
    const why = async (path: string) =>
      ((await (await dev.get(`/api/bundle/why?path=${path}`)).json()) as WhyView).chain;
    expect(await why("greet.ts")).toEqual(["pack.ts", "greet.ts"]);
    expect(await why("pack.ts")).toEqual(["pack.ts"]);
    expect(await why("nothing.ts")).toBeUndefined();
  });
});
