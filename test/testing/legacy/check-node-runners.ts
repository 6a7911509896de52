import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** A folder in which mocha is installed; CI makes one. */
export const clients = process.env["PACKSMITH_CLIENTS"];
export const hasMocha = clients !== undefined && existsSync(join(clients, "node_modules/mocha"));

export const TYPED_PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({
  name: "Double", description: "Doubles.", resultType: coda.ValueType.Number,
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "n", description: "It." })],
  execute: async ([n], context) => (await context.fetcher.fetch({ method: "GET", url: "https://a.example" })).body.factor * n,
});
`;
/** A suite that Node runs itself. The enumeration needs a compiler, not only types left out. */
const NODE_SUITE = `import * as assert from "node:assert";
import { test } from "node:test";
import * as coda from "@codahq/packs-sdk";
import { executeFormulaFromPackDef, newJsonFetchResponse, newMockExecutionContext } from "@codahq/packs-sdk/dist/development";
import { pack } from "../pack";
enum Number { Half = 21 }
test("doubles", async () => {
  const context = newMockExecutionContext();
  context.fetcher.fetch.resolves(newJsonFetchResponse({ factor: 2 }));
  const result: unknown = await executeFormulaFromPackDef(pack, "Double", [Number.Half], context);
  assert.deepEqual([result, coda.ValueType.String], [42, "string"]);
});
`;

type NodeCase = readonly [option: string, name: string, args: readonly string[]];

const compiler = "ts-node/register/transpile-only";
const command = ["node_modules/ts-node/dist/bin.js", "-T", "test/double.ts"];
const file = ["--require", compiler, "test/double.ts"];
const test = ["--require", compiler, "--test", "test/double.ts"];

export const NODE_CASES: readonly NodeCase[] = [
  ["--import", "--require ts-node, a file", file],
  ["--require", "the command of ts-node", command],
];
export const MORE_NODE_CASES: readonly NodeCase[] = [
  ["--import", "--require ts-node, --test", test],
  ["--import", "the command of ts-node", command],
  ["--import", "--import tsx, --test", ["--import", "tsx", "--test", "test/double.ts"]],
  ["--require", "--require ts-node, a file", file],
];

/** Runs a suite with Node and a compiler. */
export function checkNodeRunners(cases: readonly NodeCase[]): void {
  describe.skipIf(!hasMocha || !existsSync(join(clients ?? "", "node_modules/ts-node")))(
    "node with packsmith/register and a compiler",
    () => {
      it.each(cases)(
        "%s: runs a suite in TypeScript: %s",
        { timeout: 300_000 },
        async (option, _, args) => {
          using folder = makeTemporaryFolder();
          linkPackages(folder.path, []);
          for (const name of ["ts-node", "tsx", "typescript"])
            symlinkSync(
              join(clients ?? "", "node_modules", name),
              join(folder.path, "node_modules", name),
              "junction",
            );
          mkdirSync(join(folder.path, "test"));
          const compilerOptions = { module: "CommonJS", moduleResolution: "node" };
          for (const [name, text] of Object.entries({
            "package.json": "{}",
            "tsconfig.json": JSON.stringify({ compilerOptions }),
            "pack.ts": TYPED_PACK,
            "test/double.ts": NODE_SUITE,
          }))
            writeFileSync(join(folder.path, name), text);
          const { PATH, HOME } = process.env;
          const env = { PATH, HOME, NODE_OPTIONS: `${option}=packsmith/register` };
          const output = await new Promise<string>((resolve) =>
            execFile(process.execPath, args, { cwd: folder.path, env }, (_error, stdout, stderr) =>
              resolve(stdout + stderr),
            ),
          );
          expect(output).toMatch(/^(?:#|ℹ) pass 1$/m);
          expect(output).toMatch(/^(?:#|ℹ) fail 0$/m);
        },
      );
    },
  );
}
