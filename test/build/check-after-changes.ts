import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveRecord } from "../../src/build/cache-records.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { isLong } from "../support/breadth.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  check,
  countStarts,
  createCompiler,
  LIB,
  type Release,
  readStarts,
} from "./counting-compiler.ts";

/** Changes a project between checks. */
export function checkAfterChanges(release: Release): void {
  // The projects have a compiler of their own.
  beforeAll(() => useTrust({ env: process.env, all: true }));
  afterAll(() => useTrust({ env: process.env }));

  describe(`a check with ${release} after a change`, () => testChanges(release));
}

function testChanges(release: Release): void {
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
    ...createCompiler(release),
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

  /** Replaces what the compiler has written. */
  const saveInfo = (path: string, text: string): void => {
    const [, mark = ""] = readFileSync(path, "utf8").split("\n");
    saveRecord(path, `${mark}\n${text}`);
  };

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
    const commented = `${SOURCES["lib/word.ts"]}// A comment.\n`;
    expect(await step("lib/word.ts", commented)).toEqual({ starts: "i", count: 1 });
    expect(await step("lib/word.ts", SOURCES["lib/word.ts"])).toEqual({ starts: "", count: 1 });
    expect(await step("pack.ts", SOURCES["pack.ts"])).toEqual({ starts: "", count: 0 });
    const added = `import "./lib/other";\nexport const far: string = (globalThis as any as { far: Far }).far;\n`;
    expect((await step("pack.ts", SOURCES["pack.ts"] + added)).count).toBe(1);
    expect(
      await step("lib/other.ts", "export {};\ndeclare global { type Far = string }\n"),
    ).toEqual({ starts: release === "typescript" ? "x" : "i", count: 0 });
    expect(listInfo(cache.path)).not.toEqual([]);
    expect(readdirSync(project.path, { recursive: true }).join()).not.toMatch(/tsbuildinfo/);
  });

  it.runIf(isLong)(
    "checks everything when options or the compiler are others, and in another checkout",
    async () => {
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
    },
  );

  it("finds what has changed of packages that only the compiler imports", async () => {
    const types = (element: string) =>
      `export declare const jsx: any; export namespace JSX { interface IntrinsicElements { ${element}: {} } type Element = any }`;
    const helper = "export declare function __decorate(...values: any[]): any;";
    using project = makeProject({
      ...SOURCES,
      "tsconfig.json": settings({
        ...{ jsx: "react-jsx", jsxImportSource: "mini" },
        ...{ importHelpers: true, experimentalDecorators: true },
      }),
      "pack.ts": `${SOURCES["pack.ts"]}import "./lib/page";
const mark = (_: any) => {};
@mark class Marked {}
export const made = new Marked();
`,
      "lib/page.tsx": "export const page = <a />;",
      "node_modules/mini/package.json": '{ "name": "mini" }',
      "node_modules/mini/jsx-runtime.d.ts": types("a"),
      "node_modules/tslib/package.json": '{ "name": "tslib", "types": "t.d.ts" }',
      "node_modules/tslib/t.d.ts": helper,
    });
    using cache = makeTemporaryFolder();
    expect((await compare(project, cache.path)).count).toBe(0);
    project.write("node_modules/mini/jsx-runtime.d.ts", types("b"));
    expect((await compare(project, cache.path)).count).toBe(1);
    project.write("node_modules/tslib/t.d.ts", "export {};");
    expect((await compare(project, cache.path)).count).toBe(2);
  });

  it("finds what has changed of what is declared for all files", async () => {
    const types = "node_modules/@types/far/index.d.ts";
    using project = makeProject({
      ...SOURCES,
      "tsconfig.json": settings({ types: ["far"] }),
      "pack.ts": `${SOURCES["pack.ts"]}import "./lib/use";\nimport "./lib/near";\n`,
      "lib/use.ts": "export const all: [Near, Far, Wide] = ['a', 'b', 'c'];",
      "lib/near.ts": "export {};\ndeclare global { type Near = string }",
      [types]: "type Far = string;",
      "wide.d.ts": "type Wide = string;",
    });
    using cache = makeTemporaryFolder();
    expect((await compare(project, cache.path)).count).toBe(0);
    project.write("lib/near.ts", "export {};\ndeclare global { type Near = number }");
    expect((await compare(project, cache.path)).count).toBe(1);
    project.write(types, "type Far = number;");
    expect((await compare(project, cache.path)).count).toBe(2);
    project.write("wide.d.ts", "type Wide = number;");
    expect((await compare(project, cache.path)).count).toBe(3);
    project.write("lib/use.ts", "export const all: [Near, Far, Wide] = [1, 2, 'c'];");
    expect((await compare(project, cache.path)).count).toBe(1);
  });

  it("finds what has changed of files that imports find and that are not read", async () => {
    using project = makeProject({
      ...SOURCES,
      "tsconfig.json": settings({ strict: false }),
      "pack.ts": `${SOURCES["pack.ts"]}import "./lib/page";\nimport type { X } from "untyped";\nexport type Y = X;\n`,
      "lib/page.tsx": "export const page = 1;",
      "lib/page.js": "export const page = 1;",
      "node_modules/untyped/index.js": "",
    });
    using cache = makeTemporaryFolder();
    const countIssues = async () => (await compare(project, cache.path)).count;
    expect(await countIssues()).toBe(1);
    rmSync(join(project.path, "lib/page.tsx"));
    expect(await countIssues()).toBe(0);
    rmSync(join(project.path, "node_modules/untyped"), { recursive: true });
    expect(await countIssues()).toBe(1);
    project.write("lib/page.tsx", "export const page = 1;");
    project.write("lib/word.ts", `${SOURCES["lib/word.ts"]}// A comment.\n`);
    expect(await countIssues()).toBe(2);
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
    for (const path of listInfo(cache.path)) saveInfo(path, '{"version":1,"fileNames":5}');
    expect((await edit(SOURCES["lib/word.ts"] + WRONG.replace("word", "more"))).count).toBe(0);
    for (const path of listInfo(cache.path)) saveInfo(path, "[]");
    expect((await edit(`${WRONG}\n`)).count).toBeGreaterThan(0);
    const inside = join(project.path, ".cache");
    expect((await edit(`${WRONG}\n\n`, inside)).starts).toBe("x");
    expect((await edit(`${WRONG}\n\n\n`, inside)).starts).toBe("x");
    expect(listInfo(inside)).toEqual([]);
  });
}
