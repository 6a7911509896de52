import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { version } from "esbuild";
import { describe, expect, it } from "vitest";
import { initProject } from "../../../src/init/init-project.ts";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import {
  checkNodeRunners,
  clients,
  hasMocha,
  NODE_CASES,
  TYPED_PACK,
} from "./check-node-runners.ts";

const PACK = `const coda = require("@codahq/packs-sdk");
exports.pack = coda.newPack();
exports.pack.addFormula({
  name: "Double", description: "Doubles.", resultType: coda.ValueType.Number,
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "n", description: "It." })],
  execute: async ([n], context) => (await context.fetcher.fetch({ method: "GET", url: "https://a.example" })).body.factor * n,
});
`;
/** A suite as it is written for `@codahq/packs-sdk`, whose package is not installed. */
const SUITE = `const { strictEqual } = require("node:assert");
const { describe, it } = require("mocha");
const { executeFormulaFromPackDef, newJsonFetchResponse, newMockExecutionContext } = require("@codahq/packs-sdk/dist/development");
const { pack } = require("../pack.js");
describe("Double", () => {
  it("doubles", async () => {
    const context = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse({ factor: 2 }));
    strictEqual(await executeFormulaFromPackDef(pack, "Double", [21], context), 42);
  });
  it("fails", async () => {
    const context = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse({ factor: 2 }));
    strictEqual(await executeFormulaFromPackDef(pack, "Double", [1], context), 3);
  });
});
`;
const TYPED_SUITE = `import { type MockExecutionContext, executeFormulaFromPackDef, executeFormulaOrSyncWithVM, newJsonFetchResponse, newMockExecutionContext } from "@codahq/packs-sdk/dist/development";
import { assert, describe, it } from "./runner";
import { pack } from "../pack";
import * as sinon from "sinon";
describe("Double", () => {
  it("doubles", async () => {
    const context: MockExecutionContext = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse({ factor: 2 }));
    assert.strictEqual(await executeFormulaFromPackDef(pack, "Double", [21], context), 42);
    sinon.assert.calledOnce(context.fetcher.fetch);
    const bundlePath = require.resolve("../pack");
    assert.strictEqual(await executeFormulaOrSyncWithVM({ formulaName: "Double", params: [4], bundlePath, executionContext: context }), 8);
  });
  it("fails", () => assert.strictEqual(1, 2));
});
`;
const RUNNER = `import * as assert from "node:assert";
const { describe, it } = globalThis as unknown as Record<"describe" | "it", (title: string, body: () => unknown) => void>;
export { assert, describe, it };
`;
const MODULE_SUITE = `import { strictEqual } from "node:assert";
import { newPack } from "@codahq/packs-sdk";
describe("a module", () => {
  it("imports the same package", () => strictEqual(newPack().formulas.length, 0));
});
`;

describe.skipIf(!hasMocha)("plain mocha with --import=packsmith/register", () => {
  it("runs an existing suite, and reports the test that fails", { timeout: 300_000 }, async () => {
    using folder = makeTemporaryFolder();
    linkPackages(folder.path, ["sinon"]);
    const mocha = join(clients ?? "", "node_modules/mocha");
    symlinkSync(mocha, join(folder.path, "node_modules/mocha"), "junction");
    mkdirSync(join(folder.path, "test"));
    for (const [name, text] of Object.entries({
      "pack.js": PACK,
      "test/double_test.js": SUITE,
      "test/module_test.mjs": MODULE_SUITE,
    }))
      writeFileSync(join(folder.path, name), text);
    const output = await runMocha(folder.path, ["test/double_test.js", "test/module_test.mjs"]);
    expect(listOutcomes(output)).toEqual([
      "failed Double fails",
      "passed Double doubles",
      "passed a module imports the same package",
    ]);
  });
});

function runMocha(cwd: string, words: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const args = [
    join(cwd, "node_modules/mocha/bin/mocha.js"),
    "--import=packsmith/register",
    ...["--reporter", "json", "--timeout", "120000"],
    ...words,
  ];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd, env: { PATH, HOME } }, (_error, stdout, stderr) =>
      resolve(stdout || stderr),
    ),
  );
}

function listOutcomes(output: string): string[] {
  expect(output).toContain("{");
  const { passes, failures } = JSON.parse(output.slice(output.indexOf("{"))) as Record<
    "passes" | "failures",
    { fullTitle: string }[]
  >;
  return [
    ...passes.map(({ fullTitle }) => `passed ${fullTitle}`),
    ...failures.map(({ fullTitle }) => `failed ${fullTitle}`),
  ].sort();
}

describe.skipIf(!hasMocha || !existsSync(join(clients ?? "", "node_modules/ts-node")))(
  "mocha with --import=packsmith/register and a compiler",
  () => {
    it.each(["ts-node/register", "tsx/cjs"])(
      "runs a suite in TypeScript with --require %s",
      { timeout: 300_000 },
      async (compiler) => {
        using folder = makeTemporaryFolder();
        mkdirSync(join(folder.path, "node_modules/@types"), { recursive: true });
        linkPackages(folder.path, ["@types/node", "@types/sinon"]);
        for (const name of ["mocha", "ts-node", "tsx", "typescript"])
          symlinkSync(
            join(clients ?? "", "node_modules", name),
            join(folder.path, "node_modules", name),
            "junction",
          );
        mkdirSync(join(folder.path, "test"));
        const compilerOptions = { target: "ES2022", module: "CommonJS", strict: true };
        for (const [name, text] of Object.entries({
          "package.json": "{}",
          "tsconfig.json": JSON.stringify({ compilerOptions }),
          "pack.ts": TYPED_PACK,
          "test/runner.ts": RUNNER,
          "test/double_test.ts": TYPED_SUITE,
        }))
          writeFileSync(join(folder.path, name), text);
        await initProject({ directory: ".", cwd: folder.path });
        const output = await runMocha(folder.path, ["--require", compiler, "test/double_test.ts"]);
        expect(listOutcomes(output)).toEqual(["failed Double fails", "passed Double doubles"]);
      },
    );
  },
);

checkNodeRunners(NODE_CASES);

describe("packsmith/register in a thread", () => {
  const THREAD = `import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import "packsmith/register";
const load = createRequire(import.meta.url);
let found = "none";
try { found = typeof load("@codahq/packs-sdk").newPack; } catch {}
parentPort.postMessage([found, parentPort.listenerCount("message")]);
`;

  it.each([
    ["of a runner", {}, "function"],
    [
      "in which esbuild compiles for tsx, and for which the main thread waits",
      { esbuildVersion: version },
      "none",
    ],
  ])("%s", async (_, workerData, expected) => {
    using folder = makeTemporaryFolder();
    linkPackages(folder.path, []);
    const file = join(folder.path, "thread.mjs");
    writeFileSync(file, THREAD);
    const worker = new Worker(file, { workerData, execArgv: [] });
    const found = await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    await worker.terminate();
    // Its only listener is the esbuild that started it.
    expect(found).toEqual([expected, 0]);
  });
});
