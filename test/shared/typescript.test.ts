import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configurationsIn, readTypePaths } from "../../src/shared/typescript.ts";
import { makeProject } from "../support/project.ts";

const paths = (target: string): string =>
  `{ "compilerOptions": { "paths": { "kit": ["${target}"] } } }`;

describe("the files that a tsconfig.json extends", () => {
  it.each<[string, Record<string, string>, string]>([
    ["a file", { "tsconfig.json": `{ "extends": "./base.json" }`, "base.json": paths("./a") }, "a"],
    [
      "a file without its extension",
      { "tsconfig.json": `{ "extends": "./base" }`, "base.json": paths("./a") },
      "a",
    ],
    [
      "a file above",
      {
        "tsconfig.json": `{ "extends": "./sub/base" }`,
        "sub/base.json": `{ "extends": "../up" }`,
        "up.json": paths("./a"),
      },
      "a",
    ],
    [
      "several, of which the last counts",
      {
        "tsconfig.json": `{ "extends": ["./a.json", "./b", "./none"] }`,
        "a.json": paths("./a"),
        "b.json": paths("./b"),
        "none.json": "{}",
      },
      "b",
    ],
    [
      "a package",
      {
        "tsconfig.json": `{ "extends": "@org/base" }`,
        "node_modules/@org/base/tsconfig.json": paths("./a"),
      },
      "node_modules/@org/base/a",
    ],
    [
      "a package with code, too",
      {
        "tsconfig.json": `{ "extends": "base" }`,
        "node_modules/base/index.js": "",
        "node_modules/base/tsconfig.json": paths("./a"),
      },
      "node_modules/base/a",
    ],
    [
      "the file that a package names",
      {
        "tsconfig.json": `{ "extends": "@org/base" }`,
        "node_modules/@org/base/package.json": `{ "tsconfig": "lib/strict.json" }`,
        "node_modules/@org/base/lib/strict.json": paths("./a"),
      },
      "node_modules/@org/base/lib/a",
    ],
    [
      "a file of a package",
      {
        "tsconfig.json": `{ "extends": "base/strict" }`,
        "node_modules/base/strict.json": paths("./a"),
      },
      "node_modules/base/a",
    ],
    [
      "an export of a package",
      {
        "tsconfig.json": `{ "extends": "base/strict" }`,
        "node_modules/base/package.json": `{ "name": "base", "exports": { "./strict": "./lib/strict.json" } }`,
        "node_modules/base/lib/strict.json": paths("./a"),
      },
      "node_modules/base/lib/a",
    ],
    [
      "after a comment that says something else",
      {
        "tsconfig.json": `{ // "extends": "./none",\n "extends": "./base", }`,
        "base.json": paths("./a"),
      },
      "a",
    ],
  ])("%s", (_, files, target) => {
    using project = makeProject(files);
    expect(readTypePaths(join(project.path, "tsconfig.json"))).toEqual({
      kit: [join(project.path, target)],
    });
    // Those that a build depends on are found in the same way.
    const read = configurationsIn([project.path]);
    for (const name of Object.keys(files).filter(
      (each) => each.endsWith(".json") && !each.endsWith("package.json"),
    ))
      expect(read).toContain(join(project.path, name));
  });

  it.each<[string, Record<string, string>]>([
    [
      "a circle",
      {
        "tsconfig.json": `{ "extends": "./other" }`,
        "other.json": `{ "extends": ["./tsconfig.json", "./other"] }`,
      },
    ],
    ["what does not exist", { "tsconfig.json": `{ "extends": ["./none", "none/at-all"] }` }],
    ["text that is not JSON", { "tsconfig.json": `{ "extends": "./other"`, "other.json": "{ " }],
    [
      "many ways to the same file",
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          index === 0 ? "tsconfig.json" : `level${index}.json`,
          `{ "extends": ["./level${index + 1}", "./level${index + 1}.json"] }`,
        ]),
      ),
    ],
    [
      "paths of wrong shape",
      { "tsconfig.json": `{ "compilerOptions": { "paths": { "kit": "./a" }, "baseUrl": 1 } }` },
    ],
  ])("end with %s", (_, files) => {
    using project = makeProject(files);
    expect(readTypePaths(join(project.path, "tsconfig.json"))).toEqual({});
  });

  it.skipIf(process.platform === "win32")("end with a link to itself", () => {
    using project = makeProject({ "tsconfig.json": `{ "extends": "./loop" }` });
    symlinkSync("loop.json", join(project.path, "loop.json"));
    expect(readTypePaths(join(project.path, "tsconfig.json"))).toEqual({});
  });
});
