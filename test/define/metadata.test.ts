import { describe, expect, expectTypeOf, it } from "vitest";
import type { MetadataFormula } from "../../src/define/formula.ts";
import {
  autocompleteSearchObjects,
  makeSimpleAutocompleteMetadataFormula,
  simpleAutocomplete,
} from "../../src/define/metadata.ts";
import { makeParameter } from "../../src/define/parameter.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";

describe("simpleAutocomplete", () => {
  it("finds texts, numbers and labelled values by what they show, in either case", async () => {
    const options = ["Apple 1", 21, { display: "Pear", value: "1" }];
    expect(await simpleAutocomplete("1", options)).toEqual([
      { display: "Apple 1", value: "Apple 1" },
      { display: "21", value: 21 },
    ]);
    expect(await simpleAutocomplete("pEAR", options)).toEqual([{ display: "Pear", value: "1" }]);
  });

  it("is what the autocomplete formula of a parameter gives, for a function as for a list", async () => {
    const parameter = makeParameter({
      type: "string",
      name: "size",
      description: "The size.",
      autocomplete: (_context, search) => simpleAutocomplete(search, ["S", "M"]),
    });
    const list = makeParameter({
      type: "string",
      name: "size",
      description: "The size.",
      autocomplete: ["S", "M"],
    });
    for (const { autocomplete } of [parameter, list]) {
      expect(autocomplete).toMatchObject({
        name: "getMetadata",
        resultType: 2,
        connectionRequirement: "optional",
      });
      const { execute } = autocomplete as MetadataFormula;
      expect(await execute(["s", "{}"], {} as ExecutionContext)).toEqual([
        { display: "S", value: "S" },
      ]);
      expect(await execute(["", ""], {} as ExecutionContext)).toHaveLength(2);
    }
    const formula = makeSimpleAutocompleteMetadataFormula(["S"]);
    const same = makeParameter({
      type: "string",
      name: "size",
      description: "The size.",
      autocomplete: formula,
    });
    expect(same.autocomplete, "a formula stays").toBe(formula);
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

  it("refuses a search or a text to show that is no text, and a member that no object has", async () => {
    await expect(
      autocompleteSearchObjects(undefined as never, projects, "name", "id"),
    ).rejects.toThrow(TypeError);
    await expect(
      autocompleteSearchObjects("", [...projects, { name: undefined, id: 3 }], "name", "id"),
    ).rejects.toThrow(new TypeError("name must be a string in each object."));
    // @ts-expect-error: there is no such member
    await expect(autocompleteSearchObjects("", projects, "title", "id")).rejects.toThrow(TypeError);
  });
});
