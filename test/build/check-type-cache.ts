import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { validatePacks } from "../../src/build/validate-packs.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  check,
  countStarts,
  createCompiler,
  LIB,
  modules,
  type Release,
  settle,
} from "./counting-compiler.ts";

const PACK = `import { newPack } from "packsmith";
import { dep } from "dep";
import { text } from "./lib/text";
import { far } from "~/far";
export const pack = newPack();
const found: string = text + dep + far;
pack.addFormula({ name: "A", description: "Text.", resultType: "string", parameters: [], execute: () => found });
`;

const config = (options: object = {}, files?: string[]) =>
  JSON.stringify({
    files,
    compilerOptions: {
      strict: true,
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      lib: LIB,
      paths: { "~/*": ["./near/*", "./far/*"] },
      ...options,
    },
  });

const PROJECT = {
  "package.json": '{ "name": "repo" }',
  "tsconfig.json": config(),
  "pack.ts": PACK,
  "other.ts": "export const other = 1;",
  "lib/text.ts": 'export const text: string = "text";',
  "far/far.ts": 'export const far = "far";',
  "node_modules/dep/package.json":
    '{ "name": "dep", "exports": { "types": { "import": "./new/index.d.ts", "default": "./index.d.ts" }, "default": "./index.js" } }',
  "node_modules/dep/index.js": 'exports.dep = "dep";',
  "node_modules/dep/index.d.ts": "export declare const dep: string;",
};

type Change = (project: ProjectFolder) => void;
const put =
  (files: Readonly<Record<string, string>>): Change =>
  (project) => {
    for (const [path, text] of Object.entries(files)) project.write(path, text);
  };

/** Tries when the cache of types is used. */
export function checkTypeCache(release: Release): void {
  // The projects have a compiler of their own.
  beforeAll(() => useTrust({ env: process.env, all: true }));
  afterAll(() => useTrust({ env: process.env }));

  describe(`the cache of types with ${release}`, () => testCache(release));
}

