import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openPackCache } from "../../src/build/pack-cache.ts";
import { loadPack } from "../../src/load/load-pack.ts";
import { makeProject } from "../support/project.ts";

const FILES = {
  "package.json": '{"name":"cached"}',
  "tsconfig.json": '{"extends":"./base.json"}',
  "base.json": '{"compilerOptions":{"strict":true}}',
  "pack.ts": `import { newPack } from "packsmith"; import { text } from "./lib/text"; import { dep } from "dep";
export const pack = newPack(); pack.addFormula({ name: "A", description: text + dep, resultType: "string", parameters: [], execute: () => text });`,
  "lib/text/index.ts": 'export const text = "one";',
  "node_modules/dep/package.json": '{"name":"dep","main":"index.js"}',
  "node_modules/dep/index.js": 'exports.dep = "dep";',
};
const LIB = `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({ name: "A", description: "Says nothing.", parameters: [], resultType: ValueType.String, execute: async () => "" });`;
const OPTIONS = { minify: true };

/** What a change does to what was kept. */
async function afterChange(change: (folder: string) => void, options: object = OPTIONS) {
  using project = makeProject(FILES);
  const entry = join(project.path, "pack.ts");
  {
    await using pack = await loadPack("pack.ts", { cwd: project.path });
    openPackCache(project.path, OPTIONS, join(project.path, "build"))?.write(entry, pack);
  }
  change(project.path);
  return openPackCache(project.path, options, join(project.path, "build"))?.read(entry);
}

const put = (path: string, text: string) => (folder: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe("what was made of a Pack", () => {
  it("is given back while nothing changes, whatever the clock says", async () => {
    const kept = await afterChange((folder) => utimesSync(join(folder, "pack.ts"), 1, 1));
    expect(kept?.bundle.name).toBe("cached");
    expect(kept?.definition.formulas).toMatchObject([{ name: "A", description: "onedep" }]);
  });

  it("is given back by the second build of a new project, although the first one has made folders", async () => {
    using project = makeProject({ "package.json": '{"name":"new"}', "pack.ts": 'export { pack } from "./lib.ts";', "lib.ts": LIB });
    const build = () => buildPacks(["pack.ts"], { cwd: project.path, outDir: join(project.path, "build"), types: false });
    expect((await build()).ok).toBe(true);
    const folder = join(project.path, "node_modules/.cache/packsmith");
    const [record = ""] = readdirSync(folder);
    // Only what was kept says this.
    writeFileSync(join(folder, record), readFileSync(join(folder, record), "utf8").replace("Says nothing.", "Is kept."));
    const { packs } = await build();
    expect(readFileSync(packs[0]?.bundle ?? "", "utf8")).toContain("Is kept.");
  });

  it.each<[string, (folder: string) => void]>([
    ["an input changes", put("lib/text/index.ts", 'export const text = "two";')],
    ["an input is gone", (folder) => rmSync(join(folder, "lib/text/index.ts"))],
    ["a new file takes the place of another", put("lib/text.ts", 'export const text = "nearer";')],
    ["a dependency changes", put("node_modules/dep/index.js", 'exports.dep = "new";')],
    ["a dependency says something else of itself", put("node_modules/dep/package.json", '{"name":"dep","main":"other.js"}')],
    ["a dependency is installed nearer", put("lib/node_modules/dep/index.js", "")],
    ["the compiler's configuration changes", put("tsconfig.json", '{"extends":"./base.json","compilerOptions":{"jsx":"react"}}')],
    ["a configuration that it extends changes", put("base.json", '{"compilerOptions":{"useDefineForClassFields":false}}')],
    ["a configuration appears", put("lib/tsconfig.json", "{}")],
    ["the package changes its name", put("package.json", '{"name":"other"}')],
    [
      "a link leads elsewhere",
      (folder) => {
        renameSync(join(folder, "node_modules/dep"), join(folder, "node_modules/dep-2"));
        symlinkSync(join(folder, "node_modules/dep-2"), join(folder, "node_modules/dep"));
      },
    ],
    ["what was kept is damaged", (folder) => rmSync(join(folder, "node_modules/.cache"), { recursive: true })],
  ])("is forgotten when %s", async (_what, change) => {
    expect(await afterChange(change)).toBeUndefined();
  });

  it("is forgotten with other options", async () => {
    expect(await afterChange(() => {}, { minify: false })).toBeUndefined();
  });

  it("gives the same files as a build", async () => {
    using project = makeProject(FILES);
    const build = (outDir: string, cache?: boolean) => buildPacks(["pack.ts"], { cwd: project.path, outDir, types: false, cache });
    const [first, again, uncached] = [await build("a"), await build("b"), await build("c", false)];
    expect(first.packs[0]?.sha256).toBe(uncached.packs[0]?.sha256);
    expect(again.packs[0]).toMatchObject({ sha256: first.packs[0]?.sha256, parts: first.packs[0]?.parts });
    for (const name of ["bundle.js", "bundle.js.map", "manifest.json"]) {
      expect(project.read(join("b/cached", name)), name).toBe(project.read(join("c/cached", name)));
    }
  });
});
