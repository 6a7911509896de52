import { expect, it } from "vitest";
import { checkTypes } from "../../src/build/type-check.ts";
import { makeProject } from "../support/project.ts";

it("types of a folder in the place of a Pack are not checked", async () => {
  using project = makeProject({
    "pack.ts/README.md": "",
    "node_modules/typescript/package.json":
      '{ "name": "typescript", "version": "5.9.3", "bin": { "tsc": "tsc.js" } }',
  });
  expect(await checkTypes(["pack.ts"], { cwd: project.path })).toEqual({
    issues: [],
    unchecked: [],
  });
});
