import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** A folder in which jest, ts-jest and babel-jest are installed; CI makes one. */
const clients = process.env["PACKSMITH_CLIENTS"];
const hasJest = clients !== undefined && existsSync(join(clients, "node_modules/jest"));
const root = fileURLToPath(new URL("../../..", import.meta.url));

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("a.example");
pack.addFormula({
  name: "Double", description: "Doubles.", resultType: coda.ValueType.Number,
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "n", description: "It." })],
  execute: async ([n], context) => {
    if (n < 0) throw new coda.UserVisibleError("It is negative.");
    const response = await context.fetcher.fetch({ method: "GET", url: coda.joinUrl("https://a.example", "factor") });
    return response.body.factor * n;
  },
});
pack.addFormula({
  name: "Event", description: "An event.", resultType: coda.ValueType.Object, parameters: [],
  schema: coda.makeObjectSchema({ properties: {
    day: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date },
    tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String } },
  } }),
  execute: async () => ({ day: new Date(0), tags: ["a"] }),
});
`;
/** As it is written for `@codahq/packs-sdk`, whose package is not installed; nor is sinon. */
const SUITE = `import * as sinon from "sinon";
import { UserVisibleError } from "@codahq/packs-sdk";
import {
  type MockExecutionContext,
  executeFormulaFromPackDef,
  executeFormulaOrSyncWithVM,
  newJsonFetchResponse,
  newMockExecutionContext,
} from "@codahq/packs-sdk/dist/development";
import { pack } from "../pack";

describe("Double", () => {
  let context: MockExecutionContext;
  beforeEach(() => {
    context = newMockExecutionContext();
    context.fetcher.fetch.resolves(newJsonFetchResponse({ factor: 2 }));
  });
  it("doubles", async () => {
    expect(await executeFormulaFromPackDef(pack, "Double", [21], context)).toBe(42);
    sinon.assert.calledOnceWithMatch(context.fetcher.fetch, sinon.match({ url: "https://a.example/factor" }));
  });
  it("throws errors of the classes of the suite", async () => {
    const failing = executeFormulaFromPackDef(pack, "Double", [-1], context);
    await expect(failing).rejects.toBeInstanceOf(UserVisibleError);
    await expect(failing).rejects.toThrow(Error);
  });
  it("gives results of the classes of the suite", async () => {
    const { Day, ...others } = await executeFormulaFromPackDef(pack, "Event", []);
    expect(others).toStrictEqual({ Tags: ["a"] });
    expect(Day).toBeInstanceOf(Date);
  });
  it("runs in the sandbox", async () => {
    const bundlePath = require.resolve("../pack");
    const value = await executeFormulaOrSyncWithVM({ formulaName: "Double", params: [4], bundlePath, executionContext: context });
    expect(value).toBe(8);
  });
  it("fails", () => expect(1).toBe(2));
});
`;
const MOCKING_SUITE = `import * as coda from "@codahq/packs-sdk";
import { createBlobStore } from "packsmith/testing";
import { newPack } from "packsmith";
jest.mock("@codahq/packs-sdk", () => ({ ...jest.requireActual("@codahq/packs-sdk"), joinUrl: jest.fn(() => "mocked") }));
it("replaces a module", () => expect(coda.joinUrl("a", "b")).toBe("mocked"));
it("has the entries of packsmith", () => expect([typeof createBlobStore, typeof newPack]).toEqual(["function", "function"]));
`;
const PROJECTS = {
  "ts-jest": {
    "jest.config.js": 'module.exports = { preset: "ts-jest" };\n',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2022",
        module: "CommonJS",
        moduleResolution: "node",
        strict: true,
      },
    }),
  },
  "babel-jest": {
    "babel.config.js": `module.exports = {
  presets: ["@babel/preset-typescript"],
  plugins: ["@babel/plugin-transform-modules-commonjs"],
};
`,
  },
};

describe.skipIf(!hasJest)("jest with NODE_OPTIONS=--import=packsmith/register", () => {
  it.each(Object.entries(PROJECTS))(
    "runs an existing suite with %s, and reports the test that fails",
    { timeout: 300_000 },
    async (_, configuration) => {
      using folder = makeTemporaryFolder();
      linkModules(folder.path);
      const files: Record<string, string> = {
        ...configuration,
        "package.json": "{}",
        "pack.ts": PACK,
        "test/double.test.ts": SUITE,
        "test/mocking.test.ts": MOCKING_SUITE,
      };
      mkdirSync(join(folder.path, "test"));
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder.path, name), text);
      // It gives the compiler the types.
      if ("tsconfig.json" in configuration)
        await run(folder.path, [join(root, "dist/bin/packsmith.cjs"), "init", ".", "--yes"], {});
      const output = await run(
        folder.path,
        [
          join(folder.path, "node_modules/jest/bin/jest.js"),
          "--json",
          "--workers=2",
          "--testTimeout=120000",
        ],
        { NODE_OPTIONS: "--import=packsmith/register" },
      );
      expect(output).toContain('{"num');
      const { testResults } = JSON.parse(output.slice(output.indexOf('{"num'))) as {
        testResults: { message: string; assertionResults: { status: string; title: string }[] }[];
      };
      const outcomes = testResults
        .flatMap(({ message, assertionResults }) =>
          assertionResults.length === 0
            ? [message]
            : assertionResults.map(({ status, title }) => `${status} ${title}`),
        )
        .sort();
      expect(outcomes).toEqual([
        "failed fails",
        "passed doubles",
        "passed gives results of the classes of the suite",
        "passed has the entries of packsmith",
        "passed replaces a module",
        "passed runs in the sandbox",
        "passed throws errors of the classes of the suite",
      ]);
    },
  );
});

/** As an installation would: jest finds its own packages beside its real place. */
function linkModules(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  mkdirSync(join(modules, "@babel"));
  symlinkSync(root, join(modules, "packsmith"), "junction");
  const installed = join(clients ?? "", "node_modules");
  for (const name of [
    ...["jest", "ts-jest", "babel-jest", "typescript", "@types/jest"],
    ...["@babel/preset-typescript", "@babel/plugin-transform-modules-commonjs"],
  ])
    symlinkSync(join(installed, name), join(modules, name), "junction");
  for (const name of ["@types/node", "@types/sinon"])
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
}

function run(cwd: string, args: readonly string[], variables: object): Promise<string> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      args,
      { cwd, env: { PATH, HOME, CI: "1", ...variables }, maxBuffer: 1 << 26 },
      (_error, stdout, stderr) => resolve(stdout.includes('{"num') ? stdout : stdout + stderr),
    ),
  );
}
