import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasLegacyTypes } from "../../src/bundle/type-resolution.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** A project with these files, and a folder `packs/tasks` in it. */
function makeProject(files: Record<string, string>) {
  const folder = makeTemporaryFolder();
  for (const [path, text] of Object.entries({ ...files, "packs/tasks/pack.ts": "" })) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  const pack = join(folder.path, "packs/tasks");
  return { pack, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const mapping = (name: string): string =>
  JSON.stringify({ compilerOptions: { paths: { [name]: ["./types.d.ts"] } } });

describe("a type checker that starts in the folder of a Pack", () => {
  it.each([
    [
      "finds the package in a folder above",
      { "node_modules/@codahq/packs-sdk/package.json": "{}" },
      true,
    ],
    ["finds a mapping of its name", { "tsconfig.json": mapping("@codahq/packs-sdk") }, true],
    ["finds a mapping of its scope", { "tsconfig.json": mapping("@codahq/*") }, true],
    ["does not find a mapping of another name", { "tsconfig.json": mapping("@other/*") }, false],
    ["finds nothing without a configuration", {}, false],
  ])("%s", (_, files, isFound) => {
    using project = makeProject(files as Record<string, string>);
    expect(hasLegacyTypes(project.pack)).toBe(isFound);
  });
});
