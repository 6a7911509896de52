import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenIn } from "../../../../src/dev/web/parts/chosen-in.ts";

describe("the options that a cell of a select list has", () => {
  it.each([
    ["", []],
    [undefined, []],
    ["red", ["red"]],
    ["red,blue", ["red", "blue"]],
    ["red, green, light,blue", ["red", "green, light", "blue"]],
    ["no option,blue", ["no option", "blue"]],
  ])("%j of a list are %j", (value, chosen) => {
    expect(chosenIn(value, ["red", "green", "green, light", "blue"], true)).toEqual(chosen);
  });

  it("is the complete text when only one can be chosen", () => {
    expect(chosenIn("red,blue", ["red", "blue"], false)).toEqual(["red,blue"]);
  });

  it("are found again in the text that the service makes of them", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}( [a-z]{1,3})?$/), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(names, fc.nat(), (choices, seed) => {
        const chosen = choices.filter((_, index) => (seed >> index) % 2 === 1);
        expect(chosenIn(chosen.join(","), choices, true)).toEqual(chosen);
      }),
    );
  });
});
