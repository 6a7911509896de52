import { executeFormula } from "packsmith/testing";
import { expect, it } from "vitest";

it("lists the recorded tasks", async () => {
  const tasks = await executeFormula("pack.ts", "ListTasks", ["open"], {
    replay: "cassettes",
    strict: true,
  });
  expect(tasks).toHaveLength(2);
});
