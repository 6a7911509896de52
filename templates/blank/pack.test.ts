import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("greets someone without a request", async () => {
  // The cassette contains no request, so a strict replay fails if the Pack sends a request.
  const options = { replay: "cassettes", strict: true };
  expect(await executeFormula("pack.ts", "Hello", ["World"], options)).toBe("Hello World!");
});
