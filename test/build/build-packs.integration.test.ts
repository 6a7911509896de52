import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { makeProject } from "../support/project.ts";

it("a build with metafile writes what esbuild reports next to the bundle, and does not use the cache", async () => {
  using project = makeProject({
    "pack.ts": `import { newPack } from "packsmith";\nimport { NAME } from "./name.ts";\nexport const pack = newPack({ version: NAME });\n`,
    "name.ts": 'export const NAME = "1.0.0";\n',
    "package.json": '{ "name": "measured" }',
  });
  const { packs } = await buildPacks(["pack.ts"], {
    cwd: project.path,
    outDir: "build",
    cacheDir: "cache",
    types: false,
    metafile: true,
  });
  const written = join(project.path, "build/measured/metafile.json");
  expect(packs).toMatchObject([{ cache: "off", metafile: written }]);
  const { inputs } = JSON.parse(readFileSync(written, "utf8"));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(["pack.ts", "name.ts"]));
});

it("Packs in folders called src are built under the names of the folders above, and keep them in the cache", async () => {
  const pack = `import { newPack } from "packsmith";\nexport const pack = newPack();\n`;
  using project = makeProject({
    "packs/one/src/pack.ts": pack,
    "packs/two/src/pack.ts": pack,
    "packs/three/src/pack.ts": pack,
    "packs/three/package.json": '{ "name": "@acme/third" }',
  });
  const build = async (...names: string[]) => {
    const files = names.map((name) => `packs/${name}/src/pack.ts`);
    const options = { cwd: project.path, outDir: "build", cacheDir: "cache", types: false };
    const { packs } = await buildPacks(files, options);
    return packs.map(({ name, cache }) => `${name} ${cache}`);
  };
  expect(await build("one", "two", "three")).toEqual(["one miss", "two miss", "third miss"]);
  expect(await build("two")).toEqual(["two hit"]);
});
