import { describe, expect, it } from "vitest";
import { planShape, type ShapePlan } from "../../../src/init/openapi/shape-plan.ts";
import type { Shape } from "../../../src/init/openapi/shapes.ts";

const known = (shape: Shape): ShapePlan => ({ is: "known", shape });
const text = known({ kind: "text", hint: undefined, choices: undefined });
const a = { type: "string", description: "a" };
const b = { type: "number" };

describe("the plan for a schema", () => {
  it.each<[string, unknown, ShapePlan]>([
    ["is a text", { type: "string" }, text],
    [
      "is a text of a format",
      { type: "string", format: "uri" },
      known({ kind: "text", hint: "Url", choices: undefined }),
    ],
    [
      "is a text without a hint for a format of another name",
      { type: "string", format: "constructor" },
      text,
    ],
    [
      "is a text for a list of texts",
      { enum: ["x", "", "x"] },
      known({ kind: "text", hint: undefined, choices: ["x"] }),
    ],
    ["is a text for a constant", { const: "x" }, text],
    [
      "is a number with choices",
      { type: "integer", enum: [1, "2", null] },
      known({ kind: "number", choices: [1] }),
    ],
    ["is a boolean", { type: "boolean" }, known({ kind: "boolean" })],
    ["is the type next to null", { type: ["string", "null"] }, text],
    ["is unknown for several types", { type: ["string", "number"] }, known({ kind: "unknown" })],
    ["is unknown for `true`", true, known({ kind: "unknown" })],
    ["is unknown without a type", {}, known({ kind: "unknown" })],
    ["is a list", { type: "array", items: a }, { is: "list", items: a }],
    ["is a list if there are only items", { items: a }, { is: "list", items: a }],
    [
      "is an object if there are only properties",
      { properties: { a }, required: ["a"] },
      { is: "object", properties: [["a", a]], required: ["a"] },
    ],
    [
      "is an object without members",
      { additionalProperties: {} },
      { is: "object", properties: [], required: [] },
    ],
    [
      "merges the parts of `allOf` that say something, and all that they require",
      { allOf: [a, { required: ["b"] }], required: ["c"] },
      { is: "merged", parts: [a], required: new Set(["c", "b"]) },
    ],
    [
      "merges members next to `allOf`",
      { allOf: [a], properties: { b } },
      { is: "merged", parts: [{ allOf: undefined, properties: { b } }, a], required: new Set() },
    ],
    ["is the same as an only choice", { oneOf: [a, { type: "null" }] }, { is: "same", schema: a }],
    [
      "unites choices",
      { oneOf: [a], anyOf: [b, { enum: [null] }] },
      { is: "united", choices: [a, b] },
    ],
    [
      "unites members next to an only choice with it",
      { anyOf: [a], properties: { b } },
      {
        is: "united",
        choices: [{ oneOf: undefined, anyOf: undefined, properties: { b } }, a],
      },
    ],
  ])("%s", (_, schema, plan) => {
    expect(planShape(schema).plan).toEqual(plan);
  });

  it("has the properties of an object under any name", () => {
    const schema = JSON.parse(
      '{ "type": "object", "properties": { "__proto__": { "type": "string" } } }',
    );

    expect(planShape(schema).plan).toMatchObject({
      is: "object",
      properties: [["__proto__", { type: "string" }]],
    });
  });

  it.each([
    ["nullable: true", { type: "string", nullable: true }, true],
    ["x-nullable: true", { type: "string", "x-nullable": true }, true],
    ["null among its types", { type: ["string", "null"] }, true],
    ["null among its choices", { oneOf: [a, { type: "null" }] }, true],
    ["one type", { type: "string" }, false],
    ["two choices", { oneOf: [a, b] }, false],
  ])("with %s says if the schema is nullable", (_, schema, isNullable) => {
    expect(planShape(schema).isNullable).toBe(isNullable);
  });
});
