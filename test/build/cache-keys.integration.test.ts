import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPackCache } from "../../src/build/pack-cache.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const writePack = (imports: string, text: string) => `import { newPack } from "packsmith";
${imports}
export const pack = newPack();
pack.addFormula({ name: "A", description: String(${text}), resultType: "string", parameters: [], execute: () => "" });
`;
const lock = (members: object = {}) =>
  JSON.stringify({
    packages: {
      "node_modules/dep": { version: "1.0.0", integrity: "a" },
      "node_modules/both": { version: "1.0.0", integrity: "b" },
      ...members,
    },
  });

/** Six Packs: each imports in another way. */
const FILES = {
  "package.json": '{ "name": "repo", "workspaces": ["packs/*"], "scripts": { "a": "b" } }',
  "package-lock.json": lock(),
  "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./near/*", "./lib/*"] } } }',
  "lib/text.ts": 'export const text = "text";',
  "lib/mapped.ts": 'export const mapped = "mapped";',
  "packs/a/pack.ts": writePack(
    'import { text } from "../../lib/text";\nimport { dep } from "dep";',
    "text + dep",
  ),
  "packs/b/pack.ts": writePack(
    'import { mapped } from "~/mapped";\nimport { helper } from "./helper.js";',
    "mapped + helper",
  ),
  "packs/b/helper.ts": 'export const helper = "helper";',
  "packs/c/pack.ts": writePack('import { shared } from "@org/shared";', "shared"),
  "packs/d/pack.ts": writePack('import { both } from "both";', "both"),
  "packs/e/package.json":
    '{ "name": "e", "imports": { "#lib/*": "./inner/*.ts", "#env": { "browser": "./inner/browser.ts", "default": "./inner/other.ts" } } }',
  "packs/e/inner/alias.ts": 'export const alias = "alias";',
  "packs/e/inner/browser.ts": 'export const env = "browser";',
  "packs/e/inner/other.ts": 'export const env = "other";',
  "packs/e/data.json": '{ "text": "data" }',
  "packs/e/pack.ts": writePack(
    'import { alias } from "#lib/alias";\nimport { env } from "#env";\nimport data from "./data.json";',
    "alias + env + data.text",
  ),
  "tsconfig.base.json": '{ "compilerOptions": { "paths": { "%/*": ["./inner/*"] } } }',
  "packs/f/tsconfig.json": '{ "extends": "../../tsconfig.base.json" }',
  "packs/f/pack.ts": writePack(
    'import { outer } from "outer";\nimport { inner } from "%/inner";',
    "outer + inner",
  ),
  "inner/inner.ts": 'export const inner = "inner";',
  "node_modules/outer/package.json":
    '{ "name": "outer", "exports": { ".": { "import": "./m.js", "default": "./c.js" } }, "browser": { "./text.js": "./shim.js" }, "sideEffects": false }',
  "node_modules/outer/m.js":
    'import "./effect.js";\nimport { text } from "./text.js";\nimport { deep } from "deep";\nexport const outer = text + deep;',
  "node_modules/outer/c.js": 'exports.outer = "c";',
  "node_modules/outer/effect.js": "globalThis.effect = 1;",
  "node_modules/outer/text.js": 'export const text = "text";',
  "node_modules/outer/shim.js": 'export const text = "shim";',
  "node_modules/deep/package.json": '{ "name": "deep", "main": "index.js" }',
  "node_modules/deep/index.js": 'exports.deep = "deep";',
  "packages/shared/package.json": '{ "name": "@org/shared", "exports": "./src/index.ts" }',
  "packages/shared/src/index.ts": 'export const shared = "shared";',
  "packages/copy/package.json": '{ "name": "@org/shared", "exports": "./src/index.ts" }',
  "packages/copy/src/index.ts": 'export const shared = "shared";',
  "node_modules/dep/package.json": '{ "name": "dep", "main": "index.js" }',
  "node_modules/dep/index.js": 'exports.dep = "dep";',
  "node_modules/dep/other.js": 'exports.dep = "other";',
  "node_modules/both/package.json": '{ "name": "both", "main": "m.js", "browser": "b.js" }',
  "node_modules/both/m.js": 'exports.both = "main";',
  "node_modules/both/b.js": 'exports.both = "browser";',
};
const PACKS = ["a", "b", "c", "d", "e", "f"];

type Change = (folder: string) => void;

/** A clone of the repository, in a folder of its own. */
function makeClone() {
  const project = makeProject(FILES);
  link(project.path, "shared");
  return project;
}

function link(folder: string, to: string): void {
  const path = join(folder, "node_modules/@org/shared");
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(`../../packages/${to}`, path);
}

const put =
  (files: Readonly<Record<string, string>>): Change =>
  (folder) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };

const edit =
  (path: string, from: string, to: string): Change =>
  (folder) => {
    const before = readFileSync(join(folder, path), "utf8");
    expect(before).toContain(from);
    writeFileSync(join(folder, path), before.replace(from, to));
  };

/** Moves a file, and leaves a link to it. */
const linkFile =
  (path: string, to: string): Change =>
  (folder) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    renameSync(join(folder, path), join(folder, to));
    symlinkSync(join(folder, to), join(folder, path));
  };

function reformat(path: string): void {
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8")), undefined, 4));
}

const each = (folder: string, change: (path: string) => void): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    change(join(folder, name));
};

describe("a change", () => {
  const cache = makeTemporaryFolder();
  const cacheIn = (folder: string) =>
    openPackCache({ cwd: folder, folder: cache.path, options: {} });

  beforeAll(async () => {
    using project = makeClone();
    for (const name of PACKS) {
      const entry = join(project.path, "packs", name, "pack.ts");
      await using pack = await openPack(entry, { cwd: project.path });
      cacheIn(project.path).write(entry, pack);
    }
  });
  afterAll(() => cache[Symbol.dispose]());

  const lostBy = (change: Change): string => {
    using project = makeClone();
    change(project.path);
    const kept = cacheIn(project.path);
    const isLost = (name: string) =>
      kept.read(join(project.path, "packs", name, "pack.ts")) === undefined;
    return PACKS.filter(isLost).join("");
  };

  it.each<[string, Change]>([
    ["a clone", () => {}],
    ["other times of files", (folder) => each(folder, (path) => utimesSync(path, 1, 1))],
    ["another umask", (folder) => each(folder, (path) => chmodSync(path, 0o700))],
    ["a new Pack", put({ "packs/x/pack.ts": writePack("", "1"), "packs/x/package.json": "{}" })],
    [".git", put({ ".git/HEAD": "ref: refs/heads/main" })],
    [".env and LICENSE", put({ ".env": "A=1", LICENSE: "MIT" })],
    [
      "a folder of a tool",
      put({ "coverage/lcov.info": "", ".turbo/log.txt": "", "docs/a.js": "" }),
    ],
    ["a new file that no one imports", put({ "lib/unused.ts": "", "packs/a/pack.test.ts": "" })],
    ["a file that would be found later", put({ "lib/text.js": "", "lib/text/index.ts": "" })],
    ["a file with the name of a package", put({ "packs/a/dep.ts": "", "lib/both.ts": "" })],
    ["a package that no one imports", put({ "node_modules/new/package.json": '{"name":"new"}' })],
    ["a package where no one looks", put({ "packs/b/node_modules/dep/index.js": "" })],
    ["a script of the package", edit("package.json", '"a": "b"', '"a": "c"')],
    [
      "a map of packages beside the Packs",
      put({ "lib/.pnp.cjs": "", "node_modules/dep/.pnp.data.json": "{}" }),
    ],
    [
      "a dependency that no one imports",
      edit("package.json", "{", '{ "dependencies": { "x": "1" },'),
    ],
    ["its entry in the lock file", put({ "package-lock.json": lock({ "node_modules/x": {} }) })],
    ["a new workspace", edit("package.json", '"packs/*"', '"packs/*", "apps/*"')],
    ["an option for types only", edit("tsconfig.json", "{", '{ "include": ["packs"],')],
    ["paths of other names", edit("tsconfig.json", '"paths": {', '"paths": { "%/*": ["./x/*"],')],
    ["a file of a package that is not read", put({ "node_modules/dep/README.md": "Read." })],
    [
      "files of package managers",
      put({
        ".npmrc": "save-exact=true",
        "node_modules/.package-lock.json": "{}",
        ".yarnrc.yml": "",
      }),
    ],
    ["settings of a monorepo tool", put({ "packs/a/turbo.json": '{ "extends": ["//"] }' })],
    ["its project file", put({ "packs/a/project.json": "{}", "packs/b/moon.yml": "" })],
    ["types of a package", put({ "node_modules/@types/dep/index.d.ts": "export {};" })],
    ["global types", put({ "types/global.d.ts": "declare global {}", "packs/a/env.d.ts": "" })],
    ["references", edit("tsconfig.json", "{", '{ "references": [{ "path": "./packs/a" }],')],
    ["options of a base that only types use", edit("tsconfig.base.json", "{", '{ "files": [],')],
    ["a script of a Pack", edit("packs/e/package.json", "{", '{ "scripts": { "a": "b" },')],
    [
      "a file that no one uses any more",
      (folder) => rmSync(join(folder, "node_modules/dep/other.js")),
    ],
    ["a cassette and a page", put({ "packs/a/cassettes/a.json": "{}", "packs/a/README.md": "" })],
    ["the version of a package", edit("node_modules/dep/package.json", "{", '{ "license": "MIT",')],
    ["a patch that is not applied", put({ "patches/dep+1.0.0.patch": "--- a\n+++ b\n" })],
    [
      "settings of patches and overrides",
      edit(
        "package.json",
        "{",
        '{ "overrides": { "x": "1" }, "pnpm": { "patchedDependencies": {} },',
      ),
    ],
    ["a lock file with other spaces", (folder) => reformat(join(folder, "package-lock.json"))],
    ["a configuration with other spaces", (folder) => reformat(join(folder, "tsconfig.json"))],
    [
      "a configuration with a comment and Windows line ends",
      edit("tsconfig.json", "{ ", "\uFEFF// Paths.\r\n{\r\n"),
    ],
    ["a manifest with other line ends", edit("package.json", "{", "{\r\n")],
    ["a configuration that esbuild does not read", put({ "jsconfig.json": "{}" })],
    ["types next to a file", put({ "lib/text.d.ts": "export declare const text: number;" })],
    [
      "what a compiler remembers",
      put({ "tsconfig.tsbuildinfo": "{}", "packs/a/.tsbuildinfo": "" }),
    ],
    [
      "types of Node",
      put({ "node_modules/@types/node/package.json": '{ "name": "@types/node" }' }),
    ],
    ["a folder with the name of a file", put({ "lib/text.tsx/readme.md": "Read." })],
    ["an empty folder of packages", (folder) => mkdirSync(join(folder, "packs/a/node_modules"))],
    ["a program of a package", put({ "node_modules/.bin/dep": "#!/bin/sh" })],
    ["another package of a scope", put({ "node_modules/@org/other/package.json": "{}" })],
    ["an older build", put({ "build/a/bundle.js": "", "build/a/build.json": "{}" })],
    [
      "files that no one may write",
      (folder) => each(join(folder, "lib"), (path) => chmodSync(path, 0o444)),
    ],
    [
      "a configuration in a package",
      put({ "node_modules/dep/tsconfig.json": '{ "extends": "x" }' }),
    ],
    [
      "a configuration beside packages",
      put({ "node_modules/tsconfig.json": '{ "extends": "x" }' }),
    ],
    ["a duplicate that no one imports", put({ "node_modules/both/node_modules/dep/index.js": "" })],
    ["a list of ignored files", put({ ".gitignore": "lib", "packs/a/.gitignore": "*" })],
    ["settings of an editor", put({ ".vscode/settings.json": "{}", ".editorconfig": "" })],
    ["a manifest where no one looks", put({ "lib/sub/package.json": '{ "sideEffects": false }' })],
    [
      "types in the lock file",
      put({ "package-lock.json": lock({ "node_modules/@types/dep": { version: "2.0.0" } }) }),
    ],
  ])("of what no import can mean keeps every Pack: %s", (_, change) => {
    expect(lostBy(change)).toBe("");
  });

  it.each<[string, string, Change]>([
    ["a", "the content of an input", put({ "lib/text.ts": 'export const text = "new";' })],
    ["a", "a file that is found first", put({ "lib/text.tsx": 'export const text = "first";' })],
    ["b", "the file that an import names exactly", put({ "packs/b/helper.js": "" })],
    ["b", "an earlier target of paths", put({ "near/mapped.ts": "" })],
    ["b", "other paths", edit("tsconfig.json", "./near/*", "./far/*")],
    ["b", "a nearer configuration", put({ "packs/b/tsconfig.json": "{}" })],
    ["b", "an input that is gone", (folder) => rmSync(join(folder, "packs/b/helper.ts"))],
    ["a", "a map of packages", put({ "packs/a/.pnp.cjs": "" })],
    ["abcdef", "a map of packages above", put({ "packs/.pnp.data.json": "{}" })],
    ["a", "a package that is nearer", put({ "packs/a/node_modules/dep/index.js": "" })],
    ["a", "a file in place of a package", put({ "packs/node_modules/dep.js": "" })],
    ["a", "another main", edit("node_modules/dep/package.json", "index.js", "other.js")],
    ["d", "another browser", edit("node_modules/both/package.json", "b.js", "m.js")],
    ["d", "new exports", edit("node_modules/both/package.json", "{", '{ "exports": "./m.js",')],
    ["c", "other exports", edit("packages/shared/package.json", "src", "lib")],
    ["c", "a link that leads elsewhere", (folder) => link(folder, "copy")],
    [
      "c",
      "a package around a file",
      put({ "packages/shared/src/package.json": '{"type":"module"}' }),
    ],
    [
      "a",
      "another entry in the lock file",
      put({ "package-lock.json": lock({ "node_modules/dep": { version: "1.0.1" } }) }),
    ],
    ["d", "the name of a Pack", put({ "packs/d/package.json": '{ "name": "renamed" }' })],
    [
      "d",
      "the timers of a Pack",
      put({ "packs/d/.coda-pack.json": '{ "options": { "timerStrategy": "fake" } }' }),
    ],
    [
      "abcdef",
      "an option that changes the output",
      edit("tsconfig.json", '"paths"', '"jsx": "react", "paths"'),
    ],
    ["e", "the imports of a package.json", edit("packs/e/package.json", "./inner/*", "./far/*")],
    ["e", "a condition of its imports", edit("packs/e/package.json", "browser.ts", "other.ts")],
    ["e", "data", put({ "packs/e/data.json": '{ "text": "new" }' })],
    ["e", "the file of an alias", put({ "packs/e/inner/alias.ts": "export const alias = 1;" })],
    [
      "b",
      "a name in other letters",
      (folder) => renameSync(join(folder, "packs/b/helper.ts"), join(folder, "packs/b/Helper.ts")),
    ],
    ["f", "a configuration that is extended", edit("tsconfig.base.json", "./inner", "./outer")],
    ["f", "another base", edit("packs/f/tsconfig.json", "base", "more")],
    ["f", "a condition of exports", edit("node_modules/outer/package.json", "./m.js", "./c.js")],
    ["f", "a file for browsers", edit("node_modules/outer/package.json", "./shim", "./more")],
    ["f", "side effects", edit("node_modules/outer/package.json", "false", "true")],
    ["f", "a dependency of a package", put({ "node_modules/deep/index.js": "exports.deep = 1;" })],
    ["f", "its manifest", edit("node_modules/deep/package.json", "index.js", "other.js")],
    [
      "f",
      "a nearer dependency of a package",
      put({ "node_modules/outer/node_modules/deep/index.js": "exports.deep = 1;" }),
    ],
    ["c", "the source of a workspace", put({ "packages/shared/src/index.ts": "export {};" })],
    ["a", "a patch that was applied", put({ "node_modules/dep/index.js": "exports.dep = 2;" })],
    ["a", "other line ends", edit("lib/text.ts", ";", ";\r\n")],
    ["a", "a byte order mark", edit("lib/text.ts", "export", "\uFEFFexport")],
    ["a", "a link in place of a file", linkFile("lib/text.ts", "far/text.ts")],
    ["a", "a link in place of an entry file", linkFile("packs/a/pack.ts", "far/text.ts")],
    ["b", "a name for a folder that paths find first", put({ "near/mapped/index.ts": "" })],
    ["abcdef", "side effects of the repository", edit("package.json", "{", '{ "sideEffects": [],')],
    ["abcdef", "its kind of modules", edit("package.json", "{", '{ "type": "module",')],
    ["abcdef", "its files for browsers", edit("package.json", "{", '{ "browser": { "a": "b" },')],
    [
      "abcdef",
      "decorators",
      edit("tsconfig.json", '"paths"', '"experimentalDecorators": true, "paths"'),
    ],
    [
      "c",
      "a dependency that hides a workspace",
      put({ "packs/c/node_modules/@org/shared/index.js": "" }),
    ],
    ["ab", "a manifest around files", put({ "lib/package.json": '{ "type": "module" }' })],
    [
      "abcdef",
      "a manifest around Packs",
      put({ "packs/package.json": '{ "sideEffects": false }' }),
    ],
    [
      "f",
      "a file that browsers do not get",
      edit("node_modules/outer/package.json", '"./shim.js"', "false"),
    ],
    [
      "f",
      "a list of bases",
      put({ "packs/f/tsconfig.json": '{ "extends": ["../../tsconfig.base.json", "./own.json"] }' }),
    ],
    [
      "abcdef",
      "the module for JSX",
      edit("tsconfig.json", '"paths"', '"jsxImportSource": "preact", "paths"'),
    ],
    ["abcde", "a base URL", edit("tsconfig.json", '"paths"', '"baseUrl": "./lib", "paths"')],
    [
      "a",
      "a folder in place of a file",
      (folder) => {
        rmSync(join(folder, "lib/text.ts"));
        put({ "lib/text.ts/index.ts": 'export const text = "index";' })(folder);
      },
    ],
    [
      "a",
      "an index in place of a file",
      (folder) => {
        rmSync(join(folder, "lib/text.ts"));
        put({ "lib/text/index.ts": 'export const text = "index";' })(folder);
      },
    ],
    [
      "a",
      "a package that is gone",
      (folder) => rmSync(join(folder, "node_modules/dep"), { recursive: true }),
    ],
    ["a", "a package that is a link", linkFile("node_modules/dep", "far/dep")],
    [
      "f",
      "another package of the same name above it",
      put({ "packs/f/node_modules/outer/package.json": '{ "name": "outer" }' }),
    ],
  ])("loses exactly the Packs %s: %s", (lost, _, change) => {
    expect(lostBy(change)).toBe(lost);
  });
});

/** Above the repository: the package `far`, which Pack b imports. Pack c works without `absent`. */
const BELOW = {
  "package.json": '{ "name": "outside", "scripts": { "a": "b" } }',
  "node_modules/far/package.json": '{ "name": "far", "main": "index.js" }',
  "node_modules/far/index.js": 'exports.far = "far";',
  "home/repo/package.json": '{ "name": "repo", "workspaces": ["*"] }',
  "home/repo/node_modules/near/index.js": 'exports.near = "near";',
  "home/repo/a/pack.ts": writePack('import { near } from "near";', "near"),
  "home/repo/b/pack.ts": writePack('import { far } from "far";', "far"),
  "home/repo/c/pack.ts": writePack(
    'let found = "";\ntry { found = require("absent/text"); } catch { found = "none"; }',
    "found",
  ),
};

describe("above the repository, a change", () => {
  const cache = makeTemporaryFolder();
  const findPacks = (folder: string, repository: string) => {
    const cwd = join(folder, repository);
    const packs = openPackCache({ cwd, folder: cache.path, options: {} });
    const entries = ["a", "b", "c"].map((name) => join(cwd, name, "pack.ts"));
    return { cwd, packs, entries };
  };

  beforeAll(async () => {
    using project = makeProject(BELOW);
    const { cwd, packs, entries } = findPacks(project.path, "home/repo");
    for (const entry of entries) {
      await using pack = await openPack(entry, { cwd });
      packs.write(entry, pack);
    }
  });
  afterAll(() => cache[Symbol.dispose]());

  /** @param repository where the clone has the repository */
  const lostBy = (change: Change, repository = "home/repo"): string => {
    const files = Object.entries(BELOW).map(([path, text]) => [
      path.replace("home/repo", repository),
      text,
    ]);
    using project = makeProject(Object.fromEntries(files));
    change(project.path);
    const { packs, entries } = findPacks(project.path, repository);
    const lost = entries.filter((entry) => packs.read(entry) === undefined);
    return lost.map((entry) => basename(dirname(entry))).join("");
  };

  it.each<[string, Change]>([
    ["nothing", () => {}],
    ["a folder for packages", (folder) => mkdirSync(join(folder, "home/node_modules"))],
    ["a package that no one imports", put({ "home/node_modules/other/index.js": "" })],
    ["a package that is found later", put({ "home/node_modules/near/index.js": "" })],
    ["its file", put({ "home/node_modules/near.js": "", "node_modules/near.ts": "" })],
    ["a package of a scope", put({ "node_modules/@absent/text/index.js": "" })],
    ["programs and a lock file", put({ "home/node_modules/.bin/a": "", "home/yarn.lock": "" })],
    ["files of a home folder", put({ "home/.npmrc": "", "home/far.ts": "", "package.txt": "" })],
    ["a file of a package that is not read", put({ "node_modules/far/other.js": "" })],
    ["a script", edit("package.json", '"a": "b"', '"a": "c"')],
  ])("of what no import can mean keeps every Pack: %s", (_, change) => {
    expect(lostBy(change)).toBe("");
  });

  it("keeps the Packs that import nothing from there in a clone at another depth", () => {
    expect(lostBy(() => {}, "home/of/another/repo")).toBe("b");
    expect(lostBy(put({ "home/of/node_modules/other/index.js": "" }), "home/of/a/repo")).toBe("b");
    expect(lostBy(put({ "home/of/node_modules/absent/text.js": "" }), "home/of/a/repo")).toBe("bc");
  });

  it.each<[string, string, Change]>([
    ["b", "a package that is nearer", put({ "home/node_modules/far/index.js": "" })],
    ["b", "a package in the repository", put({ "home/repo/node_modules/far/index.js": "" })],
    ["b", "a file in place of a package", put({ "home/node_modules/far.js": "" })],
    ["b", "the content of a package", put({ "node_modules/far/index.js": "exports.far = 1;" })],
    ["b", "another main", edit("node_modules/far/package.json", "index.js", "other.js")],
    ["b", "a package that is a link", linkFile("node_modules/far", "elsewhere/far")],
    ["c", "a package that was not there", put({ "home/node_modules/absent/text.js": "" })],
    [
      "c",
      "a link to a package",
      (folder) => {
        mkdirSync(join(folder, "home/node_modules"));
        symlinkSync(join(folder, "node_modules/far"), join(folder, "home/node_modules/absent"));
      },
    ],
    ["abc", "a configuration", put({ "tsconfig.json": "{}" })],
    ["abc", "files for browsers", edit("package.json", "{", '{ "browser": { "a": "b" },')],
  ])("loses exactly the Packs %s: %s", (lost, _, change) => {
    expect(lostBy(change)).toBe(lost);
  });
});
