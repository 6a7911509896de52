import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openPackCache } from "../../src/build/pack-cache.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const pack = (imports: string, text = "x") => `import { newPack, ValueType } from "packsmith";
${imports}
export const pack = newPack();
pack.addFormula({ name: "A", description: "Says x.", parameters: [], resultType: ValueType.String, execute: async () => String(${text}) });
`;
const FROM_DEP = pack('import { x } from "dep";');
/** An installed package. */
const dep = (folder: string, text: string, manifest: object = {}) => ({
  [`${folder}/package.json`]: JSON.stringify({ name: "dep", ...manifest }),
  [`${folder}/index.js`]: `exports.x = "${text}";`,
});
const config = (compilerOptions: object = {}) => JSON.stringify({ compilerOptions });
const MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}';
/** An installed package with a source map that names a source without its text. */
const MAPPED = {
  "pack.ts": FROM_DEP,
  "node_modules/dep/package.json": '{ "name": "dep" }',
  "node_modules/dep/index.js":
    'exports.x = "1" + Math.random();\n//# sourceMappingURL=index.js.map\n',
  "node_modules/dep/index.js.map": MAP,
  "node_modules/dep/a.ts": "a",
};
const WORKSPACE = { "package.json": '{ "private": true, "workspaces": ["packages/*"] }' };
const STORE = {
  ...dep("node_modules/.pnpm/dep@1/node_modules/dep", "one"),
  ...dep("node_modules/.pnpm/dep@2/node_modules/dep", "two"),
};

interface Project {
  entry?: string;
  files: Readonly<Record<string, string>>;
  /** Links by their paths. */
  links?: Readonly<Record<string, string>>;
}

interface Changed extends Project {
  changes: { files?: Readonly<Record<string, string>>; links?: Readonly<Record<string, string>> };
}

function link(folder: string, links: Readonly<Record<string, string>> = {}): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    rmSync(join(folder, path), { force: true });
    symlinkSync(target, join(folder, path));
  }
}

/** What users get of a build, but for how it was made. */
async function build(
  folder: string,
  { entry = "pack.ts" }: Project,
  options: { cacheDir: string } | { cache: false },
  more: Partial<Parameters<typeof buildPacks>[1]> = {},
) {
  const { packs, issues } = await buildPacks([entry], {
    cwd: folder,
    outDir: "cache" in options ? "fresh" : "build",
    types: false,
    ...options,
    ...more,
  });
  const [built] = packs;
  const texts = built === undefined ? [] : [built.bundle, built.sourceMap, built.manifest];
  return {
    cache: built?.cache,
    result: { issues, texts: texts.map((path) => readFileSync(path, "utf8")) },
  };
}

const BUNDLED: Readonly<Record<string, Changed>> = {
  "a comment in a file that is imported for its types": {
    files: {
      "pack.ts": pack('import type { T } from "./types"; const x: T = "x";'),
      "types.ts": "export type T = string;",
    },
    changes: { files: { "types.ts": "export type T = string; // of a syncTable" } },
  },
  "a file beside one that is imported": {
    files: { "pack.ts": pack('import { x } from "./util";'), "util.ts": 'export const x = "x";' },
    changes: { files: { "util.json": '{ "about": "a syncTable" }' } },
  },
  "where a name of the manifest's imports leads": {
    files: {
      "package.json": '{ "name": "w", "imports": { "#d": "dep" } }',
      "pack.ts": pack('import { x } from "#d";'),
      ...STORE,
    },
    links: { "node_modules/dep": ".pnpm/dep@1/node_modules/dep" },
    changes: { links: { "node_modules/dep": ".pnpm/dep@2/node_modules/dep" } },
  },
  "a nearer package for a name of the manifest's imports": {
    entry: "packages/foo/pack.ts",
    files: {
      ...WORKSPACE,
      "packages/foo/package.json": '{ "name": "foo", "imports": { "#d/*": { "default": "dep" } } }',
      "packages/foo/pack.ts": pack('import { x } from "#d/any";'),
      ...dep("node_modules/dep", "one"),
    },
    changes: { files: dep("packages/foo/node_modules/dep", "two") },
  },
  "a package in place of another one in browsers": {
    files: {
      "pack.ts": FROM_DEP,
      "node_modules/dep/package.json":
        '{ "name": "dep", "browser": { "node-x": "browser-x", "./s.js": "./b" } }',
      "node_modules/dep/index.js": 'exports.x = require("node-x").x + require("./s.js").x;',
      "node_modules/dep/b.js": 'exports.x = "b";',
      "node_modules/browser-x/index.js": 'exports.x = "old";',
    },
    changes: {
      files: { "node_modules/dep/node_modules/browser-x/index.js": 'exports.x = "new";' },
    },
  },
  "a file in place of another one in browsers": {
    files: {
      "pack.ts": FROM_DEP,
      "node_modules/dep/package.json": '{ "name": "dep", "browser": { "./s.js": "./b" } }',
      "node_modules/dep/index.js": 'exports.x = require("./s.js").x;',
      "node_modules/dep/b.js": 'exports.x = "b.js";',
    },
    changes: { files: { "node_modules/dep/b": 'exports.x = "b";' } },
  },
  "a file of JavaScript beside one of TypeScript in a package": {
    files: {
      "pack.ts": FROM_DEP,
      "node_modules/dep/package.json": '{ "name": "dep" }',
      "node_modules/dep/index.ts": 'export * from "./x";',
      "node_modules/dep/x.ts": 'export const x = "ts";',
    },
    changes: { files: { "node_modules/dep/x.js": 'export const x = "js";' } },
  },
  "what a compiler wrote beside the source that a package exports": {
    entry: "packages/foo/pack.ts",
    files: {
      ...WORKSPACE,
      "packages/foo/package.json": '{ "name": "foo" }',
      "packages/foo/pack.ts": FROM_DEP,
      "packages/lib/package.json": '{ "name": "dep", "exports": "./src/index.js" }',
      "packages/lib/src/index.ts": 'export const x: string = "ts";',
    },
    links: { "node_modules/dep": "../packages/lib" },
    changes: { files: { "packages/lib/src/index.js": 'export const x = "js";' } },
  },
  "the source map of an imported file": {
    files: MAPPED,
    changes: { files: { "node_modules/dep/index.js.map": MAP.replace("AAAA", "AAUA") } },
  },
  "a source of the source map of an imported file": {
    files: MAPPED,
    changes: { files: { "node_modules/dep/a.ts": "b" } },
  },
  "the paths of a jsconfig.json that is nearer than a tsconfig.json": {
    files: {
      "tsconfig.json": config({ allowJs: true }),
      "js/jsconfig.json": config({ paths: { "@q": ["./q1.js"] } }),
      "js/q1.js": 'export const x = "1";',
      "js/q2.js": 'export const x = "2";',
      "js/m.js": 'export { x } from "@q";',
      "pack.ts": pack('import { x } from "./js/m.js";'),
    },
    changes: { files: { "js/jsconfig.json": config({ paths: { "@q": ["./q2.js"] } }) } },
  },
  "which configuration a package exports": {
    files: {
      "tsconfig.json": '{ "extends": "@org/tc/base.json" }',
      "node_modules/@org/tc/package.json":
        '{ "name": "@org/tc", "exports": { "./base.json": "./a.json" } }',
      "node_modules/@org/tc/a.json": config(),
      "node_modules/@org/tc/b.json": config({ useDefineForClassFields: false }),
      "pack.ts": pack("class C { z?: number } const x = Object.keys(new C());"),
    },
    changes: {
      files: {
        "node_modules/@org/tc/package.json":
          '{ "name": "@org/tc", "exports": { "./base.json": "./b.json" } }',
      },
    },
  },
  "a file that inherited paths lead to, from the base of the configuration that inherits": {
    files: {
      "cfg/base.json": config({ paths: { "@l/*": ["one/*"] } }),
      "tsconfig.json": '{ "extends": "./cfg/base.json", "compilerOptions": { "baseUrl": "./a" } }',
      "a/one/x.ts": 'export const x = "ts";',
      "cfg/one/x.ts": 'export const x = "wrong";',
      "pack.ts": pack('import { x } from "@l/x";'),
    },
    changes: { files: { "a/one/x.tsx": 'export const x = "tsx";' } },
  },
  "what a folder of a package above has, when a nearer one is empty": {
    entry: "packages/foo/pack.ts",
    files: {
      ...WORKSPACE,
      "packages/foo/package.json": '{ "name": "foo" }',
      "packages/foo/pack.ts": FROM_DEP,
      "packages/foo/node_modules/dep/node_modules/other/index.js": "",
      ...STORE,
    },
    links: { "node_modules/dep": ".pnpm/dep@1/node_modules/dep" },
    changes: { links: { "node_modules/dep": ".pnpm/dep@2/node_modules/dep" } },
  },
  "a manifest that is no JSON any more": {
    files: { "package.json": '{ "name": "w" }', "pack.ts": pack("const x = 1;") },
    changes: { files: { "package.json": '{ "name": "w", }' } },
  },
  "the manifest of a package that is no JSON any more": {
    files: { "pack.ts": FROM_DEP, ...dep("node_modules/dep", "one") },
    changes: { files: { "node_modules/dep/package.json": '{ "name": "dep", } // note' } },
  },
  "an empty configuration": {
    files: { "pack.ts": pack("const x = 1;") },
    changes: { files: { "tsconfig.json": "" } },
  },
  "the options of a Pack that are no JSON any more": {
    files: {
      ".coda-pack.json": '{ "options": { "timerStrategy": "fake" } }',
      "pack.ts": pack("const x = setTimeout(() => 1, 1);"),
    },
    changes: {
      files: { ".coda-pack.json": '{ "options": { "timerStrategy": "fake" } } // note' },
    },
  },
  "the line of a manifest that a warning names": {
    files: {
      "package.json":
        '{\n"name": "w",\n"exports": { ".": { "default": "./pack.ts", "import": "./pack.ts" } }\n}',
      "pack.ts": pack("const x = 1;"),
    },
    changes: {
      files: {
        "package.json":
          '{\n"name": "w",\n\n"exports": { ".": { "default": "./pack.ts", "import": "./pack.ts" } }\n}',
      },
    },
  },
  "paths that cannot be used without a base": {
    files: { "tsconfig.json": config(), "pack.ts": pack("const x = 1;") },
    changes: { files: { "tsconfig.json": config({ paths: { "@x/*": ["lib/*"] } }) } },
  },
};

describe("a build from the cache is the same as a new one after a change of", () => {
  it.each(Object.entries(BUNDLED))("%s", async (_name, { changes, ...project }) => {
    using folder = makeProject({ "package.json": '{ "name": "w" }', ...project.files });
    using cache = makeTemporaryFolder();
    link(folder.path, project.links);
    await build(folder.path, project, { cacheDir: cache.path });
    expect((await build(folder.path, project, { cacheDir: cache.path })).cache).toBe("hit");
    for (const [path, text] of Object.entries(changes.files ?? {})) folder.write(path, text);
    link(folder.path, changes.links);
    const { result } = await build(folder.path, project, { cacheDir: cache.path });
    expect(result).toEqual((await build(folder.path, project, { cache: false })).result);
  });

  it("the paths of a checkout in another folder, and that is a hit before", async () => {
    using folder = makeProject({
      "w/package.json": '{ "name": "w" }',
      "w/tsconfig.json": config({ paths: { "@l": ["./l.ts"] } }),
      "w/l.ts": 'export const x = "own";',
      "w/m.ts": 'export const x = "other";',
      "w/pack.ts": pack('import { x } from "@l";'),
    });
    using cache = makeTemporaryFolder();
    const project = { files: {} };
    const options = { cacheDir: cache.path };
    const [first, second] = [join(folder.path, "w"), join(folder.path, "somewhere")];
    await build(first, project, options);
    renameSync(first, second);
    expect((await build(second, project, options)).cache).toBe("hit");
    folder.write("somewhere/tsconfig.json", config({ paths: { "@l": ["./m.ts"] } }));
    const { result } = await build(second, project, options);
    expect(result).toEqual((await build(second, project, { cache: false })).result);
  });

  it.each([
    ["the entry", "pack.ts", pack('import { x } from "./lib";', "x + 2")],
    ["another file", "lib.ts", 'export const x = "two";'],
    ["a configuration", "tsconfig.json", config({ useDefineForClassFields: false })],
  ])("%s while it was built", async (_name, path, text) => {
    using folder = makeProject({
      "package.json": '{ "name": "w" }',
      "pack.ts": pack(
        'import { x } from "./lib"; class C { z?: number }',
        "x + Object.keys(new C())",
      ),
      "lib.ts": 'export const x = "one";',
    });
    using cache = makeTemporaryFolder();
    const open = () => openPackCache({ cwd: folder.path, folder: cache.path, options: {} });
    const entry = join(folder.path, "pack.ts");
    {
      await using opened = await openPack("pack.ts", { cwd: folder.path });
      folder.write(path, text);
      open().write(entry, opened);
    }
    expect(open().read(entry)).toBeUndefined();
  });
});

it("a record says nothing of a file that a package names and does not have", async () => {
  using outside = makeProject({ "secret.map": '{"version":3,"sources":[],"mappings":""}' });
  using folder = makeProject({
    "package.json": '{ "name": "w" }',
    "pack.ts": FROM_DEP,
    "node_modules/dep/package.json": '{ "name": "dep" }',
    "node_modules/dep/index.js": `exports.x = 1;\n//# sourceMappingURL=${outside.path}/secret.map\n`,
  });
  using cache = makeTemporaryFolder();
  await build(folder.path, { files: {} }, { cacheDir: cache.path });
  const records = readdirSync(cache.path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(cache.path, name), "utf8").split("\n")[1] ?? "");
  expect(records.join()).toContain("index.js");
  expect(records.join()).not.toContain("secret.map");
});

