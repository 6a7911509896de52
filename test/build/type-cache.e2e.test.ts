import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { saveRecord } from "../../src/build/cache-records.ts";
import { openTypeCache } from "../../src/build/type-cache.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { validatePacks } from "../../src/build/validate-packs.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

const PACK = `import { newPack } from "packsmith";
import { dep } from "dep";
import { text } from "./lib/text";
import { far } from "~/far";
export const pack = newPack();
const found: string = text + dep + far;
pack.addFormula({ name: "A", description: "Text.", resultType: "string", parameters: [], execute: () => found });
`;

/** A compiler that notes when it is started: `i` with information of an earlier check, else `x`. */
const compiler = (version: string, release = "typescript-5.9") => ({
  "node_modules/typescript/package.json": JSON.stringify({ version, bin: { tsc: "bin/tsc.cjs" } }),
  "node_modules/typescript/bin/tsc.cjs": `const fs = require("node:fs");
const config = JSON.parse(fs.readFileSync(process.argv[process.argv.indexOf("--project") + 1], "utf8"));
const info = config.compilerOptions.tsBuildInfoFile;
fs.appendFileSync(__dirname + "/../starts", info && fs.existsSync(info) ? "i" : "x");
${writeStart(release)}`,
});

function writeStart(release: string): string {
  const folder = join(modules, release);
  return release === "typescript"
    ? `process.exitCode = require("node:child_process").spawnSync(process.execPath, [${JSON.stringify(join(folder, "bin/tsc"))}, ...process.argv.slice(2)], { stdio: "inherit" }).status;`
    : `require(${JSON.stringify(join(folder, "lib/tsc.js"))});`;
}

/** The types of browsers would be two fifths of the time of each check. */
const LIB = ["es2022"];

const config = (options: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      ...{ strict: true, module: "esnext", moduleResolution: "bundler", target: "es2022" },
      lib: LIB,
      paths: { "~/*": ["./near/*", "./far/*"] },
      ...options,
    },
  });

