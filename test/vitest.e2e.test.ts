import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packsmith } from "../src/vitest.ts";
import { chooseCases, isLong } from "./support/breadth.ts";
import { IN_ONE_PROCESS, linkPackages, runVitestProject } from "./support/child-vitest.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { ValueType } from "@codahq/packs-sdk/dist/schema";

export const pack = coda.newPack();
pack.addFormula({
  name: "Shout",
  description: "Makes a text loud.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Any text." })],
  resultType: ValueType.String,
  execute: async ([text]) => coda.ensureNonEmptyString(text).toUpperCase(),
});
`;

const TEST = `import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { executeFormula, startProvider } from "packsmith/testing";
import { newPack } from "packsmith";
import { PackDefinitionBuilder } from "@codahq/packs-sdk";
import { expect, it } from "vitest";
import { pack } from "./pack.ts";

it("runs the Pack in the sandbox", async () => {
  expect(await executeFormula("pack.ts", "Shout", ["hi"])).toBe("HI");
});

it("runs the Pack's own code", async () => {
  expect(await executeFormulaFromPackDef(pack, "Shout", ["hi"])).toBe("HI");
});

it("gives one copy of packsmith under every name", () => {
  expect(newPack()).toBeInstanceOf(PackDefinitionBuilder);
  expect(pack).toBeInstanceOf(PackDefinitionBuilder);
});

it("starts a provider", async () => {
  await using provider = await startProvider();
  expect(provider.issuer).toContain("127.0.0.1");
});
`;

describe("the vitest preset", () => {
  it("leaves other modules alone", () => {
    const { resolveId, enforce } = packsmith();
    expect(enforce).toBe("pre");
    expect(resolveId("vitest")).toBeUndefined();
    expect(resolveId("./packsmith")).toBeUndefined();
    expect(resolveId("@codahq/packs-sdk/dist/development")).toMatch(/dist[\\/]legacy-testing\.js$/);
  });

  it.runIf(isLong)("runs the tests of an older project, with its imports as they are", async () => {
    const { code, output } = await runVitestProject({ "pack.ts": PACK, "pack.test.ts": TEST });
    expect(output).toContain("4 passed");
    expect(code).toBe(0);
  });
});

const MOCHA_SUITE = `import { assert } from "chai";
import { before, describe, it } from "mocha";
import sinon from "sinon";
import { executeFormulaFromPackDef, newJsonFetchResponse, newMockExecutionContext } from "@codahq/packs-sdk/dist/development";
import { pack } from "../pack";

describe("Shout", function () {
  this.timeout(5000);
  let started = false;
  before((done) => {
    started = true;
    done();
  });
  it("runs", async function () {
    this.timeout(1000);
    assert.isTrue(started);
    assert.equal(await executeFormulaFromPackDef(pack, "Shout", ["hi"]), "HI");
  });
  it("accepts null for what is optional", async () => {
    assert.equal(await executeFormulaFromPackDef(pack, "Repeat", ["a", null]), "a");
    assert.equal(await executeFormulaFromPackDef(pack, "Repeat", ["a", 2]), "aa");
  });
  it("answers by arguments", async () => {
    const context = newMockExecutionContext();
    context.fetcher.fetch
      .withArgs({ method: "GET", url: "https://a.example" }).resolves(newJsonFetchResponse("one"))
      .withArgs({ method: "GET", url: "https://b.example" }).resolves(newJsonFetchResponse("two"));
    assert.equal((await context.fetcher.fetch({ method: "GET", url: "https://b.example" })).body, "two");
    sinon.assert.calledOnce(context.fetcher.fetch);
  });
  it("checks results as before", async () => {
    assert.deepEqual(await executeFormulaFromPackDef(pack, "Cards", []), [{ Id: 1, Picture: "" }, { Id: 2 }]);
    assert.equal(await executeFormulaFromPackDef(pack, "Mail", []), "mailto:ada@host.example");
  });
});
`;
const MOCHA_PACK = `${PACK}
pack.addFormula({
  name: "Repeat",
  description: "Repeats a text.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Any text." }),
    coda.makeParameter({ type: coda.ParameterType.Number, name: "times", description: "How often.", optional: true }),
  ],
  resultType: ValueType.String,
  execute: async ([text, times]) => text.repeat(times ?? 1),
});
pack.addFormula({
  name: "Cards",
  description: "Lists cards.",
  parameters: [],
  resultType: ValueType.Array,
  items: coda.makeObjectSchema({
    properties: { id: { type: ValueType.Number, required: true }, picture: { type: ValueType.String, codaType: coda.ValueHintType.ImageReference } },
    idProperty: "id",
  }),
  execute: async () => [{ id: 1, picture: "" }, { id: 2 }],
});
pack.addFormula({
  name: "Mail",
  description: "A link.",
  parameters: [],
  resultType: ValueType.String,
  codaType: coda.ValueHintType.Url,
  execute: async () => "mailto:ada@host.example",
});
`;

const COMMON_JS_SUITE = `import * as assert from "assert";
import * as fs from "fs";
import * as asPromised from "as-promised";
import { describe, it } from "mocha";
import * as sinon from "sinon";
const { executeFormulaFromPackDef } = require("@codahq/packs-sdk/dist/development");
const { pack } = require("../pack");

