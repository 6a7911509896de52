import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("returns the recorded name", async () => {
  expect(await executeFormula("pack.ts", "MyName", [], { replay: "cassettes", strict: true })).toBe(
    "First Owner",
  );
});
