import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import { parseDiagnostics } from "../../src/build/type-issues.ts";
import { validatePacks } from "../../src/build/validate-packs.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { explain } from "../../src/validate/explanations/explain.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeProject } from "../support/project.ts";

import { checkWithCompiler, PACK, STRICT, shown, WRONG } from "./check-with-compiler.ts";

// Some of the projects have a compiler of their own.
beforeAll(() => useTrust({ env: process.env, all: true }));
afterAll(() => useTrust({ env: process.env }));

checkWithCompiler("typescript");

describe("checkTypes", () => {
  it("starts nothing where no TypeScript is installed, or one of another age, or for JavaScript", async () => {
    using project = makeProject({ "pack.ts": WRONG, "pack.js": "export const pack = nothing;\n" });
    expect(await checkTypes(["pack.ts", "pack.js", "none.ts"], { cwd: project.path })).toEqual({
      issues: [],
      unchecked: ["pack.ts"],
    });
    fakeCompiler(project.path, "4.8.4", "throw new Error();");
    expect((await checkTypes(["pack.ts"], { cwd: project.path })).unchecked).toEqual([]);
  });

  it("warns when the compiler does not end, breaks or says nothing, and never hangs", async () => {
    using project = makeProject({ "pack.ts": PACK });
    const messages = async (script: string, timeoutMs?: number) => {
      fakeCompiler(project.path, "5.9.0", script);
      return shown(await checkTypes(["pack.ts"], { cwd: project.path, timeoutMs }));
    };
    const child =
      "import { spawnSync } from 'node:child_process'; spawnSync(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });";
    expect(await messages(child, 300)).toEqual([
      "TYPE_CHECK_FAILED pack.ts:1 TypeScript did not finish within 0.3 seconds.",
    ]);
    expect(await messages("process.exit(7);")).toEqual([
      "TYPE_CHECK_FAILED pack.ts:1 TypeScript exited with code 7 and reported nothing.",
    ]);
    expect(await messages("throw new Error('/secret/path');")).toEqual([
      "TYPE_CHECK_FAILED pack.ts:1 TypeScript exited with code 1 and reported nothing.",
    ]);
  });

  it("passes no secret of the environment to the compiler, and runs no script outside of its package", async () => {
    using project = makeProject({
      "pack.ts": PACK,
      "evil.js": 'console.log("pack.ts(1,1): error TS1: ran");process.exit(2);',
    });
    vi.stubEnv("PACKSMITH_REGISTRY_TOKEN", "planted-5d1f");
    fakeCompiler(
      project.path,
      "5.9.0",
      `console.log("pack.ts(1,1): error TS1: " + Object.keys(process.env).sort()); process.exit(2);`,
    );
    const { issues } = await checkTypes(["pack.ts"], { cwd: project.path });
    expect(issues[0]?.message).toContain("PATH");
    expect(issues[0]?.message).not.toContain("PACKSMITH");
    vi.unstubAllEnvs();
    const manifest = { version: "5.9.0", bin: { tsc: "../../evil.js" } };
    writeFileSync(
      join(project.path, "node_modules/typescript/package.json"),
      JSON.stringify(manifest),
    );
    expect(await checkTypes(["pack.ts"], { cwd: project.path })).toEqual({
      issues: [],
      unchecked: ["pack.ts"],
    });
  });

  it("runs one process for all Packs that share a compiler and a configuration", async () => {
    using project = makeProject({
      "a/pack.ts": PACK,
      "b/pack.ts": PACK,
      "c/pack.ts": PACK,
      "c/tsconfig.json": STRICT,
    });
    const log = join(project.path, "log");
    fakeCompiler(
      project.path,
      "5.9.0",
      `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(log)}, "x");`,
    );
    await checkTypes(["a/pack.ts", "b/pack.ts", "c/pack.ts"], { cwd: project.path });
    expect(project.read("log")).toBe("xx");
  });

  it("runs at most two at once", async () => {
    const names = ["a", "b", "c", "d", "e"];
    using project = makeProject(
      Object.fromEntries(
        names.flatMap((name) => [
          [`${name}/pack.ts`, PACK],
          [`${name}/tsconfig.json`, STRICT],
        ]),
      ),
    );
    const running = JSON.stringify(join(project.path, "running"));
    fakeCompiler(
      project.path,
      "5.9.0",
      `import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
       mkdirSync(${running} + "/" + process.pid, { recursive: true });
       await new Promise((resolve) => setTimeout(resolve, 50));
       if (readdirSync(${running}).length > 2) console.log("error TS1: Too many.");
       rmdirSync(${running} + "/" + process.pid);`,
    );
    const files = names.map((name) => `${name}/pack.ts`);
    expect(await checkTypes(files, { cwd: project.path })).toEqual({ issues: [], unchecked: [] });
  });

  it("leaves out what is wrong in installed packages, and says what is wrong with the configuration", async () => {
    using project = makeProject({ "pack.ts": PACK, "tsconfig.json": STRICT });
    const output = [
      "node_modules/other/index.d.ts(1,1): error TS1005: ';' expected.",
      "error TS5023: Unknown compiler option 'x'.",
    ];
    fakeCompiler(
      project.path,
      "5.9.0",
      `console.log(${JSON.stringify(output.join("\n"))}); process.exit(2);`,
    );
    expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([
      "TYPE_ERROR tsconfig.json:1 Unknown compiler option 'x'. (TS5023)",
    ]);
  });
});

