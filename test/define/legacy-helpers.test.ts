import { describe, expect, it } from "vitest";
import {
  NumberHintValueTypes,
  normalizeSchema,
  untransformKeys,
  wrapMetadataFunction,
} from "../../src/legacy.ts";

const schema = normalizeSchema({
  type: "array",
  items: {
    type: "object",
    properties: {
      "due date": { type: "string" },
      Id: { type: "string", fromKey: "key" },
      Done: { type: "boolean" },
    },
  },
});

describe("helpers that Packs import from published files of `@codahq/packs-sdk`", () => {
  it("give names of a compiled schema the names that requests use", () => {
    expect(untransformKeys(["DueDate", "Id", "Done", "Other"], schema)).toEqual([
      "due date",
      "key",
      "Done",
      "Other",
    ]);
    expect(untransformKeys(["DueDate", "constructor"], undefined)).toEqual([
      "DueDate",
      "constructor",
    ]);
  });

  it("make a metadata formula of a function, and leave a formula", async () => {
    const run = async (_: unknown, search: string, values: object) => [search, values];
    const formula = wrapMetadataFunction(run) as {
      name: string;
      execute(args: string[], context: object): Promise<unknown>;
    };
    expect(await formula.execute(["a", JSON.stringify({ b: 1 })], {})).toEqual(["a", { b: 1 }]);
    expect(wrapMetadataFunction(formula)).toBe(formula);
    expect(wrapMetadataFunction(undefined)).toBeUndefined();
  });

  it("list the value hints of each type", () => {
    expect(NumberHintValueTypes).toContain("currency");
    expect(NumberHintValueTypes).not.toContain("url");
  });
});
