import { describe, expect, it } from "vitest";
import { expandFiles } from "../../src/commands/expand-files.ts";
import { makeProject } from "../support/project.ts";

const FILES = Object.fromEntries(
  [
    "packs/a/pack.ts",
    "packs/b/pack.ts",
    "packs/b/old.ts",
    "packs/c/d/pack.js",
    "node_modules/x/pack.ts",
    ".hidden/pack.ts",
    "a+b(1).ts",
  ].map((path) => [path, ""]),
);

describe("expandFiles", () => {
  it.each([
    [["packs/*/pack.ts"], ["packs/a/pack.ts", "packs/b/pack.ts"]],
    [["packs/**/pack.{ts,js}"], ["packs/a/pack.ts", "packs/b/pack.ts", "packs/c/d/pack.js"]],
    [["**/pack.ts"], ["packs/a/pack.ts", "packs/b/pack.ts"]],
    [
      ["packs/?/o*.ts", "packs/b/*.ts"],
      ["packs/b/old.ts", "packs/b/pack.ts"],
    ],
    [
      ["plain.ts", "a+b(1).ts"],
      ["plain.ts", "a+b(1).ts"],
    ],
    [["a+b(*).ts"], ["a+b(1).ts"]],
  ])("%j", async (patterns, files) => {
    using project = makeProject(FILES);
    expect(await expandFiles(patterns, project.path)).toEqual(files);
  });

  it("finds files of absolute patterns", async () => {
    using project = makeProject(FILES);
    expect(await expandFiles([`${project.path}/packs/*/pack.ts`], "/")).toEqual(
      ["a", "b"].map((name) => `${project.path}/packs/${name}/pack.ts`),
    );
  });

  it.each(["nothing/*.ts", "packs/{a,b/pack.ts"])("says that nothing matches %s", async (pattern) => {
    using project = makeProject(FILES);
    await expect(expandFiles([pattern], project.path)).rejects.toMatchObject({ code: "USAGE_INVALID" });
  });
});
