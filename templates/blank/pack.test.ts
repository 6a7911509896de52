import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("greets someone", async () => {
  expect(await executeFormula("pack.ts", "Hello", ["World"])).toBe("Hello World!");
});
