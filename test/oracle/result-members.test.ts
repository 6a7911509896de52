import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ValueHintType, ValueType } from "../../src/define/enumerations.ts";
import { normalizeResult } from "../../src/execute/results/result.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

interface Case {
  place: Place;
  schema: object;
  /** An expression. */
  value: string;
  ours: boolean;
  theirs: boolean;
}

/** What a formula returns, and the members of an object: the first cell of the table's title. */
type Place = "Formula" | "Property";

const cases = (["Formula", "Property"] as const).flatMap((place) =>
  readCases(place).map((each) => ({ ...each, place })),
);

function readCases(place: Place): Omit<Case, "place">[] {
  return readTable(place).flatMap(([member = "", accepted, refused, onlyHere]) =>
    readSchemas(member).flatMap((schema) => [
      ...readCodes(accepted).map((value) => ({ schema, value, ours: true, theirs: true })),
      ...readCodes(refused).map((value) => ({ schema, value, ours: false, theirs: false })),
      ...readCodes(onlyHere).map((value) => ({ schema, value, ours: true, theirs: false })),
    ]),
  );
}

/** The table in docs/migrating.md, which says what a result or its members may be. */
function readTable(place: Place): string[][] {
  const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");
  const [, table = ""] = page.split(
    `| ${place} | Accepted | An error | Accepted only by packsmith |`,
  );
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
const cases = [${each.map(({ schema, value, place }) => `[${JSON.stringify(schema)}, ${value}, "${place}"]`).join(",")}];
const shapes = {
  Formula: (schema) => ({ resultType: schema.type, ...(schema.type === "array" ? { items: schema.items } : { schema }) }),
  Property: (schema) => ({ resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ properties: { m: schema } }) }),
};
return Promise.all(cases.map(async ([schema, value, place]) => {
  const pack = coda.newPack();
  const result = place === "Property" ? { m: value } : value;
  pack.addFormula({ name: "Get", description: "Gets.", parameters: [], ...shapes[place](schema), execute: async () => result });
  return await executeFormulaFromPackDef(pack, "Get", []).then(() => true, (error) => {
    if (!/^(?:Type)?Error$/.test(error.name) || !/were found|Expected|must be|Failed|value|required|objects.map|reading 'map'/.test(error.message)) throw error;
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

function isAcceptedHere({ schema, value, place }: Case): boolean {
  const isProperty = place === "Property";
  const formula = {
    name: "Get",
    resultType: isProperty ? "object" : (schema as { type: string }).type,
    schema: isProperty ? { type: "object", properties: { m: schema } } : schema,
  };
  const result: unknown = new Function(`return (${value});`)();
  try {
    normalizeResult(formula as never, isProperty ? { m: result } : result);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "RESULT_INVALID" });
    return false;
  }
}

describe.skipIf(!hasPublishedPackage)("a result and its members", () => {
  let published: boolean[];
  beforeAll(async () => {
    published = await judgePublished(cases);
  });

  it("are in the table with every value type and hint", () => {
    const named = readTable("Property").flatMap(([member]) => readCodes(member));
    for (const name of Object.keys(ValueType)) expect(named).toContain(name);
    expect(cases.length).toBeGreaterThan(120);
  });

  it.each(
    cases.map(
      (each, index) => [each.place, JSON.stringify(each.schema), each.value, each, index] as const,
    ),
  )("%s %s: %s", (_place, _schema, _value, each, index) => {
    expect({ ours: isAcceptedHere(each), theirs: published[index] }).toEqual({
      ours: each.ours,
      theirs: each.theirs,
    });
  });
});
