import { mkdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFilePatterns } from "../../src/build/file-patterns.ts";
import { makeProject } from "../support/project.ts";

it("a pattern finds files in folders that are in one another too often for a stack", () => {
  using project = makeProject({});
  const folder = "d/".repeat(1900);
  mkdirSync(join(project.path, folder), { recursive: true });
  writeFileSync(join(project.path, folder, "pack.ts"), "");
  try {
    expect(createFilePatterns(["**/pack.ts"], project.path).find()).toEqual([`${folder}pack.ts`]);
  } finally {
    // Node removes them with a stack, too.
    unlinkSync(join(project.path, folder, "pack.ts"));
    for (let path = folder; path !== ""; path = path.slice(2)) rmdirSync(join(project.path, path));
  }
});
