import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { bundleParts, compareParts, getPart } from "../../src/bundle/bundle-parts.ts";
import { whyImported } from "../../src/bundle/import-graph.ts";
import { createProject } from "./project.ts";

const FILES = {
  "pack.ts": `import { newPack } from "packsmith"; import { list } from "./lib/list.ts";\nexport const pack = newPack(); list();`,
  "lib/list.ts": `import { join } from "small-list"; import { posix } from "path"; export const list = () => console.log(join(["a"]), posix.sep);`,
  "node_modules/small-list/package.json": '{"name":"small-list","main":"index.js"}',
  "node_modules/small-list/index.js": `const inner = require("@scope/inner"); exports.join = (list) => inner(list.join(","));`,
  "node_modules/small-list/node_modules/@scope/inner/package.json":
    '{"name":"@scope/inner","main":"index.js"}',
  "node_modules/small-list/node_modules/@scope/inner/index.js": `module.exports = (text) => text + "<&>";`,
};

describe("what takes how much of a bundle", () => {
  it.each([
    ["pack.ts", "your code"],
    ["../shared/x.ts", "your code"],
    ["packsmith/define/pack.js", "packsmith"],
    ["packsmith/polyfills/crypto.cjs", "node:crypto"],
    ["packsmith/polyfills/crypto-parts.js", "node:crypto"],
    ["packsmith/polyfills/string_decoder.cjs", "node:string_decoder"],
    ["node_modules/a/index.js", "a"],
    ["../../node_modules/@s/a/lib/x.js", "@s/a"],
    ["node_modules/a/node_modules/b/x.js", "b"],
    ["node_modules/.pnpm/a@1/node_modules/a/x.js", "a"],
  ])("%s belongs to %s", (path, part) => {
    expect(getPart(path)).toBe(part);
  });

  it("adds up to no more than the bundle, and tells by which imports each part came", async () => {
    await using project = await createProject(FILES);
    const { inputs, imports, bytes } = await bundlePack({ entry: project.path("pack.ts") });
    const parts = bundleParts(inputs);
    expect(parts.map(({ name }) => name).sort()).toEqual([
      "@scope/inner",
      "node:path",
      "packsmith",
      "small-list",
      "your code",
    ]);
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBeLessThanOrEqual(bytes);
    expect(whyImported(imports, "@scope/inner")).toEqual([
      "pack.ts",
      "lib/list.ts",
      "node_modules/small-list/index.js",
      "node_modules/small-list/node_modules/@scope/inner/index.js",
    ]);
    expect(whyImported(imports, "path")).toEqual([
      "pack.ts",
      "lib/list.ts",
      "packsmith/polyfills/path.cjs",
    ]);
    expect(whyImported(imports, "list.ts")).toEqual(["pack.ts", "lib/list.ts"]);
    expect(whyImported(imports, "left-out")).toBeUndefined();
  });

  it("compares two builds part by part, the largest change first", () => {
    const before = [
      { name: "a", bytes: 10 },
      { name: "b", bytes: 5 },
      { name: "same", bytes: 1 },
    ];
    const after = [
      { name: "a", bytes: 12 },
      { name: "c", bytes: 3 },
      { name: "same", bytes: 1 },
    ];
    expect(compareParts(before, after)).toEqual([
      { name: "b", bytes: -5 },
      { name: "c", bytes: 3 },
      { name: "a", bytes: 2 },
    ]);
  });
});