describe("parseDiagnostics", () => {
  it("reads places, codes and further lines, and nothing else", () => {
    const output =
      "lib/a (1).ts(2,3): error TS2322: First.\r\n  Second.\r\n    Third.\r\n\r\nerror TS1: Global.\nnoise\n";
    expect(parseDiagnostics(output)).toEqual([
      {
        file: "lib/a (1).ts",
        line: 2,
        column: 3,
        code: "TS2322",
        message: "First.\n  Second.\n    Third.",
      },
      { file: undefined, line: 1, column: 1, code: "TS1", message: "Global." },
    ]);
  });
});

describe("type errors", () => {
  it("are in the same list as the rules' problems, and keep a Pack from being written, but not the others", async () => {
    using project = makeProject({ "wrong/pack.ts": WRONG, "good/pack.ts": PACK }, "typescript");
    const files = ["wrong/pack.ts", "good/pack.ts"];
    const built = await buildPacks(files, { cwd: project.path, outDir: "out" });
    expect({
      ok: built.ok,
      names: built.packs.map(({ name }) => name),
      code: built.failure?.error.code,
    }).toEqual({
      ok: false,
      names: ["good"],
      code: "PACK_INVALID",
    });
    expect(built.issues.map(({ code, file }) => `${code} ${file}`)).toEqual([
      "TYPE_ERROR wrong/pack.ts",
    ]);
    const unchecked = await buildPacks(files, { cwd: project.path, outDir: "out", types: false });
    expect(unchecked.ok).toBe(true);
  });

  it("have an explanation whose bad example is one, and whose good example is none", async () => {
    const { bad = "", good = "" } = explain("TYPE_ERROR") ?? {};
    const writePack = (example: string) =>
      `import { newPack, ValueType } from "packsmith";\nexport const pack = newPack();\n${example}\n`;
    using project = makeProject(
      { "bad.ts": writePack(bad), "good.ts": writePack(good) },
      "typescript",
    );
    const { issues } = await validatePacks(["bad.ts", "good.ts"], { cwd: project.path });
    expect(issues.map(({ code, file }) => `${code} ${file}`)).toEqual(["TYPE_ERROR bad.ts"]);
  });

  it("in a file with only types keep every Pack from being written", async () => {
    using project = makeProject(
      {
        "pack.ts": `import type { Row } from "./types";\n${PACK}export type Own = Row;\n`,
        "types.ts": "export type Row = Nope;\n",
      },
      "typescript",
    );
    const { ok, packs, issues } = await buildPacks(["pack.ts"], {
      cwd: project.path,
      outDir: "out",
    });
    expect({ ok, packs, files: issues.map(({ file }) => file) }).toEqual({
      ok: false,
      packs: [],
      files: ["types.ts"],
    });
  });

  it("are not repeated where a rule or the bundler has said more", async () => {
    using project = makeProject(
      {
        "pack.ts": PACK.replace("parameters:", "isAction: 'yes',\n  parameters:"),
        "broken.ts": "export const pack = ;\n",
      },
      "typescript",
    );
    const codes = async (file: string) =>
      (await validatePacks([file], { cwd: project.path })).issues.map(({ code }) => code);
    expect(await codes("pack.ts")).toEqual(["MEMBER_TYPE"]);
    expect(await codes("broken.ts")).toEqual(["PACK_BUILD_FAILED"]);
  });
});

