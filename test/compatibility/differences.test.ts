import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validatePacks } from "../../src/build/validate-packs.ts";
import type { FormulaArguments } from "../../src/execute/arguments/arguments.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import * as coda from "../../src/legacy.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createProject } from "../bundle/project.ts";

// What docs/migrating.md says about running, building and helpers; what it says about accounts and
// requests is tested where they are.
const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const add = (name: string, resultType: string, execute: (args: never) => unknown, more: object = {}) =>
  pack.formulas.push({ name, description: "Tries something.", parameters: [], resultType, execute, ...more } as never);
const numbers = (type: string) => ({ parameters: [coda.makeParameter({ type: type as "number", name: "n", description: "It." })] });
const Schema = coda.makeObjectSchema({ properties: { firstName: { type: "string", fromKey: "first_name" } } });
add("Globals", "string", async () => ["Buffer", "crypto", "setTimeout", "URL", "fetch"].filter((name) => name in globalThis).join());
add("Falsy", "number", async () => false);
add("Mail", "string", async () => "no address", { schema: { type: "string", codaType: "email" } });
add("Nothing", "object", async () => null, { schema: Schema });
add("Keys", "object", async () => ({ first_name: "Ada" }), { schema: Schema });
add("Number", "number", async ([n]: [number]) => n, numbers("number"));
add("List", "string", async ([n]: [unknown]) => JSON.stringify(n), numbers("numberArray"));
add("Sparse", "string", async ([n]: [unknown]) => JSON.stringify(n), numbers("sparseNumberArray"));
`;

describe("what differs from `@codahq/packs-sdk` on purpose", () => {
  it("running formulas", async () => {
    await using project = await createProject({ "pack.ts": PACK });
    const run = async (formula: string, args: FormulaArguments = []) => {
      const outcome = await runFormula({
        cwd: project.directory,
        redactor: createRedactor(),
        file: "pack.ts",
        formula,
        args,
      });
      if (!outcome.ok) throw outcome.failure.cause;
      return outcome.result;
    };
    await expect(run("Number", ["text"])).rejects.toMatchObject({ code: "ARGUMENT_TYPE" });
    await expect(run("Falsy")).rejects.toMatchObject({ code: "RESULT_INVALID" });
    // The value hint of a formula's own text is not checked, as before.
    expect(await run("Mail")).toBe("no address");
    expect(await run("Nothing")).toBe(null);
    expect(await run("Keys")).toEqual({ first_name: "Ada" });
    await expect(run("List", { text: ["1,,2"] })).rejects.toMatchObject({ code: "ARGUMENT_TYPE" });
    expect(await run("Sparse", { text: ["1,,2"] })).toBe("[1,null,2]");
    expect(await run("List", { text: ["[1,2]"] })).toBe("[1,2]");
    expect(await run("Globals")).toBe("Buffer,crypto,URL");
  });

  it("validation: an unknown key is a warning under `@codahq/packs-sdk` and an error under our name", async () => {
    const pack = (name: string) => `import { newPack } from "${name}";
export const pack = newPack();
pack.formulas.push({ name: "A", description: "Does.", parameters: [], resultType: "string", cacheTtlSec: 5, execute: async () => "" } as never);
`;
    await using project = await createProject({
      "older.ts": pack("@codahq/packs-sdk"),
      "newer.ts": pack("packsmith"),
    });
    const severityIn = async (file: string) =>
      (await validatePacks([file], { cwd: project.directory })).issues.find(
        ({ code }) => code === "KEY_UNKNOWN",
      )?.severity;
    expect(await severityIn("older.ts")).toBe("warning");
    expect(await severityIn("newer.ts")).toBe("error");
  });

  it("validation: the mistakes of a sync table are reported together, and never by the builder", async () => {
    await using project = await createProject({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addSyncTable({
  name: "Two words",
  description: "Rows.",
  identityName: "Row",
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } } }),
  formula: { name: "SyncRows", description: "Lists rows.", parameters: [], execute: async () => ({ result: [] }) },
});
`,
    });
    const { issues } = await validatePacks(["pack.ts"], { cwd: project.directory });
    expect(
      issues.filter(({ severity, line }) => severity === "error" && line !== undefined).length,
    ).toBeGreaterThan(1);
  });

  it("helpers", () => {
    expect(coda.withQueryParams("https://api.example/?a=1&a=2", { b: 3 })).toBe(
      "https://api.example/?a=1&a=2&b=3",
    );
    expect([coda.InvocationErrorType.Timeout, coda.HttpStatusCode.NotFound]).toEqual([
      "Timeout",
      404,
    ]);
  });
});

describe("docs/migrating.md", () => {
  it("names only what exists as the name of today", () => {
    const replacements = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].map(
      ([, cell = ""]) => cell,
    );
    const names = replacements.flatMap(
      (cell) => cell.match(/\b(?:make[A-Z]\w+|UserVisibleError|ConnectionRequirement)\b/g) ?? [],
    );
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !(name in coda))).toEqual([]);
  });

  it("has a replacement for every legacy factory", () => {
    const older = Object.keys(coda).filter((name) =>
      /^(make|is)[A-Z].*(Legacy|Error|Formula)$/.test(name),
    );
    const current = [
      "makeFormula",
      "makeMetadataFormula",
      "makeTranslateObjectFormula",
      "makeEmptyFormula",
    ];
    expect(older.filter((name) => !current.includes(name) && !page.includes(`\`${name}`))).toEqual(
      [],
    );
  });
});
