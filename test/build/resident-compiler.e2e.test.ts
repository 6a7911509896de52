import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepCompiler } from "../../src/build/resident-compiler.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { builtFile } from "../../src/shared/own-package.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A compiler that notes when its library is loaded (`l`) and when its command starts (`c`). */
const createCompiler = (version: string, library: string) => ({
  "node_modules/typescript/package.json": JSON.stringify({ version, bin: { tsc: "bin/tsc.cjs" } }),
  "node_modules/typescript/bin/tsc.cjs": `require("node:fs").appendFileSync(__dirname + "/../starts", "c");
require(${JSON.stringify(join(modules, "typescript-5.9/lib/tsc.js"))});`,
  "node_modules/typescript/lib/typescript.js": `require("node:fs").appendFileSync(__dirname + "/../starts", "l");
${library}`,
});
const LIBRARY = `module.exports = require(${JSON.stringify(join(modules, "typescript-5.9/lib/typescript.js"))});`;

const settings = (more: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      // The types of browsers would be two fifths of the time of each check.
      lib: ["es2022"],
      types: [],
      ...more,
    },
  });

const FILES = {
  "package.json": '{ "name": "repo" }',
  "tsconfig.json": settings(),
  "pack.ts": `import { newPack } from "packsmith";
import { text } from "./lib/text";
import { dep } from "dep";
export const pack = newPack();
export const found: string = text + dep;
`,
  "lib/text.ts": 'export { word as text } from "./word";',
  "lib/word.ts": 'export const word = "word";',
  "node_modules/dep/package.json": '{ "name": "dep", "types": "index.d.ts" }',
  "node_modules/dep/index.d.ts": "export declare const dep: string;",
};

// The projects have a compiler of their own.
beforeAll(() => useTrust({ env: process.env, all: true }));
afterAll(() => useTrust({ env: process.env }));

const readStarts = (project: ProjectFolder) => project.read("node_modules/typescript/starts");

describe("a compiler that stays", () => {
  it("finds after each change what a new one finds", async () => {
    using project = makeProject({ ...createCompiler("5.9.3", LIBRARY), ...FILES });
    using resident = keepCompiler();
    const { path: cwd } = project;
    const check = async () => (await checkTypes(["pack.ts"], { cwd, resident })).issues;
    const steps: [files: Readonly<Record<string, string | undefined>>, issues: number][] = [
      [{}, 0],
      [{ "pack.ts": `${FILES["pack.ts"]}export const n: number = text;\n` }, 1],
      [{ "lib/word.ts": "export const word: any = 1;" }, 0],
      [{ "pack.ts": FILES["pack.ts"], "lib/word.ts": "export const word = Symbol();" }, 1],
      [{ "lib/word.ts": "export const word = " }, 1],
      [{ "lib/word.ts": FILES["lib/word.ts"] }, 0],
      [{ "lib/text.tsx": "export const text = 1n;", "lib/text.ts": undefined }, 1],
      [{ "lib/text.ts": FILES["lib/text.ts"] }, 0],
      [{ "node_modules/dep/index.d.ts": "export declare const dep: symbol;" }, 1],
      [{ "node_modules/dep/package.json": undefined, "node_modules/dep/index.d.ts": undefined }, 1],
      [{ "ambient.d.ts": 'declare module "dep";', "lib/text.ts": 'import "../ambient";' }, 1],
      [{ "lib/text.ts": FILES["lib/text.ts"], "tsconfig.json": settings({ strict: false }) }, 1],
      [{ "tsconfig.json": settings({ paths: { dep: ["./lib/dep"] } }) }, 1],
      [{ "lib/dep.ts": "export const dep: string = ''; const unused = 1;" }, 0],
      [{ "tsconfig.json": settings({ noUnusedLocals: true, paths: { dep: ["./lib/dep"] } }) }, 1],
    ];
    const found: number[] = [];
    for (const [files] of steps) {
      for (const [name, text] of Object.entries(files)) {
        if (text === undefined) rmSync(join(cwd, name));
        else project.write(name, text);
      }
      found.push((await check()).length);
    }
    expect(found).toEqual(steps.map(([, issues]) => issues));
    expect(readStarts(project)).toBe("l");
    expect(await check()).toEqual((await checkTypes(["pack.ts"], { cwd })).issues);
    // Another version.
    project.write(
      "node_modules/typescript/package.json",
      JSON.stringify({ version: "5.9.4", bin: { tsc: "bin/tsc.cjs" } }),
    );
    await check();
    expect(readStarts(project)).toBe("lcl");
  });

  it("is replaced by one for each check when its library fails, and for TypeScript 7", async () => {
    using broken = makeProject({ ...createCompiler("5.9.3", "process.exit(1);"), ...FILES });
    using native = makeProject({ ...createCompiler("7.0.0", "process.exit(1);"), ...FILES });
    using resident = keepCompiler();
    const issues = [];
    for (const { path: cwd } of [broken, native])
      issues.push(...(await checkTypes(["pack.ts"], { cwd, resident })).issues);
    expect(issues).toEqual([]);
    expect([readStarts(broken), readStarts(native)]).toEqual(["lc", "c"]);
  });

  it("ends when it takes too long, and with the process that started it", async () => {
    using project = makeProject({ ...createCompiler("5.9.3", "while (true);"), ...FILES });
    using resident = keepCompiler();
    const { path: cwd } = project;
    const { issues } = await checkTypes(["pack.ts"], { cwd, resident, timeoutMs: 500 });
    expect(issues).toMatchObject([{ code: "TYPE_CHECK_FAILED" }]);
    const library = join(modules, "typescript-5.9/lib/typescript.js");
    const worker = fork(builtFile("build/compiler-worker.js"), [library]);
    const ended = once(worker, "exit");
    worker.disconnect();
    await ended;
    expect(worker.exitCode).toBe(0);
  });
});