function testCache(release: Release): void {
  const FILES = { ...createCompiler(release), ...PROJECT };

  const cache = makeTemporaryFolder();
  afterAll(() => cache[Symbol.dispose]());
  beforeAll(async () => {
    using project = makeProject(FILES);
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
  });

  const unimportant: [string, Change][] = [
    ["nothing, in another checkout", () => {}],
    ["a comment in a file that nothing imports", put({ "other.ts": "// A comment.\n" })],
    ["a licence and a folder for coverage", put({ LICENSE: "Free.", "coverage/a.json": "{}" })],
    ["another Pack", put({ "packs/b/pack.ts": PACK })],
    ["a package that nothing imports", put({ "node_modules/more/package.json": "{}" })],
    ["code of a package with types", put({ "node_modules/dep/index.js": "exports.dep = 1;" })],
    ["a file that an import finds later", put({ "lib/text.tsx": "" })],
    ["types next to a file", put({ "lib/node_modules/@types/x/index.d.ts": "" })],
    ["a file of settings", put({ ".env": "A=1", "README.md": "Read." })],
    ["a script", put({ "package.json": '{ "name": "repo", "scripts": { "a": "b" } }' })],
    ["a build, and what it leaves", put({ "build/a/build.json": "{}", "a.tsbuildinfo": "{}" })],
  ];
  it.each(chooseCases(unimportant, 3))("is used after %s", async (_, change) => {
    using project = makeProject(FILES);
    change(project);
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
  });

  const important: [string, Change, number][] = [
    [
      "another type in an imported file",
      put({ "lib/text.ts": "export const text = Symbol();" }),
      1,
    ],
    [
      "other types of a package",
      put({ "node_modules/dep/index.d.ts": "export declare const dep: symbol;" }),
      1,
    ],
    [
      "a file that the package's manifest names first, in a new folder",
      put({ "node_modules/dep/new/index.d.ts": "export declare const dep: symbol;" }),
      1,
    ],
    [
      "another option",
      put({ "tsconfig.json": config({ exactOptionalPropertyTypes: true, noUnusedLocals: true }) }),
      0,
    ],
    [
      "another option in a configuration that is extended",
      put({ "tsconfig.json": '{ "extends": "./base.json" }', "base.json": config({ paths: {} }) }),
      1,
    ],
    ["another kind of modules", put({ "package.json": '{ "name": "repo", "type": "module" }' }), 0],
    ["another version of the compiler", put(createCompiler(release, "7.0.9")), 0],
    [
      "another compiler of the same version",
      put({ "node_modules/typescript/lib/tsc.js": "// A patch." }),
      0,
    ],
    [
      "a file that paths find first, in a new folder",
      put({ "near/far.ts": "export const far = Symbol();" }),
      1,
    ],
    [
      "global types that are added by themselves",
      put({
        "node_modules/@types/a/index.d.ts": "declare const pack: 1; declare module 'packsmith';",
        "node_modules/@types/a/package.json": '{ "name": "@types/a", "types": "index.d.ts" }',
      }),
      0,
    ],
    ["a Pack with an error", put({ "pack.ts": PACK.replace("found: string", "found: number") }), 2],
    ["a missing file", (project) => rmSync(join(project.path, "lib/text.ts")), 1],
    [
      "a link to other types",
      (project) => {
        const home = join(project.path, "node_modules/dep");
        rmSync(home, { recursive: true });
        project.write("packages/dep/index.ts", "export const dep = Symbol();");
        mkdirSync(dirname(home), { recursive: true });
        symlinkSync("../packages/dep", home);
      },
      1,
    ],
  ];
  it.each(chooseCases(important, 3))("is not used after %s", async (_, change, least) => {
    using project = makeProject(FILES);
    change(project);
    const cached = await check(project, cache.path);
    const fresh = await checkTypes(["pack.ts"], { cwd: project.path });
    expect(cached.issues).toEqual(fresh.issues);
    expect(cached.issues.length).toBeGreaterThanOrEqual(least);
    expect(cached.starts).toBeGreaterThan(0);
  });

  it("has the errors with the same places in another checkout", async () => {
    const files = { ...FILES, "lib/text.ts": "\nexport const text: string = 1;" };
    using project = makeProject(files);
    const first = await check(project, cache.path);
    using clone = makeProject(files);
    expect(await check(clone, cache.path)).toEqual({ ...first, starts: 0 });
    expect(first.issues).toMatchObject([{ code: "TYPE_ERROR", file: "lib/text.ts", line: 2 }]);
    expect(JSON.stringify(first.issues)).not.toContain(project.path);
  });

  it.runIf(isLong)(
    "is used at another depth, with this package linked from elsewhere",
    async () => {
      const files = FILES;
      const linkOwn = (folder: string) =>
        symlinkSync(dirname(modules), join(folder, "node_modules/packsmith"));
      using project = makeProject(files);
      linkOwn(project.path);
      expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
      const deep = Object.entries(files).map(([path, text]) => [`far/away/${path}`, text]);
      using other = makeProject(Object.fromEntries(deep));
      const clone: ProjectFolder = {
        ...other,
        path: join(other.path, "far/away"),
        read: (path) => other.read(`far/away/${path}`),
      };
      linkOwn(clone.path);
      expect(await check(clone, cache.path)).toEqual({ issues: [], starts: 0 });
    },
  );

  it.runIf(isLong)(
    "is used after a change above the repository, unless an import could mean it",
    async () => {
      const below = Object.entries({
        ...FILES,
        "pack.ts": `${PACK}import type { maybe } from "maybe/one";\nexport const no: typeof maybe = 1;\n`,
        "lib/text.ts": '/// <reference types="kinds" />\nexport const text: string = "text";',
      }).map(([path, text]) => [`home/repo/${path}`, text]);
      using above = makeProject({
        ...Object.fromEntries(below),
        "node_modules/kinds/index.d.ts": "declare const kinds: string;",
        "node_modules/maybe/one.d.ts": "export declare const maybe: string;",
      });
      const project: ProjectFolder = {
        ...above,
        path: join(above.path, "home/repo"),
        read: (path) => above.read(`home/repo/${path}`),
      };
      const checkAgain = async () => (await check(project, cache.path)).starts;
      expect(await checkAgain()).toBe(1);
      above.write("home/node_modules/other/index.d.ts", "");
      above.write("home/repo/lib/node_modules/.bin/other", "");
      expect(await checkAgain()).toBe(0);
      above.write("home/node_modules/maybe/one.d.ts", "export declare const maybe: number;");
      expect(await checkAgain()).toBeGreaterThan(0);
      above.write("home/node_modules/@types/kinds/index.d.ts", "declare const kinds: number;");
      expect(await checkAgain()).toBeGreaterThan(0);
      above.write("home/repo/lib/node_modules/kinds/index.d.ts", "declare const kinds: number;");
      expect(await checkAgain()).toBeGreaterThan(0);
      expect(await checkAgain()).toBe(0);
    },
  );

  it("does not keep what a missing import of the project gave", async () => {
    using project = makeProject({ ...FILES, "pack.ts": `import "./absent/file";\n${PACK}` });
    await check(project, cache.path);
    expect(await check(project, cache.path)).toMatchObject({ starts: 1 });
  });

  it.runIf(isLong)("keeps what an import gave that is not installed, until it is", async () => {
    using project = makeProject({
      ...FILES,
      "node_modules/dep/index.d.ts":
        'import { absent } from "absent/types";\nexport declare const dep: typeof absent;',
    });
    await check(project, cache.path);
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
    project.write("node_modules/absent/types.d.ts", "export declare const absent: symbol;");
    expect(await check(project, cache.path)).toMatchObject({
      issues: [{ file: "pack.ts" }],
      starts: expect.toSatisfy((count) => count > 0),
    });
  });

  it.runIf(isLong)(
    "is used with a package whose types are another package, until these change",
    async () => {
      using project = makeProject({
        ...FILES,
        "pack.ts": `import { plain } from "plain";\n${PACK}export const more: string = plain;\n`,
        "node_modules/plain/package.json": '{ "name": "plain", "main": "./index.js" }',
        "node_modules/plain/index.js": 'exports.plain = "plain";',
        "node_modules/@types/plain/index.d.ts": "export declare const plain: string;",
      });
      expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
      expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
      project.write("node_modules/@types/plain/index.d.ts", "export declare const plain: symbol;");
      expect(await check(project, cache.path)).toMatchObject({ issues: [{ line: 9 }], starts: 1 });
    },
  );

  it.runIf(isLong)(
    "is used after types were installed, if the project lists those that it uses",
    async () => {
      using project = makeProject({
        ...FILES,
        "tsconfig.json": config({ types: ["listed"] }),
        "node_modules/@types/listed/index.d.ts": "declare const listed: string;",
      });
      expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
      project.write("node_modules/@types/other/index.d.ts", "declare const other: string;");
      expect((await check(project, cache.path)).starts).toBe(0);
      project.write("node_modules/@types/listed/package.json", '{ "types": "other.d.ts" }');
      project.write("node_modules/@types/listed/other.d.ts", "declare const listed: number;");
      expect((await check(project, cache.path)).starts).toBeGreaterThan(0);
      project.write("node_modules/@types/listed/other.d.ts", "declare const listed: boolean;");
      expect((await check(project, cache.path)).starts).toBeGreaterThan(0);
    },
  );

  it("sees what declaration files of the project declare for all files, until they change", async () => {
    using project = makeProject({
      ...FILES,
      "pack.ts": `${PACK}import page from "./page.txt";\nexport const shown: Shown = page;\n`,
      "page.txt": "A page.",
      "types/text.d.ts": 'declare module "*.txt" { const text: string; export default text; }',
      "types/shown.d.ts": "type Shown = string;",
    });
    using own = makeTemporaryFolder();
    expect(await check(project, own.path)).toEqual({ issues: [], starts: 1 });
    expect(await check(project, own.path)).toEqual({ issues: [], starts: 0 });
    project.write("types/shown.d.ts", "type Shown = number;");
    expect(await check(project, own.path)).toMatchObject({ issues: [{ line: 9 }], starts: 1 });
    rmSync(join(project.path, "types/text.d.ts"));
    expect((await check(project, own.path)).issues).toHaveLength(1);
    project.write("more/shown.d.ts", "type Shown2 = string;");
    expect((await check(project, own.path)).starts).toBeGreaterThan(0);
  });

  it("is used with folders of types, until one of those changes that are named", async () => {
    using project = makeProject({
      ...FILES,
      "tsconfig.json": config({ typeRoots: ["./types"], types: ["own"] }, ["pack.ts"]),
      "types/own/index.d.ts": "declare const known: string;",
    });
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
    project.write("other/more.d.ts", "declare const more: string;");
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
    project.write("types/own/index.d.ts", "declare const known: number;");
    expect((await check(project, cache.path)).starts).toBeGreaterThan(0);
    project.write("types/more/index.d.ts", "declare const known: number;");
    project.write("types/README.md", "");
    expect(await check(project, cache.path)).toEqual({ starts: 0, issues: [] });
    project.write("types/own/package.json", '{ "types": "other.d.ts" }');
    project.write("types/own/other.d.ts", "declare const known: boolean;");
    expect((await check(project, cache.path)).starts).toBeGreaterThan(0);
  });

  it("does not serve a folder without trust what its own compiler found", async () => {
    const files = {
      ...FILES,
      "node_modules/typescript/bin/tsc.cjs": "console.log('/pack.ts');",
    };
    using project = makeProject(files);
    await check(project, cache.path);
    useTrust({ env: {} });
    try {
      project.write("lib/text.ts", "export const text: string = 1;");
      const first = await check(project, cache.path);
      expect(first.issues).toMatchObject([{ code: "TYPE_ERROR", file: "lib/text.ts" }]);
      expect(await check(project, cache.path)).toEqual(first);
    } finally {
      useTrust({ env: process.env, all: true });
    }
    expect((await check(project, cache.path)).issues).toEqual([]);
  });

  it("is used by a build, but not without types and not without a cache", async () => {
    using project = makeProject({ ...FILES, "lib/text.ts": "export const text: string = 1;" });
    const options = { cwd: project.path, outDir: "out", cacheDir: ".cache" };
    const build = async (more: object = {}) => {
      await settle();
      const before = countStarts(project);
      const { issues } = await buildPacks(["pack.ts"], { ...options, ...more });
      return { starts: countStarts(project) - before, issues: issues.length };
    };
    expect(await build()).toEqual({ starts: 1, issues: 1 });
    expect(await build()).toEqual({ starts: 0, issues: 1 });
    expect(await build({ cache: false })).toEqual({ starts: 1, issues: 1 });
    expect(await build({ types: false })).toEqual({ starts: 0, issues: 0 });
  });

  it("is shared by validate and build", async () => {
    using project = makeProject(FILES);
    using folder = makeTemporaryFolder();
    const options = { cwd: project.path, cacheDir: folder.path };
    await settle();
    expect((await validatePacks(["pack.ts"], options)).ok).toBe(true);
    expect((await validatePacks(["pack.ts"], options)).ok).toBe(true);
    await buildPacks(["pack.ts"], { ...options, outDir: "out" });
    expect(countStarts(project)).toBe(1);
    await validatePacks(["pack.ts"], { ...options, cache: false });
    expect(countStarts(project)).toBe(2);
  });

  it.each(["typescript", "typescript-4.9"] as const)("works with %s", async (typescript) => {
    const { "node_modules/typescript/package.json": _, ...rest } = FILES;
    const { "node_modules/typescript/bin/tsc.cjs": __, ...files } = rest;
    const config = JSON.stringify({
      compilerOptions: {
        strict: true,
        module: "esnext",
        moduleResolution: "node",
        target: "es2022",
        lib: LIB,
      },
    });
    const text = typescript === "typescript" ? FILES["tsconfig.json"] : config;
    const pack = PACK.replace("~/far", "./far/far").replace(
      'import { dep } from "dep";',
      'const dep = "";',
    );
    using project = makeProject({ ...files, "tsconfig.json": text, "pack.ts": pack }, typescript);
    const found = await check(project, cache.path);
    project.write("lib/text.ts", readFileSync(join(project.path, "lib/text.ts"), "utf8"));
    const again = await check(project, cache.path);
    expect(again.issues).toEqual(found.issues);
    writeFileSync(join(project.path, "lib/text.ts"), "export const text: string = 1;");
    expect((await check(project, cache.path)).issues).toHaveLength(1);
  });
}