describe("a build comes from the cache", () => {
  it("when names changed that a computed import cannot mean", async () => {
    using folder = makeProject({
      "package.json": '{ "name": "w" }',
      "en.lang.json": '{ "x": 1 }',
      "get.js": 'export const get = (name) => require("./" + name + ".lang.json").x;',
      "pack.ts": pack('import { get } from "./get.js"; const x = get("en");'),
    });
    using cache = makeTemporaryFolder();
    const again = async () =>
      (await build(folder.path, { files: {} }, { cacheDir: cache.path })).cache;
    expect(await again()).toBe("miss");
    expect(await again()).toBe("hit");
    folder.write("README.md", "");
    folder.write(".git/index", "");
    folder.write("node_modules/unused/package.json", "{}");
    expect(await again()).toBe("hit");
    folder.write("de.lang.json", '{ "x": 2 }');
    expect(await again()).toBe("miss");
  });

  it("when it was built with other options, or from another folder, in between", async () => {
    using folder = makeProject({
      "package.json": '{ "name": "w" }',
      "packs/a/pack.ts": pack('const x = "x";'),
    });
    using cache = makeTemporaryFolder();
    const options = { cacheDir: cache.path };
    const kinds = () => [
      build(folder.path, { files: {}, entry: "packs/a/pack.ts" }, options),
      build(join(folder.path, "packs/a"), { files: {} }, options),
      build(folder.path, { files: {}, entry: "packs/a/pack.ts" }, options, { minify: false }),
    ];
    for (const one of kinds()) await one;
    const states = [];
    for (const one of kinds()) states.push((await one).cache);
    expect(states).toEqual(["hit", "hit", "hit"]);
  });
});
