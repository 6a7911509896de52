import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBundle } from "../../src/bundle/read-build.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

function write(name: string, text: string) {
  const folder = makeTemporaryFolder();
  const path = join(folder.path, "tasks", name);
  mkdirSync(join(folder.path, "tasks"));
  writeFileSync(path, text);
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("a file that a command is given", () => {
  it("is a bundle when a build wrote it", () => {
    using file = write("bundle.js", "module.exports = { pack: {} };");
    expect(readBundle(file.path)).toMatchObject({ name: "tasks", entry: file.path });
  });

  it.each([
    ["is a source when it exports as modules do", "bundle.js", "export const pack = {};"],
    ["is a source under every other name", "pack.js", "module.exports = { pack: {} };"],
  ])("%s", (_, name, text) => {
    using file = write(name, text);
    expect(readBundle(file.path)).toBeUndefined();
  });
});
