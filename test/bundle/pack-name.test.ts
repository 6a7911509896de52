import { describe, expect, it } from "vitest";
import { getPackName } from "../../src/bundle/pack-name.ts";
import { createProject } from "./project.ts";

describe("getPackName", () => {
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
    ["a clean name for anything else", {}, "a b/../ü$x.v2.ts", "ü-x.v2"],
    ["the folder in any script", {}, "日本/pack.ts", "日本"],
    ["one name for both spellings of a letter", {}, "u\u0308/pack.ts", "ü"],
    ["a name with its vowel signs", {}, "हिन्दी/pack.ts", "हिन्दी"],
    ["a name without invisible characters", {}, "a\u202Eb\u200B.ts", "a-b"],
    ["a name without symbols", {}, "€🙂/pack.ts", "pack"],
    ["the folder above src", {}, "src/pack.ts", "my-folder"],
    ["the folder above several folders for sources", {}, "tasks/src/lib/index.ts", "tasks"],
    [
      "the name of the package that src belongs to",
      { "tasks/package.json": `{"name":"@acme/to-do"}`, "package.json": `{"name":"all"}` },
      "tasks/src/pack.ts",
      "to-do",
    ],
    [
      "the folder, not the package above it",
      { "package.json": `{"name":"all"}` },
      "a/pack.ts",
      "a",
    ],
    [
      "the name in .coda-pack.json",
      { "a/src/.coda-pack.json": `{"packId":1,"name":"sheets"}` },
      "a/src/pack.ts",
      "sheets",
    ],
    [
      "the folder for a .coda-pack.json with only an id",
      { "a/src/.coda-pack.json": `{"packId":1}` },
      "a/src/pack.ts",
      "a",
    ],
    ["a name for only dots", { "package.json": `{"name":".."}` }, "pack.ts", "pack"],
  ])("is %s", async (_, files, entry, expected) => {
    await using project = await createProject({ "x.txt": "", ...files }, "my-folder");
    expect(getPackName(project.path(entry))).toBe(expected);
  });
});
