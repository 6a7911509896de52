import fc from "fast-check";
import { expect, it } from "vitest";
import { countKey, sortKey } from "../../../../src/service/local/store/sort-key.ts";

const value = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "a", "ab", 0, -0, 1),
);

/** Numbers come before texts; texts are compared as JavaScript does. */
function compare(one: string | number, other: string | number): number {
  if (typeof one !== typeof other)
    return typeof one === "number" ? (other === "" ? 1 : -1) : one === "" ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}

it("orders texts as their values are, ascending and descending, by the first that differs", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, fc.boolean()), { minLength: 1, maxLength: 3 }),
      (columns) => {
        const keyOf = (side: 0 | 1) =>
          sortKey(columns.map((column) => ({ value: column[side], isDescending: column[2] })));
        let wanted = 0;
        for (const [one, other, isDescending] of columns)
          wanted ||= compare(one, other) * (isDescending ? -1 : 1);
        const [one, other] = [keyOf(0), keyOf(1)];
        expect(one === other ? 0 : one < other ? -1 : 1).toBe(wanted === 0 ? 0 : wanted);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("orders counts as numbers", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 50), fc.nat(2 ** 50), (one, other) => {
      expect(countKey(one) < countKey(other)).toBe(one < other);
    }),
  );
});
