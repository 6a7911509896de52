/** Packages of the runner that the repository installs, and what Node installs with them. */
export const STARTER_PACKAGES = ["mocha", "ts-node", "typescript"];

const PACK = `import * as coda from "@codahq/packs-sdk";
import { greet } from "./greeting";

export const pack = coda.newPack();
pack.addNetworkDomain("people.example");

const PersonSchema = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.String },
    fullName: { type: coda.ValueType.String, fromKey: "full_name" },
  },
  idProperty: "id",
  displayProperty: "fullName",
});

pack.addFormula({
  name: "Greet",
  description: "Greets someone.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "name",
      description: "Whom to greet.",
    }),
  ],
  resultType: coda.ValueType.String,
  examples: [
    { params: ["Ada"], result: "Good day, Ada!" },
    { params: ["Žofie"], result: "Good day, Žofie!" },
  ],
  execute: async function ([name], context) {
    return greet(name);
  },
});

pack.addSyncTable({
  name: "People",
  description: "Everyone.",
  identityName: "Person",
  schema: PersonSchema,
  formula: {
    name: "SyncPeople",
    description: "Lists everyone.",
    parameters: [],
    execute: async function ([], context) {
      const page = context.sync.continuation?.page ?? 1;
      const url = coda.withQueryParams("https://people.example/people", { page });
      const response = await context.fetcher.fetch({ method: "GET", url });
      const { people, more } = response.body;
      return { result: people, continuation: more ? { page: (page as number) + 1 } : undefined };
    },
  },
});
`;

const GREETING = `export function greet(name: string) {
  return "Good day, " + name + "!";
}
`;

const SUITE = `import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { executeFormulaOrSyncWithVM } from "@codahq/packs-sdk/dist/development";
import { executeSyncFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { newJsonFetchResponse } from "@codahq/packs-sdk/dist/development";
import { newMockSyncExecutionContext } from "@codahq/packs-sdk/dist/testing/mocks";
import type { MockSyncExecutionContext } from "@codahq/packs-sdk/dist/development";
import { UserVisibleError } from "@codahq/packs-sdk";
import * as sinon from "sinon";
import { assert } from "expectations";
import * as expectations from "expectations";
import { describe } from "mocha";
import { it } from "mocha";
import { pack } from "../pack";

expectations({ pack });

describe("Greet", () => {
  it("greets", async () => {
    assert.equal(await executeFormulaFromPackDef(pack, "Greet", ["World"]), "Good day, World!");
  });
  it("fails without a name", async () => {
    await assert.rejects(executeFormulaFromPackDef(pack, "Greet", []));
  });
  it("greets in the built Pack", async () => {
    const bundlePath = require.resolve("../pack");
    const result = await executeFormulaOrSyncWithVM({
      formulaName: "Greet",
      params: ["Ada"],
      bundlePath,
    });
    assert.equal(result, "Good day, Ada!");
  });
});

describe("People", () => {
  let context: MockSyncExecutionContext;
  beforeEach(() => {
    context = newMockSyncExecutionContext();
  });
  it("reads all pages", async () => {
    const page = (id: string, more: boolean) =>
      newJsonFetchResponse({ people: [{ id, full_name: "Ada" }], more });
    context.fetcher.fetch.onFirstCall().resolves(page("1", true));
    context.fetcher.fetch.onSecondCall().resolves(page("2", false));
    const rows = await executeSyncFormulaFromPackDef(pack, "People", [], context);
    assert.deepEqual(rows.map(({ Id }) => Id), ["1", "2"]);
    sinon.assert.calledTwice(context.fetcher.fetch);
  });
  it("shows what the server said", async () => {
    context.fetcher.fetch.rejects(new UserVisibleError("Closed."));
    await assert.rejects(executeSyncFormulaFromPackDef(pack, "People", [], context), /Closed/);
  });
});

describe("Examples", () => {
  for (let formula of pack.formulas) {
    describe(formula.name, () => {
      for (let [index, example] of (formula.examples ?? []).entries()) {
        it("Example " + index, async () => {
          const result = await executeFormulaFromPackDef(pack, formula.name, example.params as any);
          assert.equal(result, example.result);
        });
      }
    });
  }
});
`;

/** A library of CommonJS that is a function, as those for assertions are. */
const EXPECTATIONS = `module.exports = (plugin) => { if (plugin.pack === undefined) throw new Error("no pack"); };
module.exports.assert = require("node:assert");
`;
const EXPECTATION_TYPES = `declare function expectations(plugin: unknown): void;
declare namespace expectations {
  const assert: typeof import("node:assert");
}
export = expectations;
`;
const MOCHA_TYPES = `declare global {
  function beforeEach(body: () => unknown): void;
}
export function describe(title: string, body: () => void): void;
export function it(title: string, body: () => unknown): void;
`;

/** The number of its tests. */
export const STARTER_TESTS = 7;

/**
 * A repository as one that starts from the public template for `@codahq/packs-sdk`: its compiler
 * options, its layout and its suite for mocha. Nothing in it names packsmith.
 */
export const STARTER_FILES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "my-pack",
    version: "1.0.0",
    scripts: { test: "mocha --require ts-node/register test/*.ts" },
    devDependencies: { mocha: "*", "ts-node": "*" },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: { lib: ["ES2022"], target: "ES2020", moduleResolution: "node" },
  }),
  "pack.ts": PACK,
  "greeting.ts": GREETING,
  "test/pack_test.ts": SUITE,
  "node_modules/expectations/package.json": '{ "name": "expectations", "main": "index.js" }',
  "node_modules/expectations/index.js": EXPECTATIONS,
  "node_modules/expectations/index.d.ts": EXPECTATION_TYPES,
  "node_modules/@types/mocha/package.json": '{ "name": "@types/mocha", "types": "index.d.ts" }',
  "node_modules/@types/mocha/index.d.ts": MOCHA_TYPES,
};
