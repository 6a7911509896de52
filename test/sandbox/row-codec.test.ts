import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonSafeCheck } from "../../src/sandbox/json-safe.ts";
import { createRowEncoder, decodeRows, TEXT_SEPARATOR } from "../../src/sandbox/row-codec.ts";

const encodeRows = createRowEncoder(createJsonSafeCheck(), TEXT_SEPARATOR);
const write = (rows: readonly unknown[], maxLength = 1_000_000) => encodeRows(rows, maxLength)?.text;

function travel(rows: readonly unknown[]): unknown[] | undefined {
  const [json, ...texts] = write(rows)?.split(TEXT_SEPARATOR) ?? [];
  return json === undefined ? undefined : decodeRows(JSON.parse(json).tables, texts);
}

const cell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", '"$"', "\n", "null", null, undefined, true, false),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.date({ noInvalidDate: false }),
  fc.array(fc.oneof(fc.string(), fc.integer())),
  fc.string().map((text) => ({ text, inner: { done: true } })),
);
const name = fc
  .oneof(fc.string(), fc.constantFrom("id", "$", "constructor", "toString", "10", "length"))
  .filter((text) => text !== "__proto__");

describe("rows in tables", () => {
  it("are the same rows, in the order of their members", () => {
    const alike = fc
      .uniqueArray(name, { minLength: 1, maxLength: 5 })
      .chain((names) =>
        fc.array(fc.tuple(...names.map(() => cell)).map((cells) => Object.fromEntries(names.map((key, at) => [key, cells[at]])))),
      );
    fc.assert(
      fc.property(fc.array(alike, { maxLength: 5 }), (groups) => {
        const rows = groups.flat();
        const read = travel(rows);
        // A text with the separator in it is rare, and not for this form.
        if (read === undefined) return;
        expect(isDeepStrictEqual(read, rows)).toBe(true);
        expect(read.map((row) => Object.keys(row as object))).toEqual(rows.map((row) => Object.keys(row)));
      }),
    );
  });

  it("write the names of their members once", () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ identification: `row ${at}`, done: true }));
    expect(write(rows)?.split("identification")).toHaveLength(2);
  });

  it("may have members that others do not have", () => {
    const rows = [{ id: "a" }, { id: "b", due: "today" }, { id: "c", due: undefined }, { due: null, id: "d" }];
    expect(travel(rows)).toStrictEqual(rows);
  });

  it.each<[string, unknown[]]>([
    ["no rows", []],
    ["rows without members", [{}, {}]],
    ["a row that is text", [{ id: "a" }, "b"]],
    ["a row that is a list", [["a"], ["b"]]],
    ["a missing row", [{ id: "a" }, undefined]],
    [
      "a row of a class",
      [
        new (class Row {
          id = "a";
        })(),
      ],
    ],
    ["a row that writes itself", [{ id: "a", toJSON: () => 1 }]],
    ["a date inside", [{ id: [new Date(0)] }]],
    ["what pretends to be a date", [{ id: Object.create({ [Symbol.toStringTag]: "Date" }) }]],
    ["a number that is none", [{ id: Number.NaN }]],
    ["minus zero", [{ id: -0 }]],
    ["a tagged value inside", [{ id: { $: "date" } }]],
    ["a function", [{ id: () => 1 }]],
    ["a symbol", [{ id: Symbol("x") }]],
    ["a bigint", [{ id: 1n }]],
    ["a member named __proto__", [JSON.parse('{"__proto__":1}')]],
    [
      "a getter that throws",
      [
        {
          get id() {
            throw new Error("no");
          },
        },
      ],
    ],
    ["a text with the separator", [{ id: `a${TEXT_SEPARATOR}b` }]],
    ["rows that all differ", Array.from({ length: 100 }, (_, at) => ({ [`member${at}`]: 1 }))],
    [
      "a cycle",
      [
        (() => {
          const row: { self?: unknown } = {};
          row.self = row;
          return row;
        })(),
      ],
    ],
  ])("are not for %s", (_, rows) => {
    expect(write(rows)).toBeUndefined();
  });

  it("are not for more than is allowed, in objects", () => {
    const rows = Array.from({ length: 100 }, () => ({ identification: "x" }));
    expect(write(rows, JSON.stringify(rows).length)).toBeDefined();
    expect(write(rows, JSON.stringify(rows).length - 200)).toBeUndefined();
  });

  it("are not read when somebody else wrote them", () => {
    const table = { count: 2, names: ["id"], columns: [{ values: ["a", "b"] }] };
    expect(decodeRows([table], [])).toEqual([{ id: "a" }, { id: "b" }]);
    for (const wrong of [
      { ...table, count: 3 },
      { ...table, count: -1 },
      { ...table, count: 1e9, columns: [{ values: null }] },
      { ...table, count: "2" },
      { ...table, names: [] },
      { ...table, names: ["__proto__"] },
      { ...table, names: [1] },
      { ...table, names: ["id", "more"] },
      { ...table, columns: [{ values: null }] },
      { ...table, columns: [null] },
      { ...table, columns: [{}] },
      { ...table, columns: [{ values: "ab" }] },
      { ...table, columns: [{ values: ["a", "b"], missing: 1 }] },
      null,
    ])
      expect(() => decodeRows([wrong], ["a"])).toThrow(TypeError);
    expect(() => decodeRows({}, [])).toThrow(TypeError);
    const outside = { ...table, columns: [{ values: ["a", "b"], missing: [2, -1, "length"], blank: ["0"] }] };
    expect(decodeRows([outside], [])).toEqual([{ id: "a" }, { id: "b" }]);
  });
});