const FILES = {
  ...compiler("5.9.3"),
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

// The projects have a compiler of their own.
beforeAll(() => useTrust({ env: process.env, all: true }));
afterAll(() => useTrust({ env: process.env }));

function readStarts(project: ProjectFolder): string {
  try {
    return project.read("node_modules/typescript/starts");
  } catch {
    return "";
  }
}

const countStarts = (project: ProjectFolder): number => readStarts(project).length;

/** Files with the time of a check may have changed during it. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

async function check(project: ProjectFolder, folder: string, files = ["pack.ts"]) {
  await settle();
  const before = countStarts(project);
  const cache = openTypeCache({ cwd: project.path, folder });
  const { issues } = await checkTypes(files, { cwd: project.path, cache });
  const starts = countStarts(project) - before;
  return { issues, starts };
}

type Change = (project: ProjectFolder) => void;
const put =
  (files: Readonly<Record<string, string>>): Change =>
  (project) => {
    for (const [path, text] of Object.entries(files)) project.write(path, text);
  };

describe("the cache of types", () => {
  const cache = makeTemporaryFolder();
  afterAll(() => cache[Symbol.dispose]());
  beforeAll(async () => {
    using project = makeProject(FILES);
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
  });

  it.each<[string, Change]>([
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
  ])("is used after %s", async (_, change) => {
    using project = makeProject(FILES);
    change(project);
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
  });

  it.each<[string, Change, number]>([
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
    ["another version of the compiler", put(compiler("5.9.4")), 0],
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
  ])("is not used after %s", async (_, change, least) => {
    using project = makeProject(FILES);
    change(project);
    const cached = await check(project, cache.path);
    const fresh = await checkTypes(["pack.ts"], { cwd: project.path });
    expect(cached.issues).toEqual(fresh.issues);
    expect(cached.issues.length).toBeGreaterThanOrEqual(least);
    expect(cached.starts).toBe(1);
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

  it("is used at another depth, with this package linked from elsewhere", async () => {
    const files = { ...FILES, ...compiler("7.0.2", "typescript") };
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
  });

  it("is used after a change above the repository, unless an import could mean it", async () => {
    const below = Object.entries({
      ...FILES,
      ...compiler("7.0.2", "typescript"),
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
    expect(await checkAgain()).toBe(1);
    above.write("home/node_modules/@types/kinds/index.d.ts", "declare const kinds: number;");
    expect(await checkAgain()).toBe(1);
    above.write("home/repo/lib/node_modules/kinds/index.d.ts", "declare const kinds: number;");
    expect(await checkAgain()).toBe(1);
    expect(await checkAgain()).toBe(0);
  });

  it("does not keep what a missing import of the project gave", async () => {
    using project = makeProject({ ...FILES, "pack.ts": `import "./absent/file";\n${PACK}` });
    await check(project, cache.path);
    expect(await check(project, cache.path)).toMatchObject({ starts: 1 });
  });

  it("keeps what an import gave that is not installed, until it is", async () => {
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
      starts: 1,
    });
  });

  it("is used after types were installed, if the project lists those that it uses", async () => {
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
    expect((await check(project, cache.path)).starts).toBe(1);
    project.write("node_modules/@types/listed/other.d.ts", "declare const listed: boolean;");
    expect((await check(project, cache.path)).starts).toBe(1);
  });

  it("is used with folders of types, until one of these changes", async () => {
    using project = makeProject({
      ...FILES,
      ...compiler("7.0.2", "typescript"),
      "tsconfig.json": config({ typeRoots: ["./types"], types: ["own"] }),
      "types/own/index.d.ts": "declare const known: string;",
    });
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 1 });
    project.write("other/more.d.ts", "declare const more: string;");
    expect(await check(project, cache.path)).toEqual({ issues: [], starts: 0 });
    project.write("types/own/index.d.ts", "declare const known: number;");
    expect((await check(project, cache.path)).starts).toBe(1);
    project.write("types/more/index.d.ts", "declare const known: number;");
    expect(await check(project, cache.path)).toEqual({ starts: 1, issues: [] });
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
});

const RELEASES = ["typescript", "typescript-5.9"] as const;

describe.each(RELEASES)("a check with %s after a change", (release) => {
  const version = { typescript: "7.0.2", "typescript-5.9": "5.9.3" };
  const OPTIONS = {
    strict: true,
    module: "esnext",
    target: "es2022",
    lib: LIB,
    moduleResolution: "bundler",
    types: [],
  };
  const settings = (more: object = {}) =>
    JSON.stringify({ compilerOptions: { ...OPTIONS, ...more } });
  const SOURCES = {
    ...compiler(version[release], release),
    "package.json": '{ "name": "repo" }',
    "tsconfig.json": settings(),
    "pack.ts": `import { newPack } from "packsmith";
import { text } from "./lib/text";
import { word } from "./lib/word";
export const pack = newPack();
export const found: string = text + word;
`,
    "lib/text.ts": 'export { word as text } from "./word";',
    "lib/word.ts": 'export const word = "word";',
    "lib/other.ts": "",
  };
  const WRONG = "export const word = Symbol();";
  const listInfo = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /^check-.*\.json$/.test(path))
      .map((path) => join(folder, path));

  /** What a check with the cache finds is the same as without. @returns how the compiler started */
  async function compare(project: ProjectFolder, folder: string) {
    const before = countStarts(project);
    const { issues } = await check(project, folder);
    const starts = readStarts(project).slice(before);
    // The other takes ten times as long.
    if (release === "typescript") {
      const fresh = await checkTypes(["pack.ts"], { cwd: project.path });
      expect(issues).toEqual(fresh.issues);
    }
    return { starts, count: issues.length };
  }

  it("uses what the compiler remembers, and finds what has changed", async () => {
    using project = makeProject(SOURCES);
    using cache = makeTemporaryFolder();
    const step = (path: string, text: string) => {
      project.write(path, text);
      return compare(project, cache.path);
    };
    expect(await compare(project, cache.path)).toEqual({ starts: "x", count: 0 });
    expect(await step("pack.ts", `${SOURCES["pack.ts"]}export const n: number = word;\n`)).toEqual({
      starts: "i",
      count: 1,
    });
    // The file with the errors does not change.
    expect((await step("lib/word.ts", WRONG)).starts).toBe("i");
    expect(await step("lib/word.ts", "export const word: any = 1;")).toEqual({
      starts: "i",
      count: 0,
    });
    expect((await step("lib/word.ts", "export const word =")).count).toBeGreaterThan(0);
    expect(await step("lib/word.ts", SOURCES["lib/word.ts"])).toEqual({ starts: "i", count: 1 });
    expect(await step("pack.ts", SOURCES["pack.ts"])).toEqual({ starts: "", count: 0 });
    const added = `import "./lib/other";\nexport const far: string = (globalThis as any as { far: Far }).far;\n`;
    expect((await step("pack.ts", SOURCES["pack.ts"] + added)).count).toBe(1);
    expect(
      await step("lib/other.ts", "export {};\ndeclare global { type Far = string }\n"),
    ).toEqual({ starts: "i", count: 0 });
    expect(listInfo(cache.path)).not.toEqual([]);
    expect(readdirSync(project.path, { recursive: true }).join()).not.toMatch(/tsbuildinfo/);
  });

  it("checks everything when options or the compiler are others, and in another checkout", async () => {
    using project = makeProject({ ...SOURCES, "lib/word.ts": "export const word: any = null;" });
    using cache = makeTemporaryFolder();
    await check(project, cache.path);
    project.write("tsconfig.json", settings({ noUnusedLocals: true, strictNullChecks: false }));
    project.write("pack.ts", `${SOURCES["pack.ts"]}const unused = 1;\n`);
    expect(await compare(project, cache.path)).toEqual({ starts: "x", count: 1 });
    project.write("node_modules/typescript/lib/more.js", "");
    expect(await compare(project, cache.path)).toEqual({ starts: "x", count: 1 });
    using clone = makeProject({ ...SOURCES, "lib/word.ts": WRONG });
    expect((await compare(clone, cache.path)).starts).toBe("x");
  });

  it("does not use what is damaged, foreign or from inside of the project", async () => {
    using project = makeProject(SOURCES);
    using cache = makeTemporaryFolder();
    const edit = async (text: string, folder = cache.path) => {
      project.write("lib/word.ts", text);
      return await compare(project, folder);
    };
    await check(project, cache.path);
    for (const path of listInfo(cache.path))
      writeFileSync(path, readFileSync(path).subarray(0, 500));
    expect((await edit(WRONG)).starts).toBe("x");
    // The compiler does not understand this.
    for (const path of listInfo(cache.path)) saveRecord(path, '{"version":1,"fileNames":5}');
    expect((await edit(SOURCES["lib/word.ts"] + WRONG.replace("word", "more"))).count).toBe(0);
    for (const path of listInfo(cache.path)) saveRecord(path, "[]");
    expect((await edit(`${WRONG}\n`)).count).toBeGreaterThan(0);
    const inside = join(project.path, ".cache");
    expect((await edit(`${WRONG}\n\n`, inside)).starts).toBe("x");
    expect((await edit(`${WRONG}\n\n\n`, inside)).starts).toBe("x");
    expect(listInfo(inside)).toEqual([]);
  });
});
