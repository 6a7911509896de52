import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PrecannedDate, PrecannedDateRange } from "../../../src/define/enumerations.ts";
import { prepareArguments } from "../../../src/execute/arguments/arguments.ts";

type Declared = { name: string; type: string; optional?: boolean };
const formula = (parameters: Declared[], varargParameters: Declared[] = []) => ({
  parameters,
  varargParameters,
});
const one = (type: string, optional = false) => formula([{ name: "value", type, optional }]);
const catchCode = (run: () => unknown): unknown => {
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
    ["stringArray", "a,,b"],
    ["date", "last_7_days"],
    ["dateArray", "sometime"],
  ])("refuses a %s from %j", (type, text) => {
    expect(catchCode(() => prepareArguments(one(type), { text: [text] }))).toBe("ARGUMENT_TYPE");
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

describe("prepareArguments with names", () => {
  const declared = formula([
    { name: "list", type: "string" },
    { name: "limit", type: "number", optional: true },
    { name: "due", type: "boolean", optional: true },
  ]);

  it("puts a named argument at its place, and leaves those between out", () => {
    expect(prepareArguments(declared, { text: ["inbox"], named: { due: "true" } })).toEqual([
      "inbox",
      undefined,
      true,
    ]);
    expect(prepareArguments(declared, { text: ["5"], named: { list: "inbox" } })).toEqual([
      "inbox",
      5,
    ]);
    expect(prepareArguments(declared, { text: [], named: { list: "inbox" } })).toEqual(["inbox"]);
  });

  it("refuses a name that no parameter has, and a missing argument", () => {
    expect(() => prepareArguments(declared, { text: [], named: { lst: "x" } })).toThrow(
      "The formula has no parameter named lst.",
    );
    expect(catchCode(() => prepareArguments(declared, { text: [], named: { due: "true" } }))).toBe(
      "ARGUMENT_TYPE",
    );
    expect(
      catchCode(() =>
        prepareArguments(declared, { text: ["a", "1", "true"], named: { due: "true" } }),
      ),
    ).toBe("ARGUMENT_COUNT");
  });
});

describe("prepareArguments with dates", () => {
  const clock = { now: () => Date.parse("2026-03-29T10:00:00Z"), timezone: "Europe/Berlin" };
  const parseDate = (type: string, text: string) =>
    prepareArguments(one(type), { text: [text] }, clock)[0];

  it("reads a date without a zone in the document's time", () => {
    expect(parseDate("date", "2026-01-31")).toEqual(new Date("2026-01-30T23:00:00Z"));
    expect(parseDate("date", "2026-07-01T12:30")).toEqual(new Date("2026-07-01T10:30:00Z"));
    expect(parseDate("date", "2026-07-01T12:30:00Z")).toEqual(new Date("2026-07-01T12:30:00Z"));
    expect(parseDate("dateArray", "2026-01-31, 2026-02-01")).toEqual([
      new Date("2026-01-30T23:00:00Z"),
      new Date("2026-01-31T23:00:00Z"),
    ]);
  });

  it.each(Object.values(PrecannedDate))("reads the day %s", (word) => {
    const days = Math.round(
      ((parseDate("date", word) as Date).getTime() - Date.parse("2026-03-28T23:00:00Z")) /
        86_400_000,
    );
    const count = Number(/^\d+/.exec(word)?.[0] ?? 1);
    expect(days).toBe(
      word === "today" ? 0 : word.endsWith("ago") || word === "yesterday" ? -count : count,
    );
  });

  it.each(Object.values(PrecannedDateRange))("reads the span of days %s", (word) => {
    const [from, to] = parseDate("dateArray", word) as [Date, Date];
    expect(from.getTime()).toBeLessThan(to.getTime());
    expect((to.getTime() + 1) % 3_600_000).toBe(0);
  });

  it("counts spans from the document's day, over a change of the clocks", () => {
    const texts = (word: string) =>
      (parseDate("dateArray", word) as Date[]).map((date) => date.toISOString().slice(0, 16));
    expect(texts("today")).toEqual(["2026-03-28T23:00", "2026-03-29T21:59"]);
    expect(texts("this_week")).toEqual(["2026-03-22T23:00", "2026-03-29T21:59"]);
    expect(texts("last_month")).toEqual(["2026-01-31T23:00", "2026-02-28T22:59"]);
    expect(texts("last_3_months")).toEqual(["2025-11-30T23:00", "2026-02-28T22:59"]);
    expect(texts("next_6_months")).toEqual(["2026-03-31T22:00", "2026-09-30T21:59"]);
    expect(texts("year_to_date")).toEqual(["2025-12-31T23:00", "2026-03-29T21:59"]);
    expect(texts("last_7_and_next_7_days")).toEqual(["2026-03-21T23:00", "2026-04-05T21:59"]);
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
    expect(catchCode(() => prepareArguments(one(type), [value]))).toBe("ARGUMENT_TYPE");
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
    expect(catchCode(() => prepareArguments(declared, []))).toBe("ARGUMENT_COUNT");
    expect(prepareArguments(declared, ["a"])).toEqual(["a"]);
    expect(prepareArguments(declared, ["a", "b", "k", 1, "l", 2])).toEqual([
      "a",
      "b",
      "k",
      1,
      "l",
      2,
    ]);
    expect(catchCode(() => prepareArguments(declared, ["a", "b", "k"]))).toBe("ARGUMENT_COUNT");
    expect(catchCode(() => prepareArguments(declared, ["a", "b", "k", "l"]))).toBe("ARGUMENT_TYPE");
    expect(catchCode(() => prepareArguments(one("string"), ["a", "b"]))).toBe("ARGUMENT_COUNT");
  });

  it("says what to give", () => {
    expect(() =>
      prepareArguments(one("string", true), ["a", "b"]),
    ).toThrowErrorMatchingInlineSnapshot(`[PackError: The formula takes 0 to 1 arguments, not 2.]`);
    expect(() =>
      prepareArguments(one("number"), { text: ["ten"] }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[PackError: The argument value must be a number, not "ten".]`,
    );
  });
});
