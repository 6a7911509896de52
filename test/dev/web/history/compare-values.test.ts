import { describe, expect, it } from "vitest";
import { compareValues } from "../../../../src/dev/web/history/compare-values.ts";

/** What is not the same, as `name: left → right (state)`. */
function differences(left: unknown, right: unknown): string[] {
  return compareValues("Result", left, right)
    .filter(({ state }) => state !== "same")
    .map((part) => `${part.name}: ${part.left} → ${part.right} (${part.state})`);
}

describe("comparing two results", () => {
  it.each([
    ["equal values", { a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }, []],
    ["two texts", "one", "two", [": one → two (different)"]],
    ["a number and the text of it", 3, "3", [': 3 → "3" (different)']],
    [
      "members that differ, or that only one has",
      { name: "A", size: { width: 1 }, old: true },
      { name: "B", size: { width: 1, height: 2 } },
      [
        "name: A → B (different)",
        "size.height: undefined → 2 (extra)",
        "old: true → undefined (missing)",
      ],
    ],
    ["lists of texts by their places", ["x", "y"], ["x", "z"], ["[1]: y → z (different)"]],
    ["a value and nothing", 1, undefined, [": 1 → undefined (missing)"]],
    ["null and an empty list", null, [], [": null → [] (different)"]],
  ])("shows of %s what differs", (_, left, right, expected) => {
    expect(differences(left, right)).toEqual(expected);
  });

  it("finds rows again by the member that identifies them, when others were inserted", () => {
    const rows = [
      { id: "a", title: "First", price: 1 },
      { id: "b", title: "Second", price: 2 },
    ];
    const later = [{ id: "new", title: "Zero", price: 0 }, rows[0], { ...rows[1], price: 3 }];
    expect(differences(rows, later)).toEqual([
      "[id=b].price: 2 → 3 (different)",
      '[id=new]: undefined → {"id":"new","title":"Zero","price":0} (extra)',
    ]);
  });

  it("shows long texts from shortly before they begin to differ", () => {
    const same = "s".repeat(1_000);
    const [part] = compareValues("Result", `${same}left`, `${same}right`);
    expect(part?.left).toBe(`…${"s".repeat(60)}left`);
    expect(part?.right).toBe(`…${"s".repeat(60)}right`);
  });

  it("compares a thousand rows of ten columns", () => {
    const rows = Array.from({ length: 1_000 }, (_, index) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_each, column) => [`c${column}`, index * 10 + column]),
      ),
    );
    expect(differences(rows, [...rows].reverse())).toEqual([]);
  });
});
