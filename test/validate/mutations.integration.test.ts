import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBuildRecord } from "../../src/bundle/build-record.ts";
import type { Bundle } from "../../src/bundle/bundle.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { isLong } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { everyBlock, mutated, mutation } from "./mutations.ts";
import { families } from "./rules/families.ts";

const seeds = [
  everyBlock(),
  ...families.flatMap(({ rows }) => rows.flatMap(([, obeys, breaks]) => [obeys, breaks])),
];
const seed = fc.oneof(
  { weight: 1, arbitrary: fc.constant(everyBlock()) },
  { weight: 1, arbitrary: fc.constantFrom(...seeds) },
);
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
const bundle = {
  name: "pack",
  inputs: [],
  sourceMap: "{}",
  bytes: 0,
  gzipBytes: 0,
  sha256: "",
  mainEntries: [],
} as unknown as Bundle;

describe("a definition that was changed at random", () => {
  it("begins without problems", () => {
    expect(validateDefinition(everyBlock())).toEqual([]);
  });

  it("gives issues and never an exception, and can be written as a manifest when there is no error", () => {
    let accepted = 0;
    fc.assert(
      fc.property(seed, mutations, (definition, changes) => {
        const changed = changes.reduce<unknown>(mutated, definition);
        const issues = validateDefinition(changed);
        for (const { hint, message } of issues) expect([hint, message]).not.toContain("");
        if (issues.some(({ severity }) => severity === "error")) return;
        accepted += 1;
        // What the sandbox hands out.
        const decoded = decodeSnapshot(encodeSnapshot(changed)) as object;
        const manifest = JSON.stringify(createBuildRecord(bundle, decoded).metadata);
        expect(JSON.parse(manifest)).toBeTypeOf("object");
        expect(validateDefinition(decoded)).toEqual(issues);
      }),
      { numRuns: isLong ? 2000 : 400 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  it("builds and loads when it is accepted, and has the same issues then", async () => {
    await using folder = await makeTemporaryFolder();
    const file = join(folder.path, "pack.ts");
    const accepted = fc
      .sample(fc.tuple(seed, mutations), { numRuns: 400, seed: 7 })
      .map(([definition, changes]) =>
        decodeSnapshot(encodeSnapshot(changes.reduce<unknown>(mutated, definition))),
      )
      .filter((definition) =>
        validateDefinition(definition).every(({ severity }) => severity !== "error"),
      )
      .slice(0, 6);
    expect(accepted).toHaveLength(6);
    for (const definition of [everyBlock(), ...accepted]) {
      await writeFile(file, `export const pack: object = ${writeSource(definition)};\n`);
      await using loaded = await openPack(file, { cwd: folder.path });
      const facts = ({ code, path, message }: { code: string; path: string; message: string }) => ({
        code,
        path,
        message,
      });
      expect(loaded.issues.map(facts)).toEqual(validateDefinition(definition).map(facts));
    }
  });
});

describe("a definition that was made to do harm", () => {
  const report = (definition: unknown) =>
    validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

  it("may refer to itself, throw from getters and hide behind a proxy", () => {
    const cyclic: Record<string, unknown> = { networkDomains: [], formulas: [] };
    cyclic["self"] = cyclic;
    expect(report(cyclic)).toEqual(["DEFINITION_UNREADABLE self"]);
    const thrower = Object.defineProperty({}, "formulas", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(report(thrower)).toEqual(["DEFINITION_UNREADABLE formulas"]);
    expect(report(new Proxy({}, { ownKeys: () => [].at(0) as never }))).toEqual([
      "DEFINITION_UNREADABLE ",
    ]);
  });

  it("may have keys that every object has", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const own = (value: unknown) =>
      JSON.parse(`{${names.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`) as object;
    const properties = { ...own({ type: "string" }), id: { type: "string" } };
    const definition = {
      networkDomains: [],
      formulas: [
        {
          name: "Run",
          description: "Runs.",
          parameters: [],
          resultType: "object",
          schema: { type: "object", properties },
          execute: () => 1,
        },
      ],
      ...(own(1) as Record<string, unknown>),
    };
    Object.defineProperty(definition, "__proto__", { value: 1, enumerable: true });
    expect(report(definition).sort()).toEqual(names.map((name) => `KEY_UNKNOWN ${name}`).sort());
    for (const type of names) {
      expect(
        report({
          defaultAuthentication: { type },
          networkDomains: [],
          skills: [{ tools: [{ type }] }],
          formulas: [],
        }).slice(0, 1),
      ).toEqual(["AUTH_TYPE_UNKNOWN defaultAuthentication.type"]);
    }
  });

  it.runIf(isLong)(
    "may be large: 10,000 formulas and tables, thousands of wrong names, texts of 10 MB",
    () => {
      const many = <Item>(make: (index: number) => Item, count = 10_000): Item[] =>
        Array.from({ length: count }, (_, index) => make(index));
      const big = "x".repeat(10_000_000);
      const next = (index: number) => [
        {
          type: "string",
          name: "p",
          description: "",
          crawlStrategy: {
            parentTable: { tableName: `T${(index + 1) % 10_000}`, propertyKey: "id" },
          },
        },
      ];
      const schema = {
        type: "object",
        properties: { id: { type: "string" } },
        idProperty: "id",
        displayProperty: "id",
      };
      const getter = (index: number) => ({
        name: `T${index}`,
        description: "",
        isSyncFormula: true,
        execute: () => 1,
        parameters: next(index),
      });
      const tables = many((index) => ({
        name: `T${index}`,
        identityName: `I${index}`,
        schema,
        getter: getter(index),
      }));
      expect(
        report({ networkDomains: [], formulas: [], syncTables: tables }).map(
          (text) => text.split(" ")[0],
        ),
      ).toEqual(["TABLE_COUNT", "TABLE_CRAWL"]);
      const formulas = many((index) => ({ name: `F ${index}` }));
      expect(report({ networkDomains: [], formulas })).toHaveLength(1 + 10_000 * 5);
      const properties = Object.fromEntries(many((index) => [`p${index}`, { type: "string" }]));
      const wide = {
        type: "object",
        properties,
        featuredProperties: many((index) => `q${index}`),
        idProperty: "p.".repeat(1_000_000),
      };
      expect(
        report({ networkDomains: [], formulas: [{ resultType: "object", schema: wide }] }),
      ).toHaveLength(4 + 10_001);
      const issues = validateDefinition({
        networkDomains: [big],
        version: big,
        formulas: [{ name: big, description: big }],
      });
      expect(JSON.stringify(issues).length).toBeLessThan(5000);
    },
  );
});

/** The source text of a value, whose functions give nothing. */
function writeSource(value: unknown): string {
  if (typeof value === "function") return "() => undefined";
  if (value instanceof RegExp) return String(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[${value.map(writeSource).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, member]) => `[${JSON.stringify(key)}]: ${writeSource(member)}`)
      .join(", ")} }`;
  }
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return value === undefined ? "undefined" : JSON.stringify(value);
}
