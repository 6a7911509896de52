import { describe, expect, it } from "vitest";
import type { ColumnFormat } from "../../../../src/service/contract/models/responses.ts";
import type { StoredColumn } from "../../../../src/service/local/content/column.ts";
import { listedTexts, parseCell } from "../../../../src/service/local/content/parse-cell.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };

/** Knows one person, by two texts, and the rows "Apples" and "Nuts, mixed" of one table. */
const directory = {
  findPerson: (text: string) =>
    ["Ada Lovelace", "ada@example.com"].includes(text) ? ada : undefined,
  findRow: (tableId: string, text: string) =>
    tableId === "grid-fruit" && ["Apples", "Nuts, mixed"].includes(text) ? `i-${text}` : undefined,
};

function column(type: string, isArray = false, lookupTableId?: string): StoredColumn {
  return {
    id: "c-1",
    name: "Column",
    format: { type, isArray } as ColumnFormat,
    display: false,
    hidden: false,
    calculated: false,
    formula: undefined,
    defaultValue: undefined,
    lookupTableId,
  };
}

const parse = (type: string, value: Parameters<typeof parseCell>[1]) =>
  parseCell(column(type), value, directory);

describe("parseCell", () => {
  it.each(["number", "currency", "percent", "slider", "scale"])(
    "reads a number that was typed into a %s column",
    (type) => expect(parse(type, "1,234.5")).toBe(1234.5),
  );

  it.each<[text: string, value: number]>([
    ["0", 0],
    [" 12 ", 12],
    ["-3", -3],
    ["+3", 3],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1000],
    ["2E-2", 0.02],
    ["$1,000", 1000],
    ["-€ 2,500.75", -2500.75],
    ["£3", 3],
    ["¥ 4", 4],
    ["1,234,567", 1234567],
    ["25%", 0.25],
    ["25 %", 0.25],
    ["-50%", -0.5],
  ])("reads %j as a number", (text, value) => expect(parse("number", text)).toBe(value));

  it.each(["", "12 apples", "1,23", "1.2.3", "--1", "e5", "1e", "%", ".", "$", "1e999", "0x10"])(
    "keeps %j, which is not a number, as the text",
    (text) => expect(parse("number", text)).toBe(text),
  );

  it.each<[text: string, value: string | boolean]>([
    ["true", true],
    [" TRUE ", true],
    ["False", false],
    ["yes", "yes"],
    ["", ""],
  ])("reads %j in a checkbox column as %j", (text, value) =>
    expect(parse("checkbox", text)).toBe(value),
  );

  it.each(["number", "checkbox", "date", "dateTime", "person", "lookup", "link", "image", "text"])(
    "leaves a number and a boolean in a %s column as they are",
    (type) => {
      expect(parse(type, 7)).toBe(7);
      expect(parse(type, true)).toBe(true);
    },
  );

  it.each<[text: string, value: string]>([
    ["2026-02-03", "2026-02-03"],
    [" 2026-02-03 ", "2026-02-03"],
    ["2026-02-03T10:20:30Z", "2026-02-03"],
    ["2/3/2026", "2026-02-03"],
    [" 12/31/2026 ", "2026-12-31"],
    ["2026-02-30", "2026-02-30"],
    ["2/30/2026", "2/30/2026"],
    ["13/1/2026", "13/1/2026"],
    ["2026-13-01", "2026-13-01"],
    ["on 2026-02-03", "on 2026-02-03"],
    ["2026-02-03 in the morning", "2026-02-03 in the morning"],
    ["2/3/26", "2/3/26"],
    ["12/31/2026 or so", "12/31/2026 or so"],
  ])("reads %j in a date column as %j", (text, value) => expect(parse("date", text)).toBe(value));

  it.each<[text: string, value: string]>([
    [" 2026-02-03T10:20 ", "2026-02-03T10:20"],
    ["2026-02-03T10:20:30.5Z", "2026-02-03T10:20:30.5Z"],
    ["2026-02-03T10:20:30+02:00", "2026-02-03T10:20:30+02:00"],
    ["2026-02-03", "2026-02-03"],
    ["2/3/2026", "2026-02-03"],
    ["2026-02-03T25:20", "2026-02-03T25:20"],
    [" 2026-02-03T25:20", " 2026-02-03T25:20"],
    ["soon", "soon"],
  ])("reads %j in a date and time column as %j", (text, value) =>
    expect(parse("dateTime", text)).toBe(value),
  );

  it("finds a person by name and by address, and keeps the text of an unknown one", () => {
    expect(parse("person", "Ada Lovelace")).toEqual({ kind: "person", ...ada });
    expect(parse("person", "ada@example.com")).toEqual({ kind: "person", ...ada });
    expect(parse("person", "Grace")).toBe("Grace");
  });

  it("finds a row in the table of the column, and keeps the text of an unknown one", () => {
    const fruit = column("lookup", false, "grid-fruit");
    expect(parseCell(fruit, "Apples", directory)).toEqual({ kind: "row", id: "i-Apples" });
    expect(parseCell(fruit, "Pears", directory)).toBe("Pears");
    expect(parseCell(column("lookup"), "Apples", directory)).toBe("Apples");
  });

  it.each(["https://example.com/a", "HTTP://example.com"])("makes a link of %s", (url) =>
    expect(parse("link", url)).toEqual({ kind: "link", name: url, url }),
  );

  it.each([
    "example.com",
    "ftp://example.com",
    "https://",
    "see https://example.com",
    "https://a b",
  ])("keeps %j, which is not a web address, as the text", (text) => {
    expect(parse("link", text)).toBe(text);
    expect(parse("image", text)).toBe(text);
  });

  it.each(["image", "imageReference", "attachments"])(
    "names a file in a %s column after the end of its address",
    (type) => {
      const url = "https://example.com/photos/cat.png";
      expect(parse(type, url)).toEqual({ kind: "image", name: "cat.png", url });
      const folder = "https://example.com/photos/";
      expect(parse(type, folder)).toEqual({ kind: "image", name: folder, url: folder });
    },
  );

  it("keeps a text in a text column as it was written", () =>
    expect(parse("text", " 12 ")).toBe(" 12 "));

  it("reads each member of a list, and of a list in it", () =>
    expect(parse("number", ["1", ["2", 3], "x"])).toEqual([1, [2, 3], "x"]));

  it("makes a list of one text in a column of lists, and leaves a blank cell blank", () => {
    expect(parseCell(column("text", true), "one, two", directory)).toEqual(["one, two"]);
    expect(parseCell(column("select", true), "one", directory)).toEqual(["one"]);
    expect(parseCell(column("select", true), "", directory)).toBe("");
  });

  it.each(["select", "person", "lookup"])(
    "splits a text at its commas in a %s column of lists",
    (type) =>
      expect(parseCell(column(type, true), "one, two,, ", directory)).toEqual(["one", "two"]),
  );

  it("looks each part of a list up, after the complete text", () => {
    const fruit = column("lookup", true, "grid-fruit");
    expect(parseCell(fruit, "Nuts, mixed", directory)).toEqual([
      { kind: "row", id: "i-Nuts, mixed" },
    ]);
    expect(parseCell(fruit, "Apples, Pears", directory)).toEqual([
      { kind: "row", id: "i-Apples" },
      "Pears",
    ]);
    expect(parseCell(column("select", true), 5, directory)).toEqual([5]);
  });

  it("does not split a text in a column that holds one value", () =>
    expect(parse("select", "one, two")).toBe("one, two"));
});

describe("listedTexts", () => {
  it("leaves out blanks around and between the members", () =>
    expect(listedTexts(" one ,, two , ")).toEqual(["one", "two"]));
});
