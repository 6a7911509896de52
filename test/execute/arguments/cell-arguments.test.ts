import { expect, it } from "vitest";
import { cellArguments } from "../../../src/execute/arguments/arguments.ts";

const formula = {
  parameters: [
    { name: "title", type: "string" },
    { name: "hours", type: "number" },
    { name: "due", type: "date", optional: true },
    { name: "tags", type: "stringArray", optional: true },
  ],
  varargParameters: [{ name: "flag", type: "boolean" }],
};

it("cells become what the parameters declare", () => {
  expect(cellArguments(formula, [7, "2.5", "2026-01-31", "red", "true", "False"])).toEqual([
    "7",
    2.5,
    new Date("2026-01-31T00:00:00Z"),
    ["red"],
    true,
    false,
  ]);
  expect(cellArguments(formula, ["", 0, "", ""])).toEqual(["", 0, undefined, undefined]);
  expect(
    cellArguments({ parameters: [{ name: "all", type: "sparseNumberArray" }] }, [["1", 2]]),
  ).toEqual([[1, 2]]);
  expect(cellArguments({ parameters: [{ name: "all", type: "numberArray" }] }, [""])).toEqual([[]]);
});

it("what fits no parameter is left for the check of the arguments", () => {
  expect(cellArguments(formula, ["a", "many", "soon"])).toEqual(["a", "many", "soon"]);
  expect(cellArguments({}, ["more"])).toEqual(["more"]);
});