describe("a misspelt key", () => {
  const SCHEMA = PACK.replace("import { makeP", "import { makeObjectSchema, makeP")
    .replace(
      "resultType: ValueType.String,\n",
      `resultType: ValueType.Object,
  schema: makeObjectSchema({ properties: { name: { type: ValueType.String } } }),
`,
    )
    .replace(/execute: .*,/, "execute: ([name]) => ({ name }),");
  it.each([
    ["description:", "desciption:", "KEY_UNKNOWN formulas[0].desciption"],
    ["execute:", "exceute:", "KEY_UNKNOWN formulas[0].exceute"],
    ["makeParameter({ type:", "makeParameter({ typ:", "KEY_UNKNOWN formulas[0].parameters[0].typ"],
    ["name: { type:", "name: { typ:", "TYPE_ERROR "],
    ["parameters:", "params:", "KEY_UNKNOWN formulas[0].params"],
  ])("gives one error: %s as %s", async (right, wrong, expected) => {
    const text = SCHEMA.replace(right, wrong);
    expect(text).not.toBe(SCHEMA);
    using project = makeProject({ "pack.ts": text }, "typescript");
    const { issues } = await validatePacks(["pack.ts"], { cwd: project.path });
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([expected]);
  });
});

describe("a missing member", () => {
  it.each([
    ["name", /\n {2}name: .*,/],
    ["description", /\n {2}description: .*,/],
    ["parameters", /\n {2}parameters: .*,/],
    ["resultType", /\n {2}resultType: .*,/],
    ["execute", /\n {2}execute: .*,/],
  ])("gives one error: %s", async (name, line) => {
    const text = PACK.replace(line, "");
    expect(text).not.toBe(PACK);
    using project = makeProject({ "pack.ts": text }, "typescript");
    const { issues } = await validatePacks(["pack.ts"], { cwd: project.path });
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      `MEMBER_MISSING formulas[0].${name}`,
    ]);
  });

  it.each([
    ["a missing member", "", "MEMBER_MISSING"],
    ["a misspelt key", "desciption: 'Gets.',", "KEY_UNKNOWN"],
  ])("hides no other problem in the same call: %s", async (_, line, code) => {
    const text = `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("host.example");
pack.addFormula({
  name: "Get",
  ${line}
  parameters: [],
  resultType: ValueType.String,
  execute: async (_, context) => {
    const { body } = context.fetcher.fetch({ method: "GET", url: "https://host.example" });
    return String(body);
  },
});
`;
    using project = makeProject({ "pack.ts": text }, "typescript");
    const { issues } = await validatePacks(["pack.ts"], { cwd: project.path });
    expect(issues.map((issue) => issue.code).sort()).toEqual([code, "TYPE_ERROR"]);
  });
});

/** A compiler that does what a script says. */
function fakeCompiler(project: string, version: string, script: string): void {
  const folder = join(project, "node_modules", "typescript");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "typescript", version, type: "module", bin: { tsc: "./tsc.js" } }),
  );
  writeFileSync(join(folder, "tsc.js"), script);
}

describe("checkTypes of Packs for `@codahq/packs-sdk`", () => {
  const LOOSE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
function clean(text) { return text.trim(); }
pack.addFormula({
  name: "Clean",
  description: "Cleans a text.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Any.", optional: true, sugestedValue: "a" })],
  resultType: coda.ValueType.String,
  execute: async function ([text, more], context) { return clean(text.length > 1 ? text : more); },
});
`;
  const GLOBALS = `import { createHash } from "crypto";
