import { describe, expect, it } from "vitest";
import { packNames } from "../../src/bundle/pack-names.ts";
import { createProject } from "./project.ts";

describe("packNames", () => {
  const name = (text: string) => JSON.stringify({ name: text });
  it.each([
    ["only as many folders as it takes", {}, ["a/tasks.ts", "b/tasks.ts"], ["a-tasks", "b-tasks"]],
    ["no folder for sources", {}, ["a/src/tasks.ts", "b/src/tasks.ts"], ["a-tasks", "b-tasks"]],
    [
      "the folders above those of one name",
      {},
      ["x/y/same/pack.ts", "z/y/same/src/pack.ts", "other/pack.ts"],
      ["x-y-same", "z-y-same", "other"],
    ],
    ["nothing from above all Packs", {}, ["same/pack.ts", "x/same/pack.ts"], ["same", "x-same"]],
    [
      "a folder next to a package of the same name",
      { "a/package.json": name("b") },
      ["a/pack.ts", "x/b/pack.ts"],
      ["b", "x-b"],
    ],
    [
      "nothing when packages have one name",
      { "a/package.json": name("same"), "b/package.json": name("same") },
      ["a/pack.ts", "b/pack.ts"],
      ["same", "same"],
    ],
    [
      "the scopes of packages of one name",
      { "a/package.json": name("@x/d"), "b/package.json": name("@y/d") },
      ["a/pack.ts", "b/src/pack.ts"],
      ["x-d", "y-d"],
    ],
    [
      "nothing in front of a name without a scope",
      {
        "a/package.json": name("@x/d"),
        "b/package.json": name("d"),
        "c/.coda-pack.json": name("@y/d"),
      },
      ["a/pack.ts", "b/pack.ts", "c/pack.ts"],
      ["x-d", "d", "y-d"],
    ],
    [
      "no scope where folders distinguish the Packs",
      { "a/package.json": name("@x/b") },
      ["a/pack.ts", "c/b/pack.ts"],
      ["b", "c-b"],
    ],
    [
      "scopes and folders",
      { "a/package.json": name("@x/d"), "b/package.json": name("@y/d") },
      ["a/pack.ts", "b/pack.ts", "z/d/pack.ts"],
      ["x-d", "y-d", "z-d"],
    ],
    [
      "nothing when packages have one name and one scope",
      { "a/package.json": name("@x/d"), "b/package.json": name("@x/d") },
      ["a/pack.ts", "b/pack.ts"],
      ["d", "d"],
    ],
    [
      "the folders up to that of the project when another Pack has the shorter name",
      {},
      ["teams/x/tasks/pack.ts", "teams/y/tasks/pack.ts", "n/x-tasks/pack.ts"],
      ["teams-x-tasks", "teams-y-tasks", "x-tasks"],
    ],
    [
      "a folder of a Pack whose name two others need",
      {},
      ["x/tasks/pack.ts", "y/tasks/pack.ts", "n/x-tasks/pack.ts"],
      ["x-tasks", "y-tasks", "n-x-tasks"],
    ],
    [
      "a folder of a Pack whose name two scoped packages need",
      { "a/package.json": name("@x/d"), "b/package.json": name("@y/d") },
      ["a/pack.ts", "b/pack.ts", "n/x-d/pack.ts"],
      ["x-d", "y-d", "n-x-d"],
    ],
    [
      "nothing when a package has the name that they need",
      { "a/package.json": name("x-tasks") },
      ["x/tasks/pack.ts", "y/tasks/pack.ts", "a/pack.ts"],
      ["tasks", "tasks", "x-tasks"],
    ],
    ["no name that another Pack has", {}, ["a/t.ts", "b/t.ts", "a-t.ts"], ["t", "t", "a-t"]],
    ["nothing for one file named twice", {}, ["a/t.ts", "a/t.ts"], ["t", "t"]],
  ])("puts %s in front of a name", async (_, files, entries, expected) => {
    await using project = await createProject({ "x.txt": "", ...files }, "my-folder");
    const paths = entries.map((entry) => project.path(entry));
    for (const order of [paths, [...paths].reverse()])
      expect(paths.map((path) => packNames(order).get(path))).toEqual(expected);
  });
});
