import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareArguments } from "../../src/execute/arguments.ts";

type Declared = { name: string; type: string; optional?: boolean };
const formula = (parameters: Declared[], varargParameters: Declared[] = []) => ({ parameters, varargParameters });
const one = (type: string, optional = false) => formula([{ name: "value", type, optional }]);
const codeOf = (run: () => unknown): unknown => {
  try {
    return { value: run() };
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe("prepareArguments from text", () => {
  it.each([
    ["string", "text", "text"],
    ["string", "", ""],
    ["string", "12", "12"],
    ["html", "<b>", "<b>"],
    ["number", "12.5", 12.5],
    ["number", "-1e3", -1000],
    ["boolean", "TRUE", true],
    ["boolean", "False", false],
    ["date", "2026-01-31", new Date("2026-01-31")],
    ["stringArray", "a, b\\,c,d", ["a", "b,c", "d"]],
    ["stringArray", `["a,b", "c"]`, ["a,b", "c"]],
    ["stringArray", "", []],
    ["numberArray", "1, 2", [1, 2]],
    ["sparseNumberArray", "1,,2", [1, undefined, 2]],
    ["sparseBooleanArray", "[true, null]", [true, undefined]],
    ["dateArray", `["2026-01-31"]`, [new Date("2026-01-31")]],
    ["sparseStringArray", "a\\\\,,b", ["a\\", undefined, "b"]],
  ])("reads a %s from %j", (type, text, expected) => {
    expect(prepareArguments(one(type), { text: [text] })).toEqual([expected]);
  });

  it.each([
    ["number", ""],
    ["number", "twelve"],
    ["number", "Infinity"],
    ["boolean", "yes"],
    ["boolean", ""],
    ["date", "soon"],
    ["date", "1"],
    ["numberArray", "1,,2"],
    ["numberArray", "[1, null]"],
    ["numberArray", `["1"]`],
    ["stringArray", "[1"],
  ])("refuses a %s from %j", (type, text) => {
    expect(codeOf(() => prepareArguments(one(type), { text: [text] }))).toBe("ARGUMENT_TYPE");
  });

  it("leaves an optional argument out with a dash, in the middle too", () => {
    const declared = formula([
      { name: "a", type: "number", optional: true },
      { name: "b", type: "string", optional: true },
    ]);
    expect(prepareArguments(declared, { text: ["-", "x"] })).toEqual([undefined, "x"]);
    expect(prepareArguments(one("string"), { text: ["-"] })).toEqual(["-"]);
  });

  it("gives back any list of texts that was escaped", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((text) => text.trim() === text),
          { minLength: 1 },
        ),
        (texts) => {
          const escaped = texts.map((text) => text.replace(/[\\,]/g, "\\$&")).join(",");
          fc.pre(!escaped.startsWith("["));
          expect(prepareArguments(one("stringArray"), { text: [escaped] })).toEqual([texts]);
        },
      ),
    );
  });
});

describe("prepareArguments from values", () => {
  it.each([
    ["string", 1],
    ["string", 0],
    ["string", false],
    ["string", null],
    ["number", "1"],
    ["number", Number.NaN],
    ["number", false],
    ["boolean", 0],
    ["date", "2026-01-31"],
    ["date", new Date(Number.NaN)],
    ["stringArray", "a"],
    ["stringArray", ["a", undefined]],
    ["string", undefined],
  ])("refuses a %s that is %j", (type, value) => {
    expect(codeOf(() => prepareArguments(one(type), [value]))).toBe("ARGUMENT_TYPE");
  });

  it("counts required, optional and repeated arguments", () => {
    const declared = formula(
      [
        { name: "first", type: "string" },
        { name: "second", type: "string", optional: true },
      ],
      [
        { name: "key", type: "string" },
        { name: "count", type: "number" },
      ],
    );
    expect(codeOf(() => prepareArguments(declared, []))).toBe("ARGUMENT_COUNT");
    expect(prepareArguments(declared, ["a"])).toEqual(["a"]);
    expect(prepareArguments(declared, ["a", "b", "k", 1, "l", 2])).toEqual(["a", "b", "k", 1, "l", 2]);
    expect(codeOf(() => prepareArguments(declared, ["a", "b", "k"]))).toBe("ARGUMENT_COUNT");
    expect(codeOf(() => prepareArguments(declared, ["a", "b", "k", "l"]))).toBe("ARGUMENT_TYPE");
    expect(codeOf(() => prepareArguments(one("string"), ["a", "b"]))).toBe("ARGUMENT_COUNT");
  });

  it("says what to give", () => {
    expect(() => prepareArguments(one("string", true), ["a", "b"])).toThrowErrorMatchingInlineSnapshot(
      `[PackError: The formula takes 0 to 1 arguments, not 2.]`,
    );
    expect(() => prepareArguments(one("number"), { text: ["ten"] })).toThrowErrorMatchingInlineSnapshot(
      `[PackError: The argument value must be a number, not "ten".]`,
    );
  });
});
