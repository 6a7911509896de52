import { describe, expect, expectTypeOf, it } from "vitest";
import { copyWritten } from "../../src/define/compile/written.ts";
import { Type } from "../../src/define/enumerations.ts";
import type { MetadataFormula, ParameterValueMap } from "../../src/define/formula.ts";
import * as legacy from "../../src/define/legacy-factories.ts";
import { makeObjectSchema } from "../../src/define/make-schema.ts";
import { UserVisibleError } from "../../src/define/pack-errors.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";

const context = {} as ExecutionContext;
const text = legacy.makeStringParameter("text", "Any text.");
const common = { name: "Run", description: "Runs.", parameters: [text] } as const;
const Row = makeObjectSchema({
  properties: { id: { type: "string", required: true }, name: { type: "string", required: true } },
  idProperty: "id",
  displayProperty: "name",
});
const CompiledRow = {
  type: "object",
  idProperty: "Id",
  displayProperty: "Name",
  properties: {
    Id: { type: "string", required: true, fromKey: "id", originalKey: "id" },
    Name: { type: "string", required: true, fromKey: "name", originalKey: "name" },
  },
};

describe("the legacy parameter factories", () => {
  it.each([
    ["String", "string"],
    ["Numeric", "number"],
    ["Boolean", "boolean"],
    ["Date", "date"],
    ["Html", "html"],
    ["Image", "image"],
    ["File", "file"],
  ])("make%sParameter and its list form give frozen parameters of type %s", (name, type) => {
    for (const suffix of ["", "Array"]) {
      const factory = new Map(Object.entries(legacy)).get(
        `make${name}${suffix}Parameter`,
      ) as typeof legacy.makeStringParameter;
      const parameter = factory("it", "What it is.", { optional: true, suggestedValue: "x" });
      const items = Type[type as keyof typeof Type];
      const compiled = suffix === "" ? items : { type: "array", items };
      expect(parameter).toEqual({
        type: compiled,
        name: "it",
        description: "What it is.",
        optional: true,
        suggestedValue: "x",
      });
      expect(Object.isFrozen(parameter)).toBe(true);
    }
  });

  it("type the arguments of a formula, optional ones too", () => {
    legacy.makeStringFormula({
      ...common,
      parameters: [
        text,
        legacy.makeNumericArrayParameter("numbers", "Numbers.", { optional: true }),
      ],
      execute: async ([first, second]) => {
        expectTypeOf(first).toEqualTypeOf<string>();
        expectTypeOf(second).toEqualTypeOf<ParameterValueMap["numberArray"] | undefined>();
        return first;
      },
    });
  });
});

describe("the legacy formula factories", () => {
  it("makeStringFormula takes its schema as response.schema", async () => {
    const formula = legacy.makeStringFormula({
      ...common,
      response: { schema: { type: "string", codaType: "url" } },
      execute: async ([value]) => `https://api.example/${value}`,
    });
    expect(formula).toMatchObject({ resultType: 0, schema: { type: "string", codaType: "url" } });
    expect(formula.parameters).toEqual([{ type: 0, name: "text", description: "Any text." }]);
    expect(formula).not.toHaveProperty("response");
    expect(await formula.execute(["a"], context)).toBe("https://api.example/a");
  });

  it("makeNumericFormula gives a number, and refuses text", async () => {
    const formula = legacy.makeNumericFormula({ ...common, execute: ([value]) => value.length });
    expect(formula.resultType).toBe(1);
    expect(await formula.execute(["abc"], context)).toBe(3);
    // @ts-expect-error text is no number
    legacy.makeNumericFormula({ ...common, execute: ([value]) => value });
  });

  it("makeObjectFormula gives an object, or a list when its schema is one, from the member that projectKey names", async () => {
    const object = legacy.makeObjectFormula({
      ...common,
      response: { schema: Row },
      execute: async () => ({ id: "1", name: "One" }),
    });
    expect(object).toMatchObject({ resultType: 2, schema: CompiledRow });
    expect(await object.execute(["a"], context)).toEqual({ id: "1", name: "One" });
    const list = legacy.makeObjectFormula({
      ...common,
      response: { schema: { type: "array", items: Row }, projectKey: "rows" },
      execute: async () => ({ rows: [{ id: "1", name: "One" }] }),
    });
    expect(list).toMatchObject({ resultType: 2, schema: { type: "array", items: CompiledRow } });
    expect(list).not.toHaveProperty("items");
    expect(await list.execute(["a"], context)).toEqual([{ id: "1", name: "One" }]);
  });

  it("makeObjectFormula takes the result of the response's onError when it fails, then its own", async () => {
    const failing = { ...common, execute: async () => Promise.reject(new Error("down")) };
    const byResponse = legacy.makeObjectFormula({
      ...failing,
      response: { schema: Row, onError: ({ message }) => ({ id: message }) },
    });
    expect(await byResponse.execute(["a"], context)).toEqual({ id: "down" });
    const byOwn = legacy.makeObjectFormula({
      ...failing,
      response: { schema: Row },
      onError: ({ message }) => ({ own: message }),
    });
    expect(await byOwn.execute(["a"], context)).toEqual({ own: "down" });
    await expect(
      legacy.makeObjectFormula({ ...failing, response: { schema: Row } }).execute(["a"], context),
    ).rejects.toThrow("down");
  });
});

describe("makeSyncTableLegacy", () => {
  const formula = {
    name: "SyncRows",
    description: "Syncs rows.",
    parameters: [text],
    execute: async () => ({ result: [] }),
  } as const;

  it("makes a table with the identity of its schema", async () => {
    const getSchema = async () => Row;
    const schema = { ...Row, identity: { name: "Row" } };
    const table = legacy.makeSyncTableLegacy(
      "Rows",
      schema,
      formula,
      "optional",
      { getSchema, entityName: "Row" },
      "All rows",
    );
    expect(table).toMatchObject({
      name: "Rows",
      displayName: "All rows",
      identityName: "Row",
      entityName: "Row",
      getSchema: { name: "getMetadata", connectionRequirement: "optional" },
      schema: { ...CompiledRow, identity: { name: "Row" } },
      getter: {
        name: "SyncRows",
        isSyncFormula: true,
        connectionRequirement: "optional",
        resultType: 2,
      },
    });
    expect(await (table.getSchema as MetadataFormula).execute([""], context)).toEqual({
      type: "array",
      items: Row,
    });
    expect(copyWritten(table)).toMatchObject({
      connectionRequirement: "optional",
      schema,
      formula,
      dynamicOptions: { getSchema },
    });
  });

  it("refuses a schema without an identity", () => {
    expect(() => legacy.makeSyncTableLegacy("Rows", Row, formula)).toThrow(
      "The schema of the sync table Rows has no identity.name.",
    );
  });
});

describe("the legacy error helpers", () => {
  it("make and recognise an error whose message the user sees", () => {
    const error = legacy.makeUserVisibleError("Say it.");
    expect(error).toBeInstanceOf(UserVisibleError);
    expect(legacy.isUserVisibleError(error)).toBe(true);
    expect([new Error("no"), undefined, null, "text"].some(legacy.isUserVisibleError)).toBe(false);
  });
});
