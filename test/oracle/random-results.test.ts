import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionForm } from "../../src/define/definition-form.ts";
import { ValueHintType } from "../../src/define/enumerations.ts";
import { isPackError } from "../../src/errors.ts";
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

/** Texts at the edge of what is a URL or an e-mail address. */
const TEXTS = [
  ...[
    "https:",
    "HTTPS://A",
    " https://a b",
    "data:",
    "\u00a0data:,a",
    "ht\ntps://a",
    "//a.example",
  ],
  ...["mailto:a@b.example", "http://a.example", "javascript:1", "https", "1https://a"],
  ...["a.b@c.example", "a..b@c.example", ".a@c.example", '"a b"@c.example', '""@c.example'],
  ...["a@localhost", "a@[127.0.0.1]", "a@c.e", "a@-c.example", "a@c..example", "a@c.example "],
  ...[
    "é@c.example",
    "a@é.example",
    "a+b@c.example",
    "a@b@c.example",
    "a(b)@c.example",
    "@c.example",
  ],
];
const PERSON: Drawn = { type: "string", codaType: "email" };

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
      // Another key, one that both properties have, and one that is the name of the other.
      fromKey: fc.option(fc.constantFrom("the_b", "a", "A"), { nil: undefined }),
      id: fc.boolean(),
      isPerson: fc.nat(5).map((each) => each === 0),
      more: fc.boolean(),
    })
    .map(({ a, b, required, fromKey, id, isPerson, more }) => {
      const isRequired = (name: string) => (required.includes(name) ? { required: true } : {});
      return {
        type: "object",
        properties: {
          a: { ...a, ...isRequired("a") },
          b: { ...b, ...isRequired("b"), ...(fromKey === undefined ? {} : { fromKey }) },
        },
        ...(id || isPerson ? { idProperty: "a" } : {}),
        ...(isPerson ? { codaType: "person" } : {}),
        ...(more ? { includeUnknownProperties: true } : {}),
      };
    });
/** What JSON cannot write, by a text that stands for it. */
const OTHERS: Readonly<Record<string, unknown>> = {
  __undefined: undefined,
  __NaN: Number.NaN,
  __Infinity: Number.POSITIVE_INFINITY,
  __Date: new Date(0),
};
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; member: unknown }>((tie) => ({
  member: fc.oneof(
    fc.constantFrom("", "text", "2024-01-01", "12:30", "https://a.example", "ada@mail.example"),
    fc.constantFrom(...TEXTS),
    fc.constantFrom(0, 1, -1, 2.5, 4, 99),
    fc.boolean(),
    fc.constantFrom(null, ...Object.keys(OTHERS)),
  ),
  value: fc.oneof(
    { weight: 3, arbitrary: tie("member") },
    fc.array(tie("value"), { maxLength: 2 }),
    fc.record(
      {
        a: tie("value"),
        b: tie("value"),
        A: tie("value"),
        B: tie("value"),
        the_b: tie("value"),
        more: tie("member"),
      },
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
    const members = fc.record(
      { [name]: fitting(b), a: fitting(of.codaType === "person" ? PERSON : a), B: fitting(b) },
      { requiredKeys: [] },
    );
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
  900,
);

/** Runs a body over all cases: it gives true for one that is accepted, and otherwise why not. */
async function askForEach(each: string): Promise<(true | string)[]> {
  const source = `const { executeFormulaFromPackDef } = published("testing/execution.js");
const others = { __undefined: undefined, __NaN: NaN, __Infinity: Infinity, __Date: new Date(0) };
const restore = (value) => typeof value === "string" && value in others ? others[value] : Array.isArray(value) ? value.map(restore) : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restore(member)])) : value;
const cases = ${JSON.stringify(cases.map(({ schema: of, result }) => [of, result]))};
return Promise.all(cases.map(async ([schema, result]) => {
  try { ${each} return true; } catch (error) { return String(error.message).slice(0, 300); }
}));`;
  const [answer] = await askPublished<{ value?: (true | string)[]; error?: string }[]>({
    kind: "evaluate",
    sources: [source],
  });
  if (answer?.value === undefined) throw new Error(answer?.error);
  return answer.value;
}

const asFormula = `const pack = coda.newPack();
const shape = schema.type === "array" ? { resultType: "array", items: schema.items } : schema.type === "object" ? { resultType: "object", schema } : { resultType: schema.type, schema };
pack.addFormula({ name: "Get", description: "Gets.", parameters: [], ...shape, execute: async () => restore(result) });
await executeFormulaFromPackDef(pack, "Get", []);`;

function restoreOthers(each: unknown): unknown {
  if (typeof each === "string") return Object.hasOwn(OTHERS, each) ? OTHERS[each] : each;
  if (Array.isArray(each)) return each.map(restoreOthers);
  if (typeof each !== "object" || each === null) return each;
  return Object.fromEntries(
    Object.entries(each).map(([key, member]) => [key, restoreOthers(member)]),
  );
}

function judgeHere({ schema: of, result }: (typeof cases)[number]): true | string {
  const { type, items } = of as { type: string; items?: object };
  const shape = type === "array" ? { items } : { schema: of };
  const pack = newPack();
  const parts = { name: "Get", description: "Gets.", parameters: [], execute: async () => result };
  pack.addFormula({ ...parts, resultType: type, ...shape } as never);
  const value = restoreOthers(result);
  // A run has the names of the author, the helpers of a suite have the compiled ones.
  const verdicts = [pack, definitionForm(pack) as typeof pack].map(({ formulas }) => {
    try {
      normalizeResult(formulas[0] as never, value);
      return true;
    } catch (error) {
      if (!isPackError(error, "RESULT_INVALID")) throw error;
      return error.message;
    }
  });
  expect(verdicts[0] === true, JSON.stringify({ of, result, verdicts })).toBe(verdicts[1] === true);
  return verdicts[0] as true | string;
}

/** What docs/migrating.md says that only packsmith accepts: dates, and seconds for a date. */
function isOnlyHere({ schema: of, result }: (typeof cases)[number]): boolean {
  const text = JSON.stringify(result) ?? "";
  const hasDate = /"type":"(?:string|number)","codaType":"(?:date|time|datetime)"/.test(
    JSON.stringify(of),
  );
  return hasDate && /__Date|[:[,]-?\d|^-?\d|__Infinity|__NaN/.test(text);
}

/** A text that stands for undefined, where published code would copy it as JSON and fail. */
function isCopied({ schema: of, result }: (typeof cases)[number]): boolean {
  return (
    /"fromKey":"a"/.test(JSON.stringify(of)) &&
    /"a":"__undefined"/.test(JSON.stringify(result) ?? "")
  );
}

describe.skipIf(!hasPublishedPackage)("random results of random schemas", () => {
  it("are accepted and refused here as by the check of the published package", async () => {
    const published = await askForEach(asFormula);
    const different = cases.flatMap((each, index) => {
      const here = judgeHere(each);
      const there = published[index];
      if ((there === true) === (here === true)) return [];
      if (there !== true && (isOnlyHere(each) || isCopied(each))) return [];
      return [{ ...each, here, there }];
    });
    expect(published.filter((each) => each === true).length).toBeGreaterThan(100);
    expect(different.slice(0, 5).map((each) => JSON.stringify(each))).toEqual([]);
  });
});
