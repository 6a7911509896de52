import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("greets someone, and asks no server", async () => {
  // The cassette has no request: a strict replay fails as soon as the Pack sends one.
  const options = { replay: "cassettes", strict: true };
  expect(await executeFormula("pack.ts", "Hello", ["World"], options)).toBe("Hello World!");
});
