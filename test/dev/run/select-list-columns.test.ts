import { describe, expect, it } from "vitest";
import { columnViews } from "../../../src/dev/run/schema-view.ts";

describe("the columns of a table with select lists", () => {
  it("have the options, unless other values are permitted, several can be chosen, or the Pack finds them", () => {
    const list = {
      type: "string",
      codaType: "selectList",
      options: ["open", { display: "Finished", value: "done" }],
    };
    const columns = columnViews({
      type: "object",
      properties: {
        state: list,
        free: { ...list, allowNewValues: true },
        several: { type: "array", items: list },
        found: { ...list, options: "Dynamic" },
        text: { type: "string" },
      },
    });
    expect(columns.map(({ name, choices }) => [name, choices])).toEqual([
      ["state", ["open", "done"]],
      ["free", []],
      ["several", []],
      ["found", []],
      ["text", []],
    ]);
  });
});
