import { expectTypeOf } from "vitest";
import {
  type FormulaResult,
  type MetadataFormula,
  makeFormula,
  makeMetadataFormula,
  makeObjectSchema,
  newPack,
  type PackDefinitionBuilder,
  ValueHintType,
  ValueType,
} from "../../../src/index.ts";

const pack = newPack();
const common = { name: "A", description: "A.", parameters: [] } as const;
const Task = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, fromKey: "name", required: true },
    owner: { type: "object", properties: { email: { type: "string", required: true } } },
  },
  idProperty: "id",
  displayProperty: "title",
});

// Each type of result.
makeFormula({ ...common, resultType: ValueType.String, execute: () => "a" });
makeFormula({ ...common, resultType: "string", execute: async () => null });
makeFormula({ ...common, resultType: ValueType.Number, execute: () => 1 });
makeFormula({ ...common, resultType: ValueType.Boolean, execute: async () => true });
makeFormula({
  ...common,
  resultType: ValueType.Array,
  items: { type: "number" },
  execute: () => [1],
});
makeFormula({
  ...common,
  resultType: ValueType.Array,
  items: Task,
  execute: async () => [{ id: "1", name: "n" }],
});
makeFormula({
  ...common,
  resultType: ValueType.Object,
  schema: Task,
  execute: () => ({ id: "1", name: "n", owner: { email: "a@b" } }),
});
makeFormula({
  ...common,
  resultType: "string",
  codaType: ValueHintType.Date,
  execute: () => new Date(0),
});
makeFormula({
  ...common,
  resultType: "string",
  codaType: "url",
  execute: () => "https://tasks.example",
});
makeFormula({ ...common, resultType: "number", codaType: "datetime", execute: () => new Date(0) });
makeFormula({
  ...common,
  resultType: "number",
  schema: { type: "number", codaType: "currency", currencyCode: "EUR" },
  execute: () => 1,
});
makeFormula({
  ...common,
  resultType: "object",
  schema: { properties: { n: { type: "number" } } },
  execute: () => ({ n: 1 }),
});
makeFormula({
  ...common,
  resultType: "string",
  execute: () => "a",
  onError: (error) => error.message,
});

expectTypeOf<FormulaResult<"string", undefined, undefined, undefined>>().toEqualTypeOf<
  string | null
>();
expectTypeOf<FormulaResult<"string", undefined, undefined, "date">>().toEqualTypeOf<
  string | number | Date | null
>();
expectTypeOf<FormulaResult<"number", undefined, undefined, "percent">>().toEqualTypeOf<
  number | null
>();
expectTypeOf<FormulaResult<"boolean", undefined, undefined, undefined>>().toEqualTypeOf<
  boolean | null
>();
expectTypeOf<
  FormulaResult<"array", undefined, { readonly type: "boolean" }, undefined>
>().toEqualTypeOf<boolean[] | null>();

// @ts-expect-error a number is no text
makeFormula({ ...common, resultType: "string", execute: () => 1 });
// @ts-expect-error nor when it is promised
makeFormula({ ...common, resultType: "string", execute: async () => 1 });
// @ts-expect-error text is no number
makeFormula({ ...common, resultType: "number", execute: () => "1" });
// @ts-expect-error nothing is no result
makeFormula({ ...common, resultType: "number", execute: () => undefined });
// @ts-expect-error the elements are text
makeFormula({ ...common, resultType: "array", items: { type: "number" }, execute: () => ["1"] });
makeFormula({
  ...common,
  resultType: "array",
  items: Task,
  // @ts-expect-error one object is no list
  execute: () => ({ id: "1", name: "n" }),
});
makeFormula({
  ...common,
  resultType: "object",
  schema: Task,
  // @ts-expect-error `name` is required, by its name in the object
  execute: () => ({ id: "1", title: "n" }),
});
makeFormula({
  ...common,
  resultType: "object",
  schema: Task,
  // @ts-expect-error a member of a nested object is missing
  execute: () => ({ id: "1", name: "n", owner: {} }),
});
// @ts-expect-error what onError gives becomes the result
makeFormula({ ...common, resultType: "string", execute: () => "a", onError: () => 1 });

// Members that do not go with the type of result.
// @ts-expect-error an object needs a schema
makeFormula({ ...common, resultType: "object", execute: () => ({}) });
// @ts-expect-error a list needs items
makeFormula({ ...common, resultType: "array", execute: () => [] });
// @ts-expect-error a boolean has no schema
makeFormula({ ...common, resultType: "boolean", schema: { type: "boolean" }, execute: () => true });
// @ts-expect-error a schema of another type
makeFormula({ ...common, resultType: "string", schema: { type: "number" }, execute: () => "a" });
// @ts-expect-error a hint of another type
makeFormula({ ...common, resultType: "number", codaType: "url", execute: () => 1 });
// @ts-expect-error a select list needs its options
makeFormula({ ...common, resultType: "string", codaType: "selectList", execute: () => "a" });

// Misspelled members and values.
// @ts-expect-error cacheTtlSec
makeFormula({ ...common, resultType: "string", cacheTtlSec: 1, execute: () => "a" });
// @ts-expect-error strin
makeFormula({ ...common, resultType: "strin", execute: () => "a" });
makeFormula({
  ...common,
  resultType: "string",
  // @ts-expect-error a requirement that there is not
  connectionRequirement: "maybe",
  execute: () => "a",
});
makeFormula({
  ...common,
  resultType: "string",
  execute: () => "a",
  // @ts-expect-error validateParameters is for sync tables
  validateParameters: () => ({ isValid: true }),
});

// The body of a response has no type until the request declares one.
makeFormula({
  ...common,
  resultType: "string",
  execute: async (_args, context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example" });
    expectTypeOf(response.body).toBeAny();
    const typed = await context.fetcher.fetch<{ name: string }>({
      method: "GET",
      url: "https://tasks.example",
    });
    expectTypeOf(typed.body).toEqualTypeOf<{ name: string } | undefined>();
    // @ts-expect-error a verb that fetch does not have
    await context.fetcher.fetch({ method: "TRACE", url: "https://tasks.example" });
    if (context.previousAttemptError?.type === "HttpStatusError") {
      expectTypeOf(context.previousAttemptError.statusCode).toEqualTypeOf<number>();
    }
    return typed.body?.name ?? "";
  },
});

// Builder calls chain, and metadata formulas keep what their function returns.
expectTypeOf(
  newPack().setVersion("1").addNetworkDomain("tasks.example"),
).toEqualTypeOf<PackDefinitionBuilder>();
expectTypeOf(
  pack.addFormula({ ...common, resultType: "string", execute: () => "a" }),
).toEqualTypeOf<PackDefinitionBuilder>();
expectTypeOf(makeMetadataFormula(async () => "label" as const)).toExtend<
  MetadataFormula<"label">
>();
