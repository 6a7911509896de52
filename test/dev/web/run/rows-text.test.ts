import { describe, expect, it } from "vitest";
import { writeRows } from "../../../../src/dev/web/run/rows-text.ts";

describe("rows for other programs", () => {
  const columns = [
    { key: "title", label: "Title" },
    { key: "count", label: "Count" },
  ];
  const rows = [
    { title: 'The "long", way', count: 1.5, hidden: "x" },
    { title: "two\nlines\tand a tab", count: null },
    { count: [1, { a: true }] },
  ];

  it("are CSV with quotes where they are needed", () => {
    expect(writeRows(rows, columns, "csv")).toBe(
      'Title,Count\r\n"The ""long"", way",1.5\r\n"two\nlines\tand a tab",\r\n,"[1,{""a"":true}]"\r\n',
    );
  });

  it("are one line each for a table of a document", () => {
    expect(writeRows(rows, columns, "tsv")).toBe(
      'Title\tCount\nThe "long", way\t1.5\ntwo lines and a tab\t\n\t[1,{"a":true}]\n',
    );
  });

  it("are JSON with the members of the columns only, and values as they are", () => {
    expect(JSON.parse(writeRows(rows, columns, "json"))).toEqual([
      { title: 'The "long", way', count: 1.5 },
      { title: "two\nlines\tand a tab", count: null },
      { count: [1, { a: true }] },
    ]);
    expect(JSON.parse(writeRows([1, "b"], [{ key: "", label: "Value" }], "json"))).toEqual([
      1,
      "b",
    ]);
  });
});
