import { describe, expect, it } from "vitest";
import {
  AttributionNodeType,
  type ExecutionContext,
  generateSchema,
  getEffectivePropertyKeysFromSchema,
  makeAttributionNode,
  makeMetadataFormula,
  makeObjectSchema,
  makePropertyOptionsFormula,
  makeReferenceSchemaFromObjectSchema,
  makeSchema,
  makeSimpleAutocompleteMetadataFormula,
  PropertyLabelValueTemplate,
  SvgConstants,
  ValidFetchMethods,
  withIdentity,
} from "../../src/index.ts";

const context = {} as ExecutionContext;
const Task = makeObjectSchema({
  properties: {
    id: { type: "string", fromKey: "task_id" },
    title: { type: "string" },
    due: { type: "string", codaType: "date" },
  },
  idProperty: "id",
  displayProperty: "title",
});

describe("schema helpers", () => {
  it("makeReferenceSchemaFromObjectSchema keeps id and display property, required, under the identity", () => {
    expect(makeReferenceSchemaFromObjectSchema(Task, "Task")).toEqual({
      type: "object",
      codaType: "reference",
      identity: { name: "Task" },
      idProperty: "id",
      displayProperty: "title",
      properties: {
        id: { type: "string", fromKey: "task_id", required: true },
        title: { type: "string", required: true },
      },
    });
    const own = makeReferenceSchemaFromObjectSchema({
      ...Task,
      identity: { name: "Todo" },
      mutable: true,
      requireForUpdates: true,
    });
    expect(own).toMatchObject({
      identity: { name: "Todo" },
      mutable: true,
      requireForUpdates: true,
    });
  });

  it("makeReferenceSchemaFromObjectSchema reads the old names, and says what is missing", () => {
    const old = makeObjectSchema({
      properties: { id: { type: "string" } },
      id: "id",
      primary: "id",
    });
    expect(makeReferenceSchemaFromObjectSchema(old, "Task")).toMatchObject({
      idProperty: "id",
      displayProperty: "id",
    });
    expect(() => makeReferenceSchemaFromObjectSchema(Task)).toThrow(TypeError);
    expect(() =>
      makeReferenceSchemaFromObjectSchema(makeObjectSchema({ properties: {} }), "Task"),
    ).toThrow(TypeError);
  });

  it("withIdentity copies", () => {
    expect(withIdentity(Task, "Task").identity).toEqual({ name: "Task" });
    expect(Task.identity).toBeUndefined();
  });

  it("generateSchema reads a sample: the first element decides, null is text, an empty list is refused", () => {
    expect(
      generateSchema({
        name: "a",
        count: 1,
        done: false,
        none: null,
        tags: ["a", 1],
        owner: { id: 1 },
      }),
    ).toEqual({
      type: "object",
      properties: {
        name: { type: "string" },
        count: { type: "number" },
        done: { type: "boolean" },
        none: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        owner: { type: "object", properties: { id: { type: "number" } } },
      },
    });
    expect(() => generateSchema([])).toThrow(TypeError);
  });

  it("getEffectivePropertyKeysFromSchema gives each name in the returned object once", () => {
    expect(getEffectivePropertyKeysFromSchema(Task)).toEqual(["task_id", "title", "due"]);
    expect(getEffectivePropertyKeysFromSchema({ type: "array", items: Task })).toEqual([
      "task_id",
      "title",
      "due",
    ]);
    expect(getEffectivePropertyKeysFromSchema({ type: "string" })).toBeUndefined();
    const twice = makeObjectSchema({
      properties: { a: { type: "string", fromKey: "x" }, b: { type: "string", fromKey: "x" } },
    });
    expect(getEffectivePropertyKeysFromSchema(twice)).toEqual(["x"]);
  });

  it("makeSchema, makeAttributionNode and makeObjectSchema give back what they were given", () => {
    const options = () => ["a"];
    expect(makeSchema({ type: "string", codaType: "selectList", options })).toEqual({
      type: "string",
      codaType: "selectList",
      options,
    });
    expect(makeAttributionNode({ type: AttributionNodeType.Text, text: "a" })).toEqual({
      type: 1,
      text: "a",
    });
    expect(
      makeObjectSchema({ properties: { a: { type: "string", codaType: "selectList", options } } })
        .properties.a.options,
    ).toBe(options);
  });

  it("have the constants of the vocabulary", () => {
    expect(ValidFetchMethods).toEqual(["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"]);
    expect(PropertyLabelValueTemplate).toBe("{VALUE}");
    expect(SvgConstants).toEqual({
      DarkModeFragmentId: "DarkMode",
      DataUrlPrefix: "data:image/svg+xml;base64,",
      DataUrlPrefixWithDarkModeSupport: "data:image/svg+xml;supportsDarkMode=1;base64,",
    });
  });
});

describe("metadata formulas", () => {
  it("hand search and the values of the other parameters to the function; unreadable text is no values", async () => {
    const formula = makeMetadataFormula(
      (_context, search, parameters) => `${search}:${JSON.stringify(parameters)}`,
    );
    const parameter = { type: 0, optional: true, allowManualInput: true };
    expect(formula).toEqual({
      name: "getMetadata",
      description: "Gets metadata",
      parameters: [
        { ...parameter, name: "search", description: "Metadata to search for." },
        { ...parameter, name: "formulaContext", description: "Serialized JSON for metadata." },
      ],
      examples: [],
      connectionRequirement: "optional",
      resultType: 2,
      execute: expect.any(Function),
    });
    expect(await formula.execute(["a", '{"list":"b"}'], context)).toBe('a:{"list":"b"}');
    for (const unreadable of ["not JSON", "", undefined])
      expect(await formula.execute(["", unreadable], context)).toBe(":{}");
    expect(
      makeMetadataFormula(() => "", { connectionRequirement: "none" }).connectionRequirement,
    ).toBe("none");
  });

  it("have the deprecated forms for choices and for property options", async () => {
    const choices = makeSimpleAutocompleteMetadataFormula([
      "red",
      { display: "Green", value: "g" },
    ]);
    expect(await choices.execute(["GR", "{}"], context)).toEqual([
      { display: "Green", value: "g" },
    ]);
    const options = makePropertyOptionsFormula({
      name: "Colors",
      schema: { type: "string" },
      execute: () => ["red"],
    });
    expect(options).toEqual({
      name: "Colors",
      description: "A property options function for Colors",
      parameters: [],
      resultType: 2,
      schema: { type: "array", items: { type: "string" } },
      connectionRequirement: "optional",
      execute: expect.any(Function),
    });
    expect(await options.execute([], context)).toEqual(["red"]);
  });
});
