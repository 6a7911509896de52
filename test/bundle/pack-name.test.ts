import { describe, expect, it } from "vitest";
import { packNameOf } from "../../src/bundle/pack-name.ts";
import { createProject } from "./project.ts";

describe("packNameOf", () => {
  it.each([
    ["the stem of a file", {}, "time-sheets.ts", "time-sheets"],
    ["the folder for pack.ts", {}, "pack.ts", "my-folder"],
    [
      "the package name for index.ts",
      { "package.json": `{"name":"@acme/tasks"}` },
      "index.ts",
      "tasks",
    ],
    [
      "the folder for a package.json that cannot be read",
      { "package.json": "{" },
      "manifest.ts",
      "my-folder",
    ],
    ["a clean name for anything else", {}, "a b/../ü$x.v2.ts", "-x.v2".replace(/^-/, "")],
    ["a name for only dots", { "package.json": `{"name":".."}` }, "pack.ts", "pack"],
  ])("is %s", async (_, files, entry, expected) => {
    await using project = await createProject({ "x.txt": "", ...files }, "my-folder");
    expect(packNameOf(project.path(entry))).toBe(expected);
  });
});
