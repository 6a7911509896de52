import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as coda from "../../src/legacy.ts";
import * as testing from "../../src/legacy-testing.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

// Formulas made with both packages: each must have the same schema, and give the same value or
// fail in the same way.

const NAMES = [
  ...["name", "full_name", "Full Name", "fullName", "URL", "user-id", "größe", "a1", "due_date_2"],
  ...["x", "Name of it", "is_ok", "HTTPServer", "3rd", "a__b", "_lead"],
];

interface Property {
  type: string;
  fromKey?: string;
  codaType?: string;
  required?: boolean;
  properties?: Record<string, Property>;
  items?: Property;
}

const leaf: fc.Arbitrary<Property> = fc.record(
  {
    type: fc.constantFrom("string", "number", "boolean"),
    fromKey: fc.constantFrom("other_key", "key"),
    required: fc.boolean(),
  },
  { requiredKeys: ["type"] },
);
const properties = (depth: number): fc.Arbitrary<Record<string, Property>> =>
  fc.dictionary(fc.constantFrom(...NAMES), property(depth), { minKeys: 1, maxKeys: 4 });
function property(depth: number): fc.Arbitrary<Property> {
  if (depth === 0) return leaf;
  const object = properties(depth - 1).map((inner) => ({ type: "object", properties: inner }));
  const list = property(depth - 1).map((items) => ({ type: "array", items }));
  return fc.oneof({ weight: 3, arbitrary: leaf }, object, list);
}
const schema = fc
  .record({ properties: properties(2), more: fc.boolean(), hasIdentity: fc.boolean() })
  .map(({ properties: members, more, hasIdentity }) => {
    const [first] = Object.keys(members);
    return {
      type: "object",
      properties: members,
      ...(more ? { includeUnknownProperties: true } : {}),
      ...(hasIdentity
        ? { idProperty: first, displayProperty: first, featuredProperties: [first] }
        : {}),
    };
  });

/** A value that the property accepts, from the keys that its schema reads. */
function makeValue({ type, properties: members, items }: Property): unknown {
  if (type === "object")
    return Object.fromEntries([
      ...Object.entries(members ?? {}).map(([key, each]) => [each.fromKey ?? key, makeValue(each)]),
      ["not_declared", 1],
    ]);
  if (type === "array") return items === undefined ? [] : [makeValue(items), makeValue(items)];
  return { string: "text", number: 1.5, boolean: true }[type];
}

const OUTCOMES = [
  "return value",
  "throw new Error('plain')",
  "throw new coda.UserVisibleError('visible')",
];
const HANDLERS = [
  "undefined",
  "(error) => value",
  "(error) => { throw error; }",
  "() => { throw new coda.UserVisibleError('handled'); }",
];

const draws = fc
  .record({
    schema,
    isList: fc.boolean(),
    maker: fc.constantFrom("makeFormula", "makeObjectFormula"),
    outcome: fc.constantFrom(...OUTCOMES),
    onError: fc.constantFrom(...HANDLERS),
  })
  .map(({ schema: object, isList, maker, outcome, onError }) => {
    const value = isList ? [makeValue(object), makeValue(object)] : makeValue(object);
    const [shown, data] = [JSON.stringify(object), JSON.stringify(value)];
    const whole = isList ? `{ type: "array", items: ${shown} }` : shown;
    const current = isList
      ? `resultType: "array", items: ${shown}, onError: ${onError}`
      : `resultType: "object", schema: ${shown}, onError: ${onError}`;
    const rest =
      maker === "makeFormula" ? current : `response: { schema: ${whole}, onError: ${onError} }`;
    return `const value = ${data};
const formula = coda.${maker}({ name: "Get", description: "Gets.", parameters: [], execute: async () => { ${outcome}; }, ${rest} });
const pack = coda.newPack({ formulas: [formula] });
const read = async (run, hasClass = true) => { try { return await run(); } catch (error) { return [error.constructor.name === "ResultValidationException" ? "check" : error.message, hasClass && error instanceof coda.UserVisibleError]; } };
return JSON.parse(JSON.stringify([
  formula.schema,
  coda.normalizeSchema(${whole}),
  await read(() => formula.execute([], {})),
  // An error of the Pack loses its class there, and keeps it here.
  await read(() => testing.executeFormulaFromPackDef(pack, "Get", []), false),
]));`;
  });

const SOURCES = fc.sample(draws, { numRuns: 60, seed: 38 });

describe.skipIf(!hasPublishedPackage)("60 random formulas, made with both packages", async () => {
  const prefix =
    'const testing = published("development.js"); const own = coda; coda = { ...own, makeObjectFormula: published("api.js").makeObjectFormula, normalizeSchema: published("schema.js").normalizeSchema };';
  const there = hasPublishedPackage
    ? await askPublished<{ value?: unknown; error?: string }[]>({
        kind: "evaluate",
        sources: SOURCES.map((source) => `return (async () => { ${prefix} ${source} })();`),
      })
    : [];

  it.each(SOURCES.map((source, index) => [index, source] as const))("%i", async (index, source) => {
    const run = new Function("coda", "testing", `return (async () => { ${source} })();`);
    expect({ value: await run(coda, testing), source }).toEqual({ ...there[index], source });
  });
});
