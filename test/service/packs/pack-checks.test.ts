import { describe, expect, it } from "vitest";
import { createPackChecks } from "../../../src/service/packs/pack-checks.ts";

const formula = (name: string, description: string) => ({
  name,
  description,
  parameters: [],
  resultType: "string",
});

describe("the comparison of two versions in the registry", () => {
  it("says where a change is in the metadata: also in the first formula, and in one that was removed", async () => {
    const before = {
      version: "1.0.0",
      formulas: [formula("First", "One."), formula("Last", "Two.")],
    };
    const after = { version: "1.0.1", formulas: [formula("First", "Changed.")] };
    const { changes } = await createPackChecks().compare(before, after);
    expect(changes.map(({ path }) => path).sort()).toEqual(["formulas[0]", "formulas[1]"]);
  });
});