describe("CommonJS", () => {
  it("calls the namespace of a function", () => {
    assert(asPromised("a") === "a!");
    assert.equal(asPromised.kind, "function");
  });
  it("finds TypeScript files with require", () => {
    assert.match(require.resolve("../pack"), /pack\\.ts$/);
    assert.deepEqual(require("../shouts").names, ["Shout"]);
  });
  it("requires the testing helpers", async () => {
    assert.equal(await executeFormulaFromPackDef(pack, "Shout", ["hi"]), "HI");
  });
  it("stubs modules of Node and the global fetch", async () => {
    const stubs = [
      sinon.stub(fs, "existsSync").returns(true),
      sinon.stub(globalThis, "fetch").resolves(new Response("stubbed")),
    ];
    assert.equal(fs.existsSync("/no/such/file"), true);
    assert.equal(await (await fetch("https://a.example")).text(), "stubbed");
    for (const stub of stubs) stub.restore();
  });
});
`;
const JEST_SUITE = `import { jest as imported } from "@jest/globals";
import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { pack } from "./pack";
import { price } from "./price";

jest.setTimeout(60_000);
jest.mock("./price", () => ({ price: jest.fn(() => 2) }));

it("replaces a module before it is imported", () => {
  expect(price()).toBe(2);
  expect(price).toHaveBeenCalledTimes(1);
  expect(imported).toBe(jest);
});
it("runs the Pack", async () => {
  const spy = jest.spyOn(pack.formulas[0] as any, "execute");
  expect(await executeFormulaFromPackDef(pack, "Shout", ["hi"])).toBe("HI");
  expect(spy).toHaveBeenCalled();
});
`;

describe("a suite for mocha, chai and sinon", () => {
  it.runIf(isLong)("runs with the vitest preset", async () => {
    const { code, output } = await runVitestProject(
      {
        "package.json": JSON.stringify({ type: "module", devDependencies: { mocha: "*" } }),
        "vitest.config.ts": `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`,
        "pack.ts": MOCHA_PACK,
        "test/pack_test.ts": MOCHA_SUITE,
        "test/globals_test.ts": `before(function () { this.timeout(10); });\nit("has mocha's globals", (done) => done());\n`,
      },
      ["chai", "sinon"],
    );
    expect(output).toContain("5 passed");
    expect(code).toBe(0);
  });

  const sinons: [string, string[]][] = [
    ["its own sinon", ["sinon"]],
    ["the sinon of packsmith", []],
  ];
  it.each(chooseCases(sinons, 2))(
    "runs with what CommonJS gave it and %s, and a file without a test is not a failure",
    async (_, packages) => {
      const { code, output } = await runVitestProject(
        {
          "package.json": JSON.stringify({ devDependencies: { mocha: "*" } }),
          "vitest.config.mts": `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`,
          "node_modules/as-promised/package.json": JSON.stringify({ main: "index.js" }),
          "node_modules/as-promised/index.js": `module.exports = (text) => text + "!";\nmodule.exports.kind = "function";\n`,
          "pack.ts": PACK,
          "shouts.ts": `import { pack } from "./pack";\nexport const names: string[] = pack.formulas.map(({ name }) => name);\n`,
          "test/interop_test.ts": COMMON_JS_SUITE,
          "test/live_test.ts": `const isLive = false;\nif (isLive) describe("live", () => it("runs", () => {}));\n`,
        },
        packages,
      );
      expect(output).toContain("4 passed");
      expect(output).toContain("Test Files  2 passed");
      expect(code).toBe(0);
    },
  );

  it.runIf(isLong)("skips what a suite for mocha skips", async () => {
    const suite = `const ran: string[] = [];
