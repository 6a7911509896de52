import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValueHintType } from "../../src/define/enumerations.ts";
import { normalizeResult } from "../../src/execute/results/result.ts";
import { newPack } from "../../src/index.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

const HINTS = {
  string: [
    ...["Date", "Time", "DateTime", "Duration", "Email", "Url", "Markdown", "Html", "Embed"],
    ...["ImageReference", "ImageAttachment", "Attachment", "SelectList"],
  ],
  number: ["Date", "Time", "DateTime", "Duration", "Percent", "Currency"],
  boolean: ["Toggle"],
} as const;
type Scalar = keyof typeof HINTS;

const scalar: fc.Arbitrary<Drawn> = fc
  .constantFrom<Scalar>("string", "number", "boolean")
  .chain((type) =>
    fc
      .option(fc.constantFrom(...HINTS[type]), { nil: undefined })
      .map((hint) =>
        hint === undefined
          ? { type }
          : { type, codaType: ValueHintType[hint as keyof typeof ValueHintType] },
      ),
  );
const limited: fc.Arbitrary<Drawn> = fc
  .record({
    codaType: fc.constantFrom("slider", "progressBar", "scale"),
    minimum: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    maximum: fc.option(fc.integer({ min: 3, max: 9 }), { nil: undefined }),
  })
  .map(({ codaType, minimum, maximum }) => ({
    type: "number",
    codaType,
    ...(minimum === undefined || codaType === "scale" ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }));
const schema = (depth: number): fc.Arbitrary<Drawn> =>
  depth === 0
    ? fc.oneof({ weight: 4, arbitrary: scalar }, limited)
    : fc.oneof(
        { weight: 2, arbitrary: scalar },
        (depth === 1 ? fc.oneof(scalar, limited) : schema(depth - 1)).map((items) => ({
          type: "array",
          items,
        })),
        object(depth),
      );
const object = (depth: number): fc.Arbitrary<Drawn> =>
  fc
    .record({
      a: schema(depth - 1),
      b: schema(depth - 1),
      required: fc.subarray(["a", "b"]),
      fromKey: fc.boolean(),
      id: fc.boolean(),
    })
    .map(({ a, b, required, fromKey, id }) => {
      const isRequired = (name: string) => (required.includes(name) ? { required: true } : {});
      return {
        type: "object",
        properties: {
          a: { ...a, ...isRequired("a") },
          b: { ...b, ...isRequired("b"), ...(fromKey ? { fromKey: "the_b" } : {}) },
        },
        ...(id ? { idProperty: "a" } : {}),
      };
    });
/** Without what docs/migrating.md says that only packsmith accepts: dates, and seconds for a date. */
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; member: unknown }>((tie) => ({
  member: fc.oneof(
    fc.constantFrom("", "text", "2024-01-01", "12:30", "https://a.example", "ada@mail.example"),
    fc.constantFrom(0, 1, -1, 2.5, 4, 99),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  ),
  value: fc.oneof(
    { weight: 3, arbitrary: tie("member") },
    fc.array(tie("value"), { maxLength: 2 }),
    fc.record(
      { a: tie("value"), b: tie("value"), the_b: tie("value"), more: tie("member") },
      { requiredKeys: [] },
    ),
  ),
})).value;
interface Drawn {
  type: string;
  codaType?: string;
  items?: Drawn;
  properties?: { a: Drawn; b: Drawn & { fromKey?: string } };
}
/** A value that mostly has the form of its schema. */
const fitting = (of: Drawn): fc.Arbitrary<unknown> => {
  if (of.type === "array") {
    const list = fc.array(fitting(of.items ?? { type: "string" }), { maxLength: 2 });
    return fc.oneof({ weight: 6, arbitrary: list }, value);
  }
  if (of.type === "object") {
    const { a, b } = of.properties ?? { a: { type: "string" }, b: { type: "string" } };
    const name = b.fromKey ?? "b";
    const members = fc.record({ a: fitting(a), [name]: fitting(b) }, { requiredKeys: [] });
    // The published check makes an empty object of text in a list, of a list and of null.
    return fc.oneof({ weight: 6, arbitrary: members }, value);
  }
  const good: Record<string, unknown> = { string: "2024-01-01", number: 1, boolean: true };
  const hinted: Record<string, unknown> = { time: "12:30", email: "ada@mail.example" };
  const text = /url|embed|image|attachment/i.test(of.codaType ?? "")
    ? "https://a.example"
    : (hinted[of.codaType ?? ""] ?? "2024-01-01");
  const fits = fc.constant(of.type === "string" ? text : good[of.type]);
  return fc.oneof({ weight: 6, arbitrary: fits }, value);
};
const cases = fc.sample(
  schema(3).chain((of) => fitting(of as Drawn).map((result) => ({ schema: of, result }))),
  600,
);

async function judgePublished(): Promise<(true | string)[]> {
  const text = (each: unknown): string =>
    JSON.stringify(each, (_, member) => (member === undefined ? "__undefined" : member)) ??
    '"__undefined"';
  const source = `const { executeFormulaFromPackDef } = published("testing/execution.js");
const restore = (value) => value === "__undefined" ? undefined : Array.isArray(value) ? value.map(restore) : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restore(member)])) : value;
const cases = [${cases.map(({ schema: of, result }) => `[${JSON.stringify(of)}, ${text(result)}]`).join(",\n")}];
return Promise.all(cases.map(async ([schema, result]) => {
  try {
    const pack = coda.newPack();
    const shape = schema.type === "array" ? { resultType: "array", items: schema.items } : schema.type === "object" ? { resultType: "object", schema } : { resultType: schema.type, schema };
    pack.addFormula({ name: "Get", description: "Gets.", parameters: [], ...shape, execute: async () => restore(result) });
    await executeFormulaFromPackDef(pack, "Get", []);
    return true;
  } catch (error) { return String(error.message).slice(0, 300); }
}));`;
  const [answer] = await askPublished<{ value?: (true | string)[]; error?: string }[]>({
    kind: "evaluate",
    sources: [source],
  });
  if (answer?.value === undefined) throw new Error(answer?.error);
  return answer.value;
}

function judgeHere({ schema: of, result }: (typeof cases)[number]): true | string {
  const { type, items } = of as { type: string; items?: object };
  const shape = type === "array" ? { items } : { schema: of };
  const pack = newPack();
  const parts = { name: "Get", description: "Gets.", parameters: [], execute: async () => result };
  pack.addFormula({ ...parts, resultType: type, ...shape } as never);
  try {
    normalizeResult(pack.formulas[0] as never, result);
    return true;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.skipIf(!hasPublishedPackage)("random results of random schemas", () => {
  it("are accepted here if the check of the published package accepts them", async () => {
    const published = await judgePublished();
    const refused = cases.flatMap((each, index) => {
      const here = judgeHere(each);
      return published[index] === true && here !== true ? [{ ...each, here }] : [];
    });
    expect(published.filter((each) => each === true).length).toBeGreaterThan(100);
    expect(refused).toEqual([]);
  });
});
