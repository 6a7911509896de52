import { describe, expect, expectTypeOf, it } from "vitest";
import { ParameterType, ValueHintType, ValueType } from "../../src/define/enumerations.ts";
import type { ParameterValueMap } from "../../src/define/formula.ts";
import { makeFormula } from "../../src/define/make-formula.ts";
import { makeObjectSchema, makeSchema } from "../../src/define/make-schema.ts";
import { makeParameter } from "../../src/define/parameter.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";
import type { SchemaType } from "../../src/define/schema-type.ts";

const context = {} as ExecutionContext;
const title = makeParameter({
  type: ParameterType.String,
  name: "title",
  description: "The title.",
});
const due = makeParameter({ type: "date", name: "due", description: "The date.", optional: true });
const common = { name: "Run", description: "Runs.", parameters: [] } as const;

const Task = makeObjectSchema({
  properties: {
    rowId: { type: ValueType.String, required: true, fromKey: "id" },
    due: { type: ValueType.String, codaType: ValueHintType.Date },
    tags: { type: ValueType.Array, items: { type: ValueType.String }, required: true },
  },
  idProperty: "rowId",
});

describe("makeFormula", () => {
  it("types the arguments by the parameters, in their order", () => {
    makeFormula({
      ...common,
      parameters: [
        title,
        due,
        makeParameter({ type: "sparseNumberArray", name: "n", description: "" }),
      ],
      resultType: "string",
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<[string, Date | undefined, (number | undefined)[]]>();
        return "";
      },
    });
  });

  it("types repeated parameters as a tail, and an undeclared argument as an error", () => {
    makeFormula({
      ...common,
      parameters: [title],
      varargParameters: [title, makeParameter({ type: "number", name: "n", description: "" })],
      resultType: "string",
      execute: ([first, ...rest]) => {
        expectTypeOf(first).toEqualTypeOf<string>();
        expectTypeOf(rest).toEqualTypeOf<(string | number)[]>();
        return first;
      },
    });
    makeFormula({
      ...common,
      parameters: [title],
      resultType: "string",
      // @ts-expect-error there is no second argument
      execute: ([first, second]) => `${first}${String(second)}`,
    });
  });

  it("has an argument type for every type of parameter", () => {
    expectTypeOf<keyof ParameterValueMap>().toEqualTypeOf<ParameterType>();
  });

  it("checks the result against result type, hint, items and schema", () => {
    makeFormula({
      ...common,
      resultType: ValueType.Array,
      items: Task,
      execute: async () => [{ id: "1", due: new Date(), tags: [] }],
    });
    makeFormula({
      ...common,
      resultType: "object",
      schema: Task,
      execute: () => ({ id: "1", tags: ["a"] }),
    });
    makeFormula({
      ...common,
      resultType: "string",
      schema: { type: "string", codaType: "date" },
      execute: () => new Date(),
    });
    makeFormula({
      ...common,
      resultType: "number",
      codaType: "datetime",
      execute: async () => new Date(),
    });
    makeFormula({ ...common, resultType: "string", execute: () => null });
    // @ts-expect-error a schema of another type
    makeFormula({ ...common, resultType: "string", schema: { type: "number" }, execute: () => "" });
    // @ts-expect-error an object needs a schema
    makeFormula({ ...common, resultType: "object", execute: () => ({}) });
    // @ts-expect-error a number is no text
    makeFormula({ ...common, resultType: "string", execute: () => 1 });
    // @ts-expect-error text is no boolean
    makeFormula({ ...common, resultType: "boolean", execute: async () => "true" });
    // @ts-expect-error id is required
    makeFormula({ ...common, resultType: "object", schema: Task, execute: () => ({ tags: [] }) });
    makeFormula({
      ...common,
      resultType: "array",
      items: { type: "number" },
      // @ts-expect-error the elements have another type
      execute: () => ["1"],
    });
  });

  it("refuses misspelled members and values", () => {
    // @ts-expect-error cacheTtlSec
    makeFormula({ ...common, resultType: "string", cacheTtlSec: 1, execute: () => "" });
    // @ts-expect-error strin
    makeFormula({ ...common, resultType: "strin", execute: () => "" });
    // @ts-expect-error sugestedValue
    makeParameter({ type: "string", name: "a", description: "", sugestedValue: "x" });
    // @ts-expect-error displyProperty
    makeObjectSchema({ properties: {}, displyProperty: "x" });
  });

  it("maps schemas to values", () => {
    expectTypeOf<SchemaType<typeof Task>>().toEqualTypeOf<{
      id: string;
      tags: string[];
      due?: string | number | Date | null | undefined;
    }>();
    const amount = makeSchema({
      type: ValueType.Number,
      codaType: ValueHintType.Currency,
      currencyCode: "EUR",
    });
    expectTypeOf<SchemaType<typeof amount>>().toEqualTypeOf<number>();
    expectTypeOf<ValueType.String>().toEqualTypeOf<"string">();
  });

  it("turns a value hint into a schema, and gives an object schema its type", () => {
    const hinted = makeFormula({
      ...common,
      resultType: "string",
      codaType: "url",
      execute: () => "https://a.example",
    });
    expect(hinted.schema).toEqual({ type: "string", codaType: "url" });
    expect(hinted).not.toHaveProperty("codaType");
    expect(
      makeFormula({
        ...common,
        resultType: "object",
        schema: { properties: {} },
        execute: () => ({}),
      }).schema?.type,
    ).toBe("object");
  });

  it("lets onError give the result", async () => {
    const failing = makeFormula({
      ...common,
      resultType: "string",
      execute: () => {
        throw new Error("down");
      },
      onError: (error) => `was ${error.message}`,
    });
    expect(failing).not.toHaveProperty("onError");
    expect(await failing.execute([], context)).toBe("was down");
  });

  it("freezes parameters", () => {
    expect(Object.isFrozen(title)).toBe(true);
  });
});