it("skips itself", function () { this.skip(); });
it("skips itself with done", function (done) { this.skip(); done(); });
it("runs", () => { ran.push("one"); });
describe("a suite whose hook skips", () => {
  before(function () { this.skip(); });
  it("does not run", () => { throw new Error("It ran."); });
  describe("and in it", () => it("does not run either", () => { throw new Error("It ran."); }));
});
describe("a suite whose hook skips each test", () => {
  beforeEach(function () { this.skip(); });
  it("does not run", () => { throw new Error("It ran."); });
});
describe("the last suite", () => {
  before(async function () { this.timeout(1_000); });
  it("runs", () => { if (ran.join() !== "one") throw new Error(ran.join()); });
});
`;
    const { code, output } = await runVitestProject({
      "package.json": JSON.stringify({ devDependencies: { mocha: "*" } }),
      "vitest.config.mts": `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`,
      "test/skips_test.ts": suite,
    });
    expect(output).toContain("2 passed | 5 skipped");
    expect(code, output).toBe(0);
  });

  it.runIf(isLong)(
    "runs the files that a script gives to mocha, and those in __tests__ for jest",
    async () => {
      const suite = (name: string) => `it("runs ${name}", () => {});\n`;
      const script = "mocha -r test/setup.ts --recursive 'test/**/*.ts' ./more/suite.ts";
      const preset = `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`;
      const { code, output } = await runVitestProject(
        {
          "package.json": JSON.stringify({
            scripts: { test: script },
            devDependencies: { mocha: "*", jest: "*" },
          }),
          ".mocharc.json": '{ "spec": ["checks/*.js"] }',
          "vitest.config.mts": preset,
          "test/formulas.ts": suite("one"),
          "test/helpers.ts": "export const value = 1;\n",
          "test/deep/tables.ts": suite("two"),
          "more/suite.ts": suite("three"),
          "more/other.ts": 'throw new Error("It ran.");\n',
          "checks/last.js": suite("four"),
          "src/__tests__/pack.ts": suite("five"),
        },
        [],
        IN_ONE_PROCESS,
      );
      expect(output).toContain("5 passed");
      expect(code, output).toBe(0);
    },
  );

  it.runIf(isLong)(
    "passes when files of a mocha project have no test, or only skipped ones",
    async () => {
      const preset = `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`;
      const { code, output } = await runVitestProject(
        {
          "package.json": JSON.stringify({
            scripts: { test: "mocha --recursive --exit --timeout 5000" },
            devDependencies: { mocha: "*" },
          }),
          ".mocharc.yml": "extension:\n  - ts\n  - js\n",
          "vitest.config.mts": preset,
          "test/formulas.ts": `it("runs one", () => {});\n`,
          "test/tables.js": `it("runs two", () => {});\n`,
          "test/helpers/values.ts": "export const value: number = 1;\n",
          "test/live.ts": `if (process.env["LIVE"]) describe("live", () => it("runs", () => {}));\n`,
          "test/later.ts": `describe.skip("later", () => it("runs", () => { throw new Error("It ran."); }));\n`,
          "test/types.d.ts": "declare const unused: string;\n",
        },
        [],
        IN_ONE_PROCESS,
      );
      expect(output).toContain("2 passed");
      expect(code, output).toBe(0);
    },
  );

  it.runIf(isLong)("runs a suite for jest, with its global and with @jest/globals", async () => {
    const { code, output } = await runVitestProject({
      "package.json": JSON.stringify({ devDependencies: { jest: "*" } }),
      "vitest.config.mts": `import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n`,
      "pack.ts": PACK,
      "price.ts": `export const price = () => 1;\n`,
      "pack.test.ts": JEST_SUITE,
    });
    expect(output).toContain("2 passed");
    expect(code).toBe(0);
  });

  it.runIf(isLong)(
    "resolves the same names in other runners, with --import packsmith/register",
    async () => {
      using folder = makeTemporaryFolder();
      linkPackages(folder.path);
      const file = join(folder.path, "run.mjs");
      writeFileSync(
        file,
        `import { createRequire } from "node:module";
import { newPack } from "@codahq/packs-sdk";
import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
const required = createRequire(import.meta.url)("@codahq/packs-sdk");
console.log(typeof newPack, typeof executeFormulaFromPackDef, required.newPack === newPack);
`,
      );
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--no-warnings", "--import", "packsmith/register", file],
        {
          cwd: folder.path,
        },
      );
      expect(stdout).toBe("function function true\n");
    },
  );

  it.runIf(isLong)(
    "requires them after an import that failed, and through the paths of a tsconfig.json",
    async () => {
      using folder = makeTemporaryFolder();
      linkPackages(folder.path);
      const types = "./node_modules/packsmith/dist/legacy-types";
      const files = {
        "suite.mjs": `import "@codahq/packs-sdk/dist/development";\nimport "./no-such-file";\n`,
        "run.cjs": `import("./suite.mjs").catch(async () => {
  const { executeFormulaFromPackDef } = require("@codahq/packs-sdk/dist/development");
  const legacy = require("@codahq/packs-sdk");
  const typed = require("${types}.d.ts");
  const testing = await import("${types}/testing.d.ts");
  console.log(typeof executeFormulaFromPackDef, typed.newPack === legacy.newPack, testing.executeFormulaFromPackDef === executeFormulaFromPackDef);
});
`,
      };
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder.path, name), text);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--no-warnings", "--import", "packsmith/register", "run.cjs"],
        { cwd: folder.path },
      );
      expect(stdout).toBe("function true true\n");
    },
  );
});
