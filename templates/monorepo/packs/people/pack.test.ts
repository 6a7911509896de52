import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("gives the name that was recorded", async () => {
  expect(await executeFormula("pack.ts", "MyName", [], { replay: "cassettes", strict: true })).toBe("First Owner");
});
