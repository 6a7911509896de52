import { describe, expect, it } from "vitest";
import {
  normalizeResult,
  normalizeRows,
  normalizeUpdatedRow,
} from "../../../src/execute/results/result.ts";

const check = (declared: object, value: unknown): unknown => {
  try {
    return {
      value: normalizeResult({ name: "Run", resultType: "string", ...declared } as never, value),
    };
  } catch (error) {
    const { code, details } = error as { code: string; details: { path: string } };
    return `${code} ${details.path}`;
  }
};
const hint = (type: string, codaType: string, more = {}) => ({
  resultType: type,
  schema: { type, codaType, ...more },
});
/** The same as the type of a member. */
const member = (type: string, codaType: string, more = {}) => ({
  resultType: "object",
  schema: { type: "object", properties: { a: { type, codaType, ...more } } },
});
const task = {
  type: "object",
  idProperty: "Id",
  properties: {
    Id: { type: "number", fromKey: "id", required: true },
    Title: { type: "string", fromKey: "task_title" },
    Due: { type: "string", codaType: "date" },
    Tags: { type: "array", items: { type: "string" } },
  },
};
/** An object with a required object in it. */
function nested(more: object = {}): object {
  const properties = { a: { type: "string", ...more } };
  return { type: "object", properties: { More: { type: "object", properties, required: true } } };
}
const person = {
  type: "object",
  codaType: "person",
  id: "mail",
  properties: { mail: { type: "string" }, Name: { type: "string" } },
};
const PERSON_RESULT = { resultType: "object", schema: person };
const plain = { type: "object", properties: { a: { type: "string" } } };
/** An object with a list of objects in it. */
const listed = { type: "object", properties: { More: { type: "array", items: plain } } };

