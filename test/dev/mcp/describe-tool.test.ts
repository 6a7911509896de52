import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeTool } from "../../../src/dev/mcp/describe-tool.ts";

/** The only field of a tool with this schema for its argument. */
function describeField(property: unknown, root: object = {}) {
  return describeTool({
    name: "tool",
    inputSchema: { ...root, properties: { argument: property } },
  }).fields[0];
}

describe("a tool of an MCP server", () => {
  it.each([
    ["text", { type: "string" }, { kind: "text", type: "string", options: [] }],
    [
      "text with a format",
      { type: "string", format: "date-time" },
      { kind: "text", type: "date-time" },
    ],
    [
      "text that may be absent",
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { kind: "text", type: "string" },
    ],
    ["text or null in one type", { type: ["string", "null"] }, { kind: "text", type: "string" }],
    [
      "a whole number with a default",
      { type: "integer", default: 0 },
      { kind: "number", type: "integer", fallback: "0" },
    ],
    [
      "a boolean",
      { type: "boolean" },
      { kind: "choice", type: "boolean", options: ["true", "false"] },
    ],
    [
      "texts to choose from",
      { type: "string", enum: ["open", "done"] },
      { kind: "choice", options: ['"open"', '"done"'] },
    ],
    [
      "values of several types to choose from",
      { enum: [1, "1", null] },
      { kind: "choice", type: "JSON", options: ["1", '"1"', "null"] },
    ],
    ["one value", { const: "fixed" }, { kind: "choice", options: ['"fixed"'] }],
    [
      "a list",
      { type: "array", items: { type: "integer" } },
      { kind: "json", type: "integer list" },
    ],
    ["an object", { type: "object" }, { kind: "json", type: "object" }],
    ["text or a number", { type: ["string", "number"] }, { kind: "json", type: "JSON" }],
    ["anything", true, { kind: "json", type: "JSON" }],
  ])("has a field for %s", (_name, property, expected) => {
    expect(describeField(property)).toMatchObject({
      name: "argument",
      isRequired: false,
      ...expected,
    });
  });

  it("has a field for a definition that another one refers to, with the nearer description", () => {
    const $defs = {
      "a/b": { enum: ["x"], description: "Of all." },
      loop: { $ref: "#/$defs/loop" },
    };
    expect(
      describeField({ $ref: "#/$defs/a~1b", description: "Of this one." }, { $defs }),
    ).toMatchObject({
      kind: "choice",
      options: ['"x"'],
      description: "Of this one.",
    });
    expect(describeField({ $ref: "#/$defs/a~1b" }, { $defs })).toMatchObject({
      description: "Of all.",
    });
    for (const $ref of [
      "#/$defs/loop",
      "#/$defs/none",
      "#/constructor/name",
      "https://elsewhere.example/schema",
    ])
      expect(describeField({ $ref }, { $defs })).toMatchObject({ kind: "json", type: "JSON" });
  });

  it("keeps the order of its arguments, and marks the required ones", () => {
    const inputSchema = { properties: { second: {}, first: {} }, required: ["first", "none"] };
    expect(
      describeTool({ name: "tool", inputSchema }).fields.map(({ name, isRequired }) => [
        name,
        isRequired,
      ]),
    ).toEqual([
      ["second", false],
      ["first", true],
    ]);
  });

  it("says about its effects only what the server says", () => {
    const readEffect = (annotations?: unknown) =>
      describeTool({ name: "tool", annotations }).effect;
    expect([
      readEffect(),
      readEffect({}),
      readEffect({ readOnlyHint: "true" }),
      readEffect("read-only"),
    ]).toEqual(Array(4).fill(undefined));
    expect(readEffect({ readOnlyHint: true, destructiveHint: true })).toBe("reads");
    expect(readEffect({ destructiveHint: true })).toBe("deletes");
  });

  it("is described whatever the server sends", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "required",
      "enum",
      "const",
      "anyOf",
      "$ref",
      "items",
      "default",
      "title",
    );
    const schema = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue(),
        fc.dictionary(keyword, tie("any")),
        fc.array(tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(schema, schema, (inputSchema, annotations) => {
        const { fields } = describeTool({ name: "tool", annotations, inputSchema });
        for (const field of fields)
          for (const option of field.options) expect(() => JSON.parse(option)).not.toThrow();
      }),
      { numRuns: 40 },
    );
  });
});
