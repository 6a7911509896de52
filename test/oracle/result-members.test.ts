import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ValueHintType, ValueType } from "../../src/define/enumerations.ts";
import { normalizeResult } from "../../src/execute/results/result.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

interface Case {
  schema: object;
  /** An expression. */
  value: string;
  ours: boolean;
  theirs: boolean;
}

const TITLE = "| Member | Accepted | An error | Accepted only here |";
const cases = readTable().flatMap(([member = "", accepted, refused, onlyHere]) =>
  readSchemas(member).flatMap((schema) => [
    ...readCodes(accepted).map((value) => ({ schema, value, ours: true, theirs: true })),
    ...readCodes(refused).map((value) => ({ schema, value, ours: false, theirs: false })),
    ...readCodes(onlyHere).map((value) => ({ schema, value, ours: true, theirs: false })),
  ]),
);

/** The table in docs/migrating.md, which says what the members of a result may be. */
function readTable(): string[][] {
  const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");
  const [, table = ""] = page.split(TITLE);
  const rows = table.trimStart().split("\n\n", 1)[0]?.split("\n").slice(1) ?? [];
  return rows.map((row) => row.split("|").slice(1, -1));
}

function readCodes(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

function readSchemas(member: string): object[] {
  const [name = "", ...hints] = readCodes(member);
  if (name === "") return Object.keys(ValueType).map((type) => makeSchema(type));
  if (member.includes(" of ")) return [{ type: "array", items: makeSchema(hints[0] ?? "") }];
  const schemas = hints.map((hint) => makeSchema(name, hint));
  return hints.length === 0 || member.includes("or without")
    ? [makeSchema(name), ...schemas]
    : schemas;
}

function makeSchema(name: string, hint?: string): object {
  const type = ValueType[name as keyof typeof ValueType];
  const codaType = hint === undefined ? {} : { codaType: findHint(hint) };
  if (type === "array") return { type, items: { type: "string" } };
  if (type === "object") return { type, properties: { a: { type: "string" } } };
  return { type, ...codaType };
}

function findHint(name: string): string {
  const hint = ValueHintType[name as keyof typeof ValueHintType];
  if (hint === undefined) throw new Error(`There is no value hint ${name}.`);
  return hint;
}

/** Asks the check of the published package, in one formula for each case. */
async function judgePublished(each: readonly Case[]): Promise<boolean[]> {
  const source = `const { executeFormulaFromPackDef } = published("testing/execution.js");
const cases = [${each.map(({ schema, value }) => `[${JSON.stringify(schema)}, ${value}]`).join(",")}];
return Promise.all(cases.map(async ([schema, value]) => {
  const pack = coda.newPack();
  const wrapped = coda.makeObjectSchema({ properties: { m: schema } });
  pack.addFormula({ name: "Get", description: "Gets.", parameters: [], resultType: coda.ValueType.Object, schema: wrapped, execute: async () => ({ m: value }) });
  return await executeFormulaFromPackDef(pack, "Get", []).then(() => true, (error) => {
    if (error.name !== "Error" || !/were found|Expected|must be|Failed|value|required/.test(error.message)) throw error;
    return false;
  });
}));`;
  const [answer] = await askPublished<{ value?: boolean[]; error?: string }[]>({
    kind: "evaluate",
    sources: [source],
  });
  if (answer?.value === undefined) throw new Error(answer?.error);
  return answer.value;
}

function isAcceptedHere({ schema, value }: Case): boolean {
  const formula = {
    name: "Get",
    resultType: "object",
    schema: { type: "object", properties: { m: schema } },
  };
  const member: unknown = new Function(`return (${value});`)();
  try {
    normalizeResult(formula as never, { m: member });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "RESULT_INVALID" });
    return false;
  }
}

describe.skipIf(!hasPublishedPackage)("the members of a result", () => {
  let published: boolean[];
  beforeAll(async () => {
    published = await judgePublished(cases);
  });

  it("are in the table with every value type and hint", () => {
    const named = readTable().flatMap(([member]) => readCodes(member));
    for (const name of Object.keys(ValueType)) expect(named).toContain(name);
    expect(cases.length).toBeGreaterThan(120);
  });

  it.each(
    cases.map((each, index) => [JSON.stringify(each.schema), each.value, each, index] as const),
  )("%s: %s", (_schema, _value, each, index) => {
    expect({ ours: isAcceptedHere(each), theirs: published[index] }).toEqual({
      ours: each.ours,
      theirs: each.theirs,
    });
  });
});
