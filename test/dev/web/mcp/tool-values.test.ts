import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeTool } from "../../../../src/dev/mcp/describe-tool.ts";
import {
  initialToolValues,
  parseObject,
  readToolArguments,
  withOtherFields,
  writeToolValues,
} from "../../../../src/dev/web/mcp/tool-values.ts";

const { fields } = describeTool({
  name: "tool",
  inputSchema: {
    properties: {
      text: { type: "string" },
      count: { type: "number", default: 3 },
      flag: { type: "boolean" },
      status: { enum: ["open", 1, null] },
      list: { type: "array", items: { type: "string" } },
    },
    required: ["text", "count"],
  },
});

describe("the arguments of a tool in a form", () => {
  it("are sent with the types of the schema, and left out where a field is empty", () => {
    const values = { text: "007", count: " 1e3 ", flag: "false", status: "", list: '["a"]' };
    expect(readToolArguments(fields, values)).toEqual({
      value: { text: "007", count: 1_000, flag: false, list: ["a"] },
      problems: new Map(),
    });
  });

  it("are refused with the field that is wrong or required, and only that one", () => {
    expect(readToolArguments(fields, { text: "", count: "many", flag: "true", list: "[" })).toEqual(
      {
        value: { flag: true },
        problems: new Map([
          ["text", "Enter a value for text."],
          ["count", "This is not a number."],
          ["list", "This is not valid JSON."],
        ]),
      },
    );
    for (const count of ["Infinity", "NaN", " "])
      expect([...readToolArguments(fields, { text: "a", count }).problems.keys()]).toEqual([
        "count",
      ]);
  });

  it("begin with the defaults of those that the server demands", () => {
    expect(initialToolValues(fields)).toEqual({ count: "3" });
  });

  it("that the schema does not name get fields of their own", () => {
    const values = writeToolValues(fields, { text: "a", count: 1, extra: { deep: [1] } });
    const all = withOtherFields(fields, values);
    expect(all.slice(fields.length)).toMatchObject([
      { name: "extra", kind: "json", isRequired: false },
    ]);
    expect(readToolArguments(all, values).value).toEqual({
      text: "a",
      count: 1,
      extra: { deep: [1] },
    });
  });

  it("stay the same from JSON to the form and back, whatever they are", () => {
    const own = fc.string({ minLength: 1 });
    const args = fc.record(
      {
        text: own,
        count: fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .map((number) => (number === 0 ? 0 : number)),
        flag: fc.boolean(),
        status: fc.constantFrom("open", 1, null),
        list: fc.array(fc.string()),
        other: fc.jsonValue(),
      },
      { requiredKeys: ["text", "count"] },
    );
    fc.assert(
      fc.property(args, (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        const values = writeToolValues(fields, value);
        const { value: sent, problems } = readToolArguments(
          withOtherFields(fields, values),
          values,
        );
        expect([JSON.parse(JSON.stringify(sent)), problems.size]).toEqual([value, 0]);
      }),
    );
  });

  it("as JSON are one object", () => {
    expect(parseObject(' {"a": 1} ')).toEqual({ a: 1 });
    expect(parseObject("")).toEqual({});
    for (const text of ["[]", "null", "1", "{", '"{}"']) expect(parseObject(text)).toBeUndefined();
  });
});
