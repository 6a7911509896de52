import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("greets as often as requested", async () => {
  expect(await executeFormula("pack.ts", "Hello", ["Ada", 2])).toBe("Hello Ada! Hello Ada!");
});
