import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { saveRecord } from "../../src/build/cache-records.ts";
import { openPackCache } from "../../src/build/pack-cache.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

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

const openCache = (project: string, folder: string, options: object = OPTIONS) =>
  openPackCache({ cwd: project, folder, options });

/** What a change does to what was kept. */
async function afterChange(
  change: (folder: string, cache: string) => void,
  options: object = OPTIONS,
) {
  using project = makeProject(FILES);
  using cache = makeTemporaryFolder();
  const entry = join(project.path, "pack.ts");
  {
    await using pack = await openPack("pack.ts", { cwd: project.path });
    openCache(project.path, cache.path).write(entry, pack);
  }
  change(project.path, cache.path);
  return openCache(project.path, cache.path, options).read(entry);
}

const records = (cache: string): string[] =>
  readdirSync(cache, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(cache, name));

function rewrite(cache: string, edit: (text: string) => string): void {
  const [record = ""] = records(cache);
  const before = readFileSync(record, "utf8");
  expect(edit(before)).not.toBe(before);
  writeFileSync(record, edit(before));
}

function moveAndLink(path: string): void {
  renameSync(path, `${path}-moved`);
  symlinkSync(`${path}-moved`, path);
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
    using project = makeProject({
      "package.json": '{"name":"new"}',
      "pack.ts": 'export { pack } from "./lib.ts";',
      "lib.ts": LIB,
    });
    using cache = makeTemporaryFolder();
    const build = () =>
      buildPacks(["pack.ts"], {
        cwd: project.path,
        outDir: join(project.path, "build"),
        cacheDir: cache.path,
        types: false,
      });
    const [first, second] = [await build(), await build()];
    expect([first, second].map(({ ok, packs }) => [ok, packs[0]?.cache])).toEqual([
      [true, "miss"],
      [true, "hit"],
    ]);
  });

  it("is given back for each state that an imported file was in, as on two branches", async () => {
    using project = makeProject({
      "package.json": '{"name":"branches"}',
      "pack.ts": 'export { pack } from "./lib.ts";',
    });
    using cache = makeTemporaryFolder();
    const build = async (description: string) => {
      project.write("lib.ts", LIB.replace("Says nothing.", description));
      const { packs } = await buildPacks(["pack.ts"], {
        cwd: project.path,
        outDir: join(project.path, "build"),
        cacheDir: cache.path,
        types: false,
      });
      return [packs[0]?.cache, project.read("build/branches/manifest.json").includes(description)];
    };
    expect([await build("One."), await build("Two.")]).toEqual([
      ["miss", true],
      ["miss", true],
    ]);
    expect([await build("One."), await build("Two.")]).toEqual([
      ["hit", true],
      ["hit", true],
    ]);
  });

  it("is given back in another folder, after its dependencies were installed anew", async () => {
    using cache = makeTemporaryFolder();
    const built = [];
    for (const depth of ["one", "somewhere/else/two"]) {
      using project = makeProject(
        Object.fromEntries(Object.entries(FILES).map(([path, text]) => [join(depth, path), text])),
      );
      const cwd = join(project.path, depth);
      const { packs } = await buildPacks(["pack.ts"], {
        cwd,
        outDir: "build",
        cacheDir: cache.path,
        types: false,
      });
      const texts = ["bundle", "bundle.js.map", "manifest.json"].map((name) => {
        const file = name === "bundle" ? "bundle.js" : name;
        return readFileSync(join(cwd, "build/cached", file), "utf8");
      });
      built.push({
        cache: packs[0]?.cache,
        entry: packs[0]?.entry === join(cwd, "pack.ts"),
        texts,
      });
    }
    expect(built.map(({ cache, entry }) => ({ cache, entry }))).toEqual([
      { cache: "miss", entry: true },
      { cache: "hit", entry: true },
    ]);
    expect(built[1]?.texts).toEqual(built[0]?.texts);
  });

  it("names no folder of the machine that made it", async () => {
    await afterChange((folder, cache) => {
      const [record = ""] = records(cache);
      expect(readFileSync(record, "utf8")).toContain("lib/text/index.ts");
      expect(readFileSync(record, "utf8")).not.toContain(folder);
    });
  });

  it("is kept for the last contents of its entry file, so that going back to a branch is a hit", async () => {
    using project = makeProject({ "package.json": '{"name":"branches"}', "pack.ts": LIB });
    using cache = makeTemporaryFolder();
    const build = async (text: string) => {
      project.write("pack.ts", text);
      const { packs } = await buildPacks(["pack.ts"], {
        cwd: project.path,
        outDir: "build",
        cacheDir: cache.path,
        types: false,
      });
      return packs[0]?.cache;
    };
    const contents = Array.from({ length: 9 }, (_, index) =>
      LIB.replace("Says nothing.", `Says ${index}.`),
    );
    expect([await build(LIB), await build(contents[0] ?? ""), await build(LIB)]).toEqual([
      "miss",
      "miss",
      "hit",
    ]);
    for (const text of contents) await build(text);
    expect(records(cache.path)).toHaveLength(8);
    expect(await build(LIB)).toBe("miss");
  });

  it.each<[string, (folder: string, cache: string) => void]>([
    ["an input changes", put("lib/text/index.ts", 'export const text = "two";')],
    ["an input is gone", (folder) => rmSync(join(folder, "lib/text/index.ts"))],
    ["a new file takes the place of another", put("lib/text.ts", 'export const text = "nearer";')],
    ["a dependency changes", put("node_modules/dep/index.js", 'exports.dep = "new";')],
    [
      "a dependency says something else of itself",
      put("node_modules/dep/package.json", '{"name":"dep","main":"other.js"}'),
    ],
    [
      "the compiler's configuration changes",
      put("tsconfig.json", '{"extends":"./base.json","compilerOptions":{"jsx":"react"}}'),
    ],
    [
      "a configuration that it extends changes",
      put("base.json", '{"compilerOptions":{"useDefineForClassFields":false}}'),
    ],
    ["a configuration appears", put("lib/tsconfig.json", "{}")],
    ["the package changes its name", put("package.json", '{"name":"other"}')],
    [
      "a link leads elsewhere",
      (folder) => {
        renameSync(join(folder, "node_modules/dep"), join(folder, "node_modules/dep-2"));
        symlinkSync(join(folder, "node_modules/dep-2"), join(folder, "node_modules/dep"));
      },
    ],
    ["what was kept is damaged", (_, cache) => writeFileSync(records(cache)[0] ?? "", "{")],
    [
      "what was kept is changed",
      (_, cache) => rewrite(cache, (text) => text.replaceAll("onedep", "evil")),
    ],
    [
      "what was kept lacks a part",
      (_, cache) => rewrite(cache, (text) => text.replace('"bundle":', '"other":')),
    ],
    [
      "what was kept has another form",
      (_, cache) => saveRecord(records(cache)[0] ?? "", '{"version":"other"}\n'),
    ],
    ["what was kept is not JSON", (_, cache) => saveRecord(records(cache)[0] ?? "", "other\n")],
    [
      "what was kept is of another content",
      (_, cache) => {
        const [record = ""] = records(cache);
        renameSync(
          record,
          record.replace(/[0-9a-f](?=\.json$)/, (digit) => (digit === "0" ? "1" : "0")),
        );
      },
    ],
    ["what was kept is a link", (_, cache) => moveAndLink(records(cache)[0] ?? "")],
    [
      "the folder of what was kept is a link",
      (_, cache) => moveAndLink(dirname(records(cache)[0] ?? "")),
    ],
  ])("is forgotten when %s", async (_what, change) => {
    expect(await afterChange(change)).toBeUndefined();
  });

  // Only root can give files away.
  it.runIf(process.getuid?.() === 0)(
    "is not taken from another user, who could have forged it",
    async () => {
      expect(
        await afterChange((_, cache) => chownSync(records(cache)[0] ?? "", 65_534, 65_534)),
      ).toBeUndefined();
      expect(
        await afterChange((_, cache) =>
          chownSync(dirname(records(cache)[0] ?? ""), 65_534, 65_534),
        ),
      ).toBeUndefined();
    },
  );

  it("is not written through a link, and nothing behind the link is deleted", async () => {
    using project = makeProject({ "package.json": '{"name":"linked"}', "pack.ts": LIB });
    using cache = makeTemporaryFolder();
    using other = makeTemporaryFolder();
    const build = async () =>
      (
        await buildPacks(["pack.ts"], {
          cwd: project.path,
          outDir: "build",
          cacheDir: cache.path,
          types: false,
        })
      ).packs[0]?.cache;
    expect(await build()).toBe("miss");
    const folder = dirname(records(cache.path)[0] ?? "");
    rmSync(folder, { recursive: true });
    symlinkSync(other.path, folder);
    const files = Array.from({ length: 9 }, (_, index) => `${index}.json`);
    for (const name of files) writeFileSync(join(other.path, name), "{}");
    expect(await build()).toBe("miss");
    expect(readdirSync(other.path).sort()).toEqual(files);
  });

  it("is forgotten when a configuration appears above the repository", async () => {
    using project = makeProject({
      "repo/.git/HEAD": "",
      "repo/package.json": '{"name":"below"}',
      "repo/pack.ts": LIB,
    });
    using cache = makeTemporaryFolder();
    const build = async () => {
      const { packs } = await buildPacks(["pack.ts"], {
        cwd: join(project.path, "repo"),
        outDir: "build",
        cacheDir: cache.path,
        types: false,
      });
      return packs[0]?.cache;
    };
    expect([await build(), await build()]).toEqual(["miss", "hit"]);
    project.write("tsconfig.json", "{}");
    expect([await build(), await build()]).toEqual(["miss", "hit"]);
  });

  it("is forgotten with other options", async () => {
    expect(await afterChange(() => {}, { minify: false })).toBeUndefined();
  });

  it("gives the same files as a build", async () => {
    using project = makeProject(FILES);
    using folder = makeTemporaryFolder();
    const build = (outDir: string, cache?: boolean) =>
      buildPacks(["pack.ts"], {
        cwd: project.path,
        outDir,
        types: false,
        cache,
        cacheDir: folder.path,
      });
    const [first, again, uncached] = [await build("a"), await build("b"), await build("c", false)];
    expect(first.packs[0]?.sha256).toBe(uncached.packs[0]?.sha256);
    expect(again.packs[0]).toMatchObject({
      sha256: first.packs[0]?.sha256,
      parts: first.packs[0]?.parts,
    });
    for (const name of ["bundle.js", "bundle.js.map", "manifest.json", "build.json"]) {
      expect(project.read(join("b/cached", name)), name).toBe(project.read(join("c/cached", name)));
    }
  });
});
