import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** A folder in which mocha is installed; CI makes one. */
const clients = process.env["PACKSMITH_CLIENTS"];
const hasMocha = clients !== undefined && existsSync(join(clients, "node_modules/mocha"));

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
    const suites = ["test/double_test.js", "test/module_test.mjs"];
    const args = [
      join(mocha, "bin/mocha.js"),
      "--import=packsmith/register",
      "--reporter",
      "json",
      ...suites,
    ];
    const { PATH, HOME } = process.env;
    const output = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        args,
        { cwd: folder.path, env: { PATH, HOME } },
        (_error, stdout, stderr) => resolve(stdout || stderr),
      ),
    );
    const { passes, failures } = JSON.parse(output.slice(output.indexOf("{"))) as Record<
      "passes" | "failures",
      { fullTitle: string }[]
    >;
    expect(passes.map(({ fullTitle }) => fullTitle).sort()).toEqual([
      "Double doubles",
      "a module imports the same package",
    ]);
    expect(failures.map(({ fullTitle }) => fullTitle)).toEqual(["Double fails"]);
  });
});

describe("packsmith/register in a thread", () => {
  const THREAD = `import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import "packsmith/register";
const load = createRequire(import.meta.url);
let found = "none";
try { found = typeof load("@codahq/packs-sdk").newPack; } catch {}
parentPort.postMessage(found);
`;

  it.each([
    ["of a runner", {}, "function"],
    [
      "in which esbuild compiles for tsx, and for which the main thread waits",
      { esbuildVersion: "0.28.2" },
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
    expect(found).toBe(expected);
  });
});
