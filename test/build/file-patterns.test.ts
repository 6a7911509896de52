import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFilePatterns } from "../../src/build/file-patterns.ts";
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
    "[id]/{a}.ts",
  ].map((path) => [path, ""]),
);

const listFiles = (patterns: readonly string[], cwd: string): string[] =>
  createFilePatterns(patterns, cwd).find();

describe("createFilePatterns", () => {
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
    [["{packs/b,nothing/x}/*.ts"], ["packs/b/old.ts", "packs/b/pack.ts"]],
    [["[id]/{a}.ts"], ["[id]/{a}.ts"]],
    [["*/*.ts"], ["[id]/{a}.ts"]],
    [["[id]/*.ts"], ["[id]/{a}.ts"]],
    [["packs/{a,b}/{pack,o*}.ts"], ["packs/a/pack.ts", "packs/b/old.ts", "packs/b/pack.ts"]],
    [["packs/**/d/*.js"], ["packs/c/d/pack.js"]],
  ])("%j", (patterns, files) => {
    using project = makeProject(FILES);
    expect(listFiles(patterns, project.path)).toEqual(files);
  });

  it("finds files of absolute patterns", () => {
    using project = makeProject(FILES);
    expect(listFiles([`${project.path}/packs/*/pack.ts`], "/")).toEqual(
      ["a", "b"].map((name) => `${project.path}/packs/${name}/pack.ts`),
    );
  });

  it("is about what changes the files that it finds, and asks for the folders in which that may happen", () => {
    using project = makeProject({ ...FILES, "packs/b/lib/deep/text.ts": "" });
    const patterns = createFilePatterns(["packs/*/pack.ts", "plain.ts"], project.path);
    patterns.find();
    const path = (name: string) => join(project.path, name);
    expect(patterns.folders().sort()).toEqual([
      project.path,
      ...["packs", "packs/a", "packs/b", "packs/c"].map(path),
    ]);
    for (const name of ["packs/new", "packs/c/pack.ts"])
      expect(patterns.isAbout(path(name))).toBe(false);
    project.write("packs/new/other.ts", "");
    project.write("packs/c/pack.ts", "");
    for (const name of ["packs/new", "packs/c/pack.ts", "packs/a"])
      expect(patterns.isAbout(path(name))).toBe(true);
    for (const name of ["packs/a/pack.ts", "packs/b/lib", "packs/b/new.ts", "plain.ts", "other"])
      expect(patterns.isAbout(path(name))).toBe(false);
    rmSync(path("packs"), { recursive: true });
    for (const name of ["packs/a/pack.ts", "packs"])
      expect(patterns.isAbout(path(name))).toBe(true);
    expect(patterns.find()).toEqual(["plain.ts"]);
    expect(patterns.isNamed("plain.ts")).toBe(true);
  });

  it.each(["nothing/*.ts", "packs/{a,b/pack.ts"])("says that nothing matches %s", (pattern) => {
    using project = makeProject(FILES);
    expect(() => listFiles([pattern], project.path)).toThrow(
      expect.objectContaining({ code: "USAGE_INVALID" }),
    );
  });
});
