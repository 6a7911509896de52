import { describe, expect, it } from "vitest";
import { selectRows } from "../../../src/dev/run/select-rows.ts";

describe("the rows of a query", () => {
  const rows = [
    { name: "Beta", count: 2, done: true },
    { name: "alpha", count: 10, done: false },
    { name: "", count: null },
    { name: "Éclair", count: 2, tags: ["red", "Blue"] },
    "only a text",
  ];
  const select = (query: Partial<Parameters<typeof selectRows>[1]>) =>
    selectRows(rows, { filter: "", sort: "", isDescending: false, ...query });

  it.each([
    ["as they came", {}, [0, 1, 2, 3, 4]],
    ["by text, in any case", { sort: "name" }, [1, 0, 3, 2, 4]],
    [
      "by text, from the end, empty cells last",
      { sort: "name", isDescending: true },
      [3, 0, 1, 2, 4],
    ],
    ["by number, equal ones as they came", { sort: "count" }, [0, 3, 1, 2, 4]],
    ["by number, from the end", { sort: "count", isDescending: true }, [1, 0, 3, 2, 4]],
    ["with a text in any cell", { filter: " BETA" }, [0]],
    ["with a text inside a list", { filter: "blue" }, [3]],
    ["with a number", { filter: "10" }, [1]],
    ["without members", { filter: "only" }, [4]],
    ["that match, sorted", { filter: "a", sort: "name" }, [1, 0, 3, 4]],
    ["that match nothing", { filter: "zzz", sort: "name" }, []],
  ])("are %s", (_, query, indexes) => {
    expect(select(query)).toEqual(indexes);
  });
});
