import { expect, it } from "vitest";
import { PackError } from "../../src/errors.ts";
import { toFailure } from "../../src/shared/failures.ts";

const missing = Object.assign(new Error("Cannot find package 'is-docker'"), {
  code: "ERR_MODULE_NOT_FOUND",
});
const hintAt = (thrown: unknown, versions: Record<string, string>) =>
  toFailure(thrown, versions).error.hint;

it("a package that Node 20 does not find in Yarn's archives is no bug to report", () => {
  expect(toFailure(missing, { node: "20.20.2", pnp: "3" }).error).toMatchObject({
    code: "INTERNAL",
    message: "Node 20.20.2 does not find every package in Yarn's archives.",
    hint: "Use Node 22 or later, or set nodeLinker: node-modules in .yarnrc.yml.",
  });
});

it("a package that is missing elsewhere, and any other error, is", () => {
  const report = "Run the command again with --debug, and report its output.";
  expect([
    hintAt(missing, { node: "20.20.2" }),
    hintAt(missing, { node: "22.12.0", pnp: "3" }),
    hintAt(new Error("a"), { node: "20.20.2", pnp: "3" }),
  ]).toEqual([report, report, report]);
});

it("a PackError stays as it is", () => {
  const error = new PackError("INTERRUPTED", "Interrupted.", { details: undefined, hint: "h" });
  expect(toFailure(error).cause).toBe(error);
});
