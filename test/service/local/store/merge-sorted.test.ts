import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeSorted } from "../../../../src/service/local/store/merge-sorted.ts";

interface Item {
  key: number;
  list: number;
}

const byKey = (one: Item, other: Item) => one.key - other.key;

describe("mergeSorted", () => {
  test("gives the items of all lists in their order, those of an earlier list first", () => {
    const listsOfKeys = fc.array(fc.array(fc.integer({ min: 0, max: 20 })));
    fc.assert(
      fc.property(listsOfKeys, (keys) => {
        const lists = keys.map((each, list) => each.map((key) => ({ key, list })).sort(byKey));
        expect([...mergeSorted(lists, byKey)]).toEqual(lists.flat().sort(byKey));
      }),
    );
  });

  test("compares only what is needed for the items that are taken", () => {
    const lists = Array.from({ length: 8 }, (_, list) =>
      Array.from({ length: 1_000 }, (_, at) => ({ key: at, list })),
    );
    let compared = 0;
    const merged = mergeSorted(lists, (one, other) => {
      compared += 1;
      return byKey(one, other);
    })[Symbol.iterator]();
    const taken = Array.from({ length: 10 }, () => merged.next().value);
    expect(taken.map((item: Item) => item.key)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(compared).toBeLessThan(10 * 8);
  });
});