import { newPack } from "@codahq/packs-sdk";
export const pack = newPack();
export const found = [
  new URL("https://host.example").searchParams.get("a"),
  Buffer.from("a", "utf8").toString("base64"),
  new TextEncoder().encode("a").length,
  process.env.NODE_ENV,
  createHash("md5"),
  typeof fetch === "undefined" ? undefined : fetch,
];
console.log(found);
setTimeout(() => {}, 1);
`;

  it.each(chooseCases(["typescript", "typescript-5.9", "typescript-4.9"] as const, 3))(
    "imposes no strictness without a tsconfig.json, with %s",
    async (version) => {
      using project = makeProject({ "pack.ts": LOOSE }, version);
      expect(await checkTypes(["pack.ts"], { cwd: project.path })).toEqual({
        issues: [],
        unchecked: [],
      });
    },
  );

  it("needs neither the types of Node nor those of browsers", async () => {
    using project = makeProject({ "pack.ts": GLOBALS, "tsconfig.json": STRICT }, "typescript-5.9");
    expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([]);
  });

  it("is a warning there, because @codahq/packs-sdk built Packs without a type check", async () => {
    using project = makeProject(
      { "pack.ts": `${LOOSE}export const n: number = "";\n` },
      "typescript",
    );
    expect((await checkTypes(["pack.ts"], { cwd: project.path })).issues).toMatchObject([
      { code: "TYPE_ERROR", severity: "warning" },
    ]);
    const built = await buildPacks(["pack.ts"], { cwd: project.path, outDir: "out", cache: false });
    expect(built.packs).toHaveLength(1);
  });

  it("never advises to install types", async () => {
    const text = `import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\nexport const folder = describe("a");\n`;
    using project = makeProject({ "pack.ts": text }, "typescript-5.9");
    expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([
      "TYPE_ERROR pack.ts:3 Cannot find name 'describe'. (TS2593)",
    ]);
  });

  it("finds a forgotten await, and says so", async () => {
    const text = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({
  name: "Get",
  description: "Gets.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function (args, context) {
    const response = context.fetcher.fetch({ method: "GET", url: "https://host.example" });
    return response.body;
  },
});
`;
    using project = makeProject({ "pack.ts": text }, "typescript-5.9");
    const { issues } = await checkTypes(["pack.ts"], { cwd: project.path });
    expect(issues.map(({ line, hint }) => ({ line, hint }))).toEqual([
      { line: 10, hint: "Write await before the call." },
    ]);
  });

  it("switches options off for compilers that refuse even that in a configuration", async () => {
    // As TypeScript 5.0 to 5.4 answers; it checks the files nevertheless.
    const compiler = `const config = process.argv[process.argv.indexOf("--project") + 1];
const given = JSON.parse(require("node:fs").readFileSync(config, "utf8")).compilerOptions;
if ("generateTrace" in given)
  console.log(config + "(1,1): error TS6266: Option 'generateTrace' can only be specified on command line.");
console.log("pack.ts(2,3): error TS2322: Wrong.");
process.exitCode = 2;
`;
    using project = makeProject({
      "pack.ts": LOOSE,
      "tsconfig.json": STRICT,
      "node_modules/typescript/package.json": JSON.stringify({
        version: "5.4.2",
        bin: { tsc: "./bin/tsc" },
      }),
      "node_modules/typescript/bin/tsc": compiler,
    });
    expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([
      "TYPE_ERROR pack.ts:2 Wrong. (TS2322)",
    ]);
  });

  it("says once that a TypeScript is too old", async () => {
    const typescript = {
      "node_modules/typescript/package.json": JSON.stringify({
        version: "4.5.5",
        bin: { tsc: "./bin/tsc" },
      }),
    };
    using project = makeProject({ "a/pack.ts": PACK, "b/pack.ts": PACK, ...typescript });
    const { issues, unchecked } = await checkTypes(["a/pack.ts", "b/pack.ts"], {
      cwd: project.path,
    });
    expect(shown({ issues })).toEqual([
      "TYPE_CHECK_FAILED a/pack.ts:1 packsmith checks types with TypeScript 4.9 to 7, but TypeScript 4.5.5 is installed.",
    ]);
    expect(unchecked).toEqual([]);
  });

  it("uses them also where this package is installed under that name", async () => {
    const alias = {
      "node_modules/@codahq/packs-sdk/package.json": JSON.stringify({ name: "packsmith" }),
    };
    using project = makeProject({ "pack.ts": LOOSE, ...alias }, "typescript-5.9");
    expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([]);
  });
});