describe("normalizeResult", () => {
  it.each([
    ["a string", { resultType: "string" }, ""],
    ["zero", { resultType: "number" }, 0],
    ["false", { resultType: "boolean" }, false],
    ["null", { resultType: "object", schema: plain }, null],
    ["the numeric form of a type", { resultType: 1 }, 5],
    [
      "the form of an array type",
      { resultType: { type: "array", items: 0 }, items: { type: "string" } },
      ["a", ""],
    ],
    ["NaN", { resultType: "number" }, Number.NaN],
    [
      "an infinite number in a list",
      { resultType: "array", items: { type: "number" } },
      [Number.POSITIVE_INFINITY, Number.NaN],
    ],
    ["null for an object in a list", { resultType: "array", items: plain }, [null, { a: "b" }]],
    [
      "a person that a formula returns, without a look at its address",
      PERSON_RESULT,
      { mail: "ada" },
    ],
    [
      "other members of a person, whatever their type",
      { resultType: "array", items: person },
      [{ mail: "ada@mail.example", Name: 5 }],
    ],
    [
      "a property whose key belongs to another one",
      {
        resultType: "object",
        schema: {
          type: "object",
          properties: { A: { type: "number" }, Other: { type: "string", fromKey: "A" } },
        },
      },
      { A: "text" },
    ],
    ["a URL of which only the scheme is right", member("string", "url"), { a: " HTTPS://a b" }],
    ["a slider above a maximum of zero", member("number", "slider", { maximum: 0 }), { a: 5 }],
    [
      "an object with the author's keys and one more",
      { resultType: "object", schema: task },
      { id: 0, task_title: "x", extra: true },
    ],
    ["objects in an array", { resultType: "array", items: task }, [{ id: 1, Tags: ["a"] }]],
    ["an e-mail", hint("string", "email"), "ada@mail.example"],
    ["a data URL", hint("string", "image"), "data:image/png;base64,AA"],
    ["a slider at its limit", hint("number", "slider", { minimum: 2, maximum: 5 }), 5],
    ["a slider whose limit is formula text", hint("number", "slider", { maximum: "[Max]" }), 99],
    ["a slider whose minimum is formula text", hint("number", "slider", { minimum: "[Min]" }), -1],
    ["a date as a number of seconds", hint("string", "date"), 86_400],
    [
      "members that count as no value, whatever their type",
      { resultType: "object", schema: task },
      { id: 0, task_title: 0, Due: "", Tags: false },
    ],
    [
      "a member that is another object",
      {
        resultType: "object",
        schema: { type: "object", properties: { More: { type: "object", properties: {} } } },
      },
      { More: { a: 1 } },
    ],
    ["a required object that is null", { resultType: "object", schema: nested() }, { More: null }],
    [
      "a required member by its name in the schema",
      { resultType: "object", schema: task },
      { Id: 1 },
    ],
    ["a list for an object without properties", { resultType: "object" }, [1]],
    [
      "a renamed member of another type in a list of lists",
      { resultType: "array", items: { type: "array", items: plain } },
      [[{ a: 5 }]],
    ],
  ])("accepts %s", (_, declared, value) => {
    expect(check(declared, value)).toEqual({ value });
  });

  it.each([
    ["nothing", { resultType: "string" }, undefined, "result"],
    ["zero for a string", { resultType: "string" }, 0, "result"],
    ["false for a number", { resultType: "number" }, false, "result"],
    ["null for a string", { resultType: "string" }, null, "result"],
    ["null for a list", { resultType: "array", items: task }, null, "result"],
    [
      "null in a list of strings",
      { resultType: "array", items: { type: "string" } },
      ["a", null],
      "result[1]",
    ],
    [
      "null for an object with a required member",
      { resultType: "object", schema: task },
      null,
      "result",
    ],
    [
      "a list in place of an object with a required member",
      {
        resultType: "object",
        schema: {
          type: "object",
          properties: {
            More: { type: "object", properties: { a: { type: "string", required: true } } },
          },
        },
      },
      { More: [] },
      "result.More",
    ],
    [
      "a member of another type, by its compiled name",
      { resultType: "object", schema: plain },
      { A: 5 },
      "result.A",
    ],
    [
      "a wrong value that two properties share",
      {
        resultType: "object",
        schema: {
          type: "object",
          properties: {
            One: { type: "string", fromKey: "x" },
            Two: { type: "number", fromKey: "x" },
          },
        },
      },
      { x: "text" },
      "result.x",
    ],
    ["a string for an array", { resultType: "array", items: { type: "string" } }, "abc", "result"],
    ["an array for an object", { resultType: "object", schema: task }, [], "result"],
    [
      "a missing required member",
      { resultType: "array", items: task },
      [{ id: 1 }, { Title: "x" }],
      "result[1].id",
    ],
    [
      "a required member that is null",
      { resultType: "object", schema: task },
      { id: null },
      "result.id",
    ],
    [
      "a member of another type, by the author's key",
      { resultType: "object", schema: task },
      { id: 1, task_title: 5 },
      "result.task_title",
    ],
    [
      "a wrong item deep inside",
      { resultType: "object", schema: task },
      { id: 1, Tags: ["a", 0] },
      "result.Tags[1]",
    ],
    [
      "a date that cannot be read",
      { resultType: "object", schema: task },
      { id: 1, Due: "soon" },
      "result.Due",
    ],
    [
      "a required object that is null and has a required member",
      { resultType: "object", schema: nested({ required: true }) },
      { More: null },
      "result.More",
    ],
    [
      "text in a list of objects with a required member",
      { resultType: "array", items: task },
      [{ id: 1 }, "text"],
      "result[1]",
    ],
    [
      "text for an object",
      { resultType: "object", schema: nested() },
      { More: "text" },
      "result.More",
    ],
    [
      "text for an object in a list of lists",
      { resultType: "array", items: { type: "array", items: nested() } },
      [[], [{ More: {} }, "text"]],
      "result[1][1]",
    ],
    [
      "a wrong item in a list of lists",
      { resultType: "array", items: { type: "array", items: { type: "string" } } },
      [["a"], ["b", 5]],
      "result[1][1]",
    ],
    ["a non-e-mail", member("string", "email"), { a: "ada" }, "result.a"],
    ["an http URL", member("string", "url"), { a: "http://a.example/" }, "result.a"],
    ["a slider below its minimum", member("number", "slider"), { a: -1 }, "result.a"],
    ["a progress bar below zero", member("number", "progressBar"), { a: -1 }, "result.a"],
    ["a broken scale", member("number", "scale", { maximum: 5 }), { a: 2.5 }, "result.a"],
    ["a Date without a date hint", { resultType: "string" }, new Date(0), "result"],
    ["an invalid Date", hint("string", "date"), new Date(Number.NaN), "result"],
    [
      "an empty id",
      {
        resultType: "object",
        schema: { type: "object", idProperty: "id", properties: { id: { type: "string" } } },
      },
      { id: "" },
      "result.id",
    ],
    [
      "a person without an e-mail",
      { resultType: "array", items: person },
      [{ mail: "ada" }],
      "result[0].mail",
    ],
    [
      "null for a person",
      { resultType: "object", schema: { type: "object", properties: { Owner: person } } },
      { Owner: null },
      "result.Owner",
    ],
  ])("refuses %s", (_, declared, value, path) => {
    expect(check(declared, value)).toBe(`RESULT_INVALID ${path}`);
  });

  it.each([
    ["text in a list", { resultType: "array", items: plain }, ["a", {}], [{}, {}], "[0]"],
    ["a list for an object", { resultType: "object", schema: listed }, [5], {}, ""],
    [
      "a list for a member that is an object",
      { resultType: "object", schema: nested() },
      { More: [] },
      { More: {} },
      ".More",
    ],
    ["a Date in a list", { resultType: "object", schema: listed }, { More: [new Date(0)] }],
    ["bytes in a list", { resultType: "object", schema: listed }, { More: [new Uint8Array(2)] }],
    [
      "a list in a list of lists",
      { resultType: "array", items: { type: "array", items: plain } },
      [[{ a: "b" }], [{ a: "b" }, []]],
      [[{ a: "b" }], [{ a: "b" }, {}]],
      "[1][1]",
    ],
  ] as const)(
    "makes an empty object of %s, with one warning",
    (_, declared, value, ...expected) => {
      const [result = { More: [{}] }, path = ".More[0]"] = expected;
      const warnings: string[] = [];
      const formula = { name: "Run", ...declared } as never;
      expect(normalizeResult(formula, value, (message) => warnings.push(message))).toEqual(result);
      expect(warnings).toEqual([
        expect.stringMatching(
          / must be an object, not .+\. packsmith replaces the value with an empty object\.$/,
        ),
      ]);
      expect(warnings[0]?.split(" ", 1)).toEqual([`result${path}`]);
    },
  );

  it("makes empty objects of rows that are text, and warns about the first", () => {
    const warnings: string[] = [];
    const rows = normalizeRows([{ a: "b" }, "a", 5], plain, "result", (message) =>
      warnings.push(message),
    );
    expect(rows).toEqual([{ a: "b" }, {}, {}]);
    expect(warnings).toEqual([
      "result[1] must be an object, not a string. packsmith replaces the value with an empty object.",
    ]);
  });

  it("refuses a list in place of the row that an update returns", () => {
    const update = () => normalizeUpdatedRow([], task, "result");
    expect(update).toThrow("result must be an object, not an array.");
  });

  it("turns a Date into text, or into seconds for a number", () => {
    expect(check(hint("string", "datetime"), new Date(0))).toEqual({
      value: "1970-01-01T00:00:00.000Z",
    });
    expect(check(hint("number", "date"), new Date(86_400_000))).toEqual({ value: 86_400 });
  });

  it("keeps a member named __proto__ as a member", () => {
    const value = JSON.parse(`{"id":1,"__proto__":{"x":1}}`);
    expect(
      Object.keys(
        (check({ resultType: "object", schema: task }, value) as { value: object }).value,
      ),
    ).toEqual(["id", "__proto__"]);
  });

  it("does not check the value hint of a formula's own text or number, as the published check", () => {
    for (const [declared, value] of [
      [hint("string", "email"), ""],
      [hint("string", "url"), "http://a.example/"],
      [hint("string", "date"), "soon"],
      [hint("number", "slider"), -1],
    ] as const)
      expect(check(declared, value)).toEqual({ value });
  });

  it("looks at a long text with an e-mail hint in no time", () => {
    const formula = { name: "Mail", ...member("string", "email") } as never;
    expect(() => normalizeResult(formula, { a: `a@${".".repeat(5_000_000)}@` })).toThrow(
      "is not a valid email address",
    );
  });

  it("leaves the value that it was given as it is", () => {
    const value = { due: new Date(0), more: [undefined, {}] };
    const schema = {
      type: "object",
      properties: {
        due: { type: "string", codaType: "date" },
        more: { type: "array", items: plain },
      },
    } as never;
    expect(normalizeResult({ name: "Get", resultType: "object", schema }, value)).toEqual({
      due: "1970-01-01T00:00:00.000Z",
      more: [null, {}],
    });
    expect(value).toEqual({ due: new Date(0), more: [undefined, {}] });
  });
});
