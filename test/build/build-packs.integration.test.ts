import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { createFilePatterns } from "../../src/build/file-patterns.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

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

it("a tree of links to sources that no one may write is built like the sources, and another tree from the cache", async () => {
  const sources = {
    "package.json": '{ "name": "repo", "workspaces": ["packs/*"] }',
    "lib/text.ts": 'export const text = "text";',
    "packs/one/package.json": '{ "name": "one" }',
    "packs/one/pack.ts": `import { newPack } from "packsmith";
import { text } from "../../lib/text";
export const pack = newPack({ version: String(text.length) });
`,
  };
  using project = makeProject(sources);
  for (const path of Object.keys(sources)) chmodSync(join(project.path, path), 0o444);
  using outside = makeTemporaryFolder();
  const build = async (cwd: string) => {
    const entries = createFilePatterns(["packs/*/pack.ts"], cwd).find();
    const options = { cwd, cacheDir: join(outside.path, "cache"), types: false };
    const outDir = join(outside.path, "out");
    const { packs, issues } = await buildPacks(entries, { ...options, outDir });
    expect(issues).toEqual([]);
    const files = ["bundle.js", "bundle.js.map", "build.json", "manifest.json"].map((name) =>
      readFileSync(join(outDir, "one", name), "utf8"),
    );
    return packs.map(({ name, cache }) => ({ name, files, cache }));
  };
  const linkAll = (folder: string): string => {
    for (const path of Object.keys(sources)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(project.path, path), join(folder, path));
    }
    return folder;
  };
  const [first] = await build(linkAll(join(outside.path, "first")));
  expect(first).toMatchObject({ name: "one", cache: "miss" });
  expect(await build(linkAll(join(outside.path, "second")))).toEqual([{ ...first, cache: "hit" }]);
  expect(await build(project.path)).toMatchObject([{ name: "one", files: first?.files }]);
});

describe("the failure of a build", () => {
  const pack = (domain: string) =>
    `import { newPack } from "packsmith";\nexport const pack = newPack().addNetworkDomain("${domain}");\n`;
  const readFailure = async (domains: string[]) => {
    using project = makeProject(
      Object.fromEntries(
        domains.map((domain, index) => [`packs/pack-${index}/pack.ts`, pack(domain)]),
      ),
    );
    const files = domains.map((_, index) => `packs/pack-${index}/pack.ts`);
    const { failure } = await buildPacks(files, {
      cwd: project.path,
      outDir: "build",
      cache: false,
      types: false,
    });
    return failure?.error;
  };
  const wrong = "https://a.example";

  it("counts the Packs that have errors, and their errors", async () => {
    expect(await readFailure([wrong, "a.example", wrong])).toMatchObject({
      code: "PACK_INVALID",
      message: expect.stringMatching(/^2 of 3 Packs have 2 errors\. The first: /),
      hint: "Run packsmith validate to see all errors with their positions.",
    });
    expect(await readFailure([wrong, "a.example"])).toMatchObject({
      code: "PACK_INVALID",
      message: expect.stringMatching(/^1 of 2 Packs has an error: /),
    });
  });

  it("names no number when only one Pack is built", async () => {
    expect(await readFailure([wrong])).toMatchObject({
      code: "PACK_INVALID",
      message: expect.stringMatching(/^The Pack has an error: /),
    });
  });
});
