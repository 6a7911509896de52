import { describe, expect, it } from "vitest";
import { type Cell, decodeCell, encodeCell } from "../../../src/service.ts";
import { startTestService } from "../support.ts";

const rich = { valueFormat: "rich" } as const;
const ld = (type: string, members: object) => ({
  "@context": "https://schema.org/",
  "@type": type,
  ...members,
});

describe("decodeCell", () => {
  it.each<[string, Parameters<typeof decodeCell>[0], Cell]>([
    // docs/rules.md: service 36
    ["fenced text as plain", "```a *b*```", { kind: "text", text: "a *b*", markdown: false }],
    // docs/rules.md: service 36
    ["unfenced text as formatted", "a *b*", { kind: "text", text: "a *b*", markdown: true }],
    ["nothing", "", { kind: "blank" }],
    ["fenced nothing", "``````", { kind: "blank" }],
    ["a number", 3, { kind: "number", value: 3 }],
    ["a truth", false, { kind: "boolean", value: false }],
    [
      "an amount",
      ld("MonetaryAmount", { currency: "EUR", amount: 2.5 }),
      { kind: "currency", currency: "EUR", amount: 2.5 },
    ],
    // docs/rules.md: V6
    [
      "an amount that is a text",
      ld("MonetaryAmount", { currency: "EUR", amount: "2.50" }),
      { kind: "currency", currency: "EUR", amount: 2.5 },
    ],
    [
      "a row",
      ld("StructuredValue", {
        additionalType: "row",
        name: "A",
        rowId: "i-1",
        tableId: "grid-1",
        url: "https://u.example/r",
        tableUrl: "https://u.example/t",
      }),
      {
        kind: "row",
        name: "A",
        rowId: "i-1",
        tableId: "grid-1",
        url: "https://u.example/r",
        tableUrl: "https://u.example/t",
      },
    ],
    // docs/rules.md: V4
    [
      "a person without a context",
      { "@type": "Person", name: "Ann", email: "ann@people.example" } as never,
      { kind: "person", name: "Ann", email: "ann@people.example" },
    ],
    [
      "a link",
      ld("WebPage", { name: "N", url: "https://u.example" }),
      { kind: "link", name: "N", url: "https://u.example" },
    ],
    [
      "an image",
      ld("ImageObject", { name: "N", url: "https://u.example" }),
      { kind: "image", name: "N", url: "https://u.example" },
    ],
    [
      "what is new",
      ld("Something", { a: 1 }),
      { kind: "object", value: ld("Something", { a: 1 }) },
    ],
    [
      "a list",
      ["```a```", 1],
      {
        kind: "list",
        items: [
          { kind: "text", text: "a", markdown: false },
          { kind: "number", value: 1 },
        ],
      },
    ],
  ])("%s", (_, value, cell) => {
    expect(decodeCell(value, rich)).toEqual(cell);
  });

  // docs/rules.md: service 34, 35
  it("reads simple lists as texts with commas, and other lists with their nesting", () => {
    const text = (value: string): Cell => ({ kind: "text", text: value, markdown: false });
    expect(decodeCell("a,b", { valueFormat: "simple", isArray: true })).toEqual({
      kind: "list",
      items: [text("a"), text("b")],
    });
    expect(decodeCell("a,b", { valueFormat: "simple" })).toEqual(text("a,b"));
    expect(decodeCell(["a", ["b"]], { valueFormat: "simpleWithArrays" })).toEqual({
      kind: "list",
      items: [text("a"), { kind: "list", items: [text("b")] }],
    });
    expect(decodeCell("```a```", { valueFormat: "simple" })).toEqual(text("```a```"));
  });
});

describe("encodeCell", () => {
  it("writes what stands for an object, because objects cannot be written", () => {
    expect(encodeCell({ kind: "person", name: "Ann", email: "ann@people.example" })).toBe(
      "ann@people.example",
    );
    expect(
      encodeCell({ kind: "row", name: "A", rowId: "i-1", tableId: "t", url: "u", tableUrl: "u" }),
    ).toBe("i-1");
    expect(
      encodeCell({
        kind: "list",
        items: [
          { kind: "blank" },
          { kind: "list", items: [{ kind: "currency", amount: 2, currency: "EUR" }] },
        ],
      }),
    ).toEqual(["", [2]]);
    expect(() => encodeCell({ kind: "object", value: ld("Something", {}) as never })).toThrow(
      TypeError,
    );
  });

  it("gives back what every column of a table holds: a row that is written back stays the same in all three formats", async () => {
    await using test = await startTestService();
    const { rows, columns } = test.client.doc(test.service.docId).table("Tasks");
    const editable = (await columns.list({ limit: 100 })).items.filter(
      ({ calculated, format }) => calculated !== true && format.type !== "button",
    );
    const read = async (rowId: string) => {
      const formats = ["simple", "simpleWithArrays", "rich"] as const;
      return await Promise.all(
        formats.map(async (valueFormat) => (await rows.get(rowId, { valueFormat })).values),
      );
    };
    for (const row of (await rows.list({ limit: 10 })).items) {
      const before = await read(row.id);
      const cells = Object.fromEntries(
        editable.map(({ id }) => [id, encodeCell(decodeCell(before[2]?.[id] ?? "", rich))]),
      );
      const { requestId } = await rows.update(row.id, cells);
      await test.service.settle();
      expect(await test.client.mutationStatus(requestId)).toEqual({ completed: true });
      const after = await read(row.id);
      for (const { id, name } of editable)
        expect([name, ...after.map((values) => values[id])]).toEqual([
          name,
          ...before.map((values) => values[id]),
        ]);
    }
  });
});
