import { describe, expect, expectTypeOf, it } from "vitest";
import { autocompleteSearchObjects, simpleAutocomplete } from "../../src/define/metadata.ts";
import { makeParameter } from "../../src/define/parameter.ts";

describe("simpleAutocomplete", () => {
  it("finds texts, numbers and labelled values by what they show, in either case", async () => {
    const options = ["Apple 1", 21, { display: "Pear", value: "1" }];
    expect(await simpleAutocomplete("1", options)).toEqual([
      { display: "Apple 1", value: "Apple 1" },
      { display: "21", value: 21 },
    ]);
    expect(await simpleAutocomplete("pEAR", options)).toEqual([{ display: "Pear", value: "1" }]);
  });

  it("is what the autocomplete function of a parameter returns", () => {
    const parameter = makeParameter({
      type: "string",
      name: "size",
      description: "The size.",
      autocomplete: (_context, search) => simpleAutocomplete(search, ["S", "M"]),
    });
    expect(parameter.autocomplete).toBeTypeOf("function");
  });

  it("gives all options while nothing is typed", async () => {
    expect(await simpleAutocomplete("", ["a", "b"])).toHaveLength(2);
    expect(await simpleAutocomplete(undefined, ["a", "b"])).toHaveLength(2);
  });
});

describe("autocompleteSearchObjects", () => {
  const projects = [
    { name: "Garden", id: 1 },
    { name: "House", id: 2 },
  ];

  it("shows one member and gives the value of another, with its type", async () => {
    const found = await autocompleteSearchObjects("gard", projects, "name", "id");
    expectTypeOf(found[0]?.value).toEqualTypeOf<number | undefined>();
    expect(found).toEqual([{ display: "Garden", value: 1 }]);
  });

  it("refuses a search that is no text, and a member that no object has", async () => {
    await expect(autocompleteSearchObjects(undefined as never, projects, "name", "id")).rejects.toThrow(TypeError);
    // @ts-expect-error: there is no such member
    await autocompleteSearchObjects("", projects, "title", "id");
  });
});
