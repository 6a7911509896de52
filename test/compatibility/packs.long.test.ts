import { describe, expect, it } from "vitest";
import { createExistingProject } from "./existing-project.ts";
import { typeCheck } from "./type-check.ts";

describe("Packs that were written for `@codahq/packs-sdk`", () => {
  it.each([true, false])("type-check under TypeScript 5.9, strict: %s", async (strict) => {
    using project = await createExistingProject({
      module: "CommonJS",
      moduleResolution: "node",
      strict,
      ...(strict ? {} : { noImplicitAny: false }),
    });
    expect(await typeCheck(project.path, "5.9")).toBe("");
  });
});
