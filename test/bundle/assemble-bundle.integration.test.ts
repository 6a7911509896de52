import { describe, expect, it } from "vitest";
import { asScript } from "../../src/bundle/assemble-bundle.ts";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { outputFormat } from "../../src/bundle/bundle-plan.ts";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { createProject } from "./project.ts";

describe("the exports of a bundle", () => {
  it("become members of module.exports, under their own names", () => {
    expect(asScript('"use strict";\nlet a=1,b=2;export{a as pack,b};\n')).toBe(
      '"use strict";\nlet a=1,b=2;module.exports={pack:a,b:b};\n',
    );
    expect(asScript("let pack = 1;\nexport {\n  pack,\n  other as default\n};\n")).toBe(
      "let pack = 1;\nmodule.exports = { pack: pack, default: other };\n",
    );
  });

  it("stay where the text of a Pack only looks like them", () => {
    const code = 'const text = "export{a as pack};\\n";\nmodule.exports = {};\n';
    expect(asScript(code)).toBe(code);
  });

  it.each([
    ['import { newPack } from "packsmith";\nexport const pack = newPack();', "esm"],
    ['export * from "./other.js";', "cjs"],
    ["exports.pack = {};", "cjs"],
    ["module.exports = { pack: {} };", "cjs"],
  ])("%j is written as %s", (text, format) => {
    expect(outputFormat(text)).toBe(format);
  });

  it.each([
    [
      "a constant",
      'import { newPack } from "packsmith";\nexport const pack = newPack().setVersion("7");',
      true,
    ],
    [
      "a constant, not minified",
      'import { newPack } from "packsmith";\nexport const pack = newPack().setVersion("7");',
      false,
    ],
    [
      "another name",
      'import { newPack } from "packsmith";\nconst mine = newPack().setVersion("7");\nexport { mine as manifest };',
      true,
    ],
    ["a re-export", 'export { pack } from "./lib.ts";', true],
    ["every export of an ES module", 'export * from "./lib.ts";', true],
    ["every export of a CommonJS module", 'export * from "./lib.cjs";', true],
    [
      "CommonJS",
      'const { newPack } = require("packsmith");\nexports.pack = newPack().setVersion("7");',
      true,
    ],
    ["a complete CommonJS module", 'module.exports = require("./lib.cjs");', false],
  ])("are found by the sandbox: %s", async (_, text, minify) => {
    await using project = await createProject({
      "pack.ts": text,
      "lib.ts":
        'import { newPack } from "packsmith";\nexport const pack = newPack().setVersion("7");',
      "lib.cjs": 'exports.pack = require("packsmith").newPack().setVersion("7");',
    });
    const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory, minify });
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    expect(isolate.definition.version).toBe("7");
  });

  it("are listed when none of them is the Pack", async () => {
    await using project = await createProject({
      "pack.ts": "export const a = 1;\nexport default 2;",
    });
    const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
    await expect(createIsolate({ code, fileName: "bundle.js" })).rejects.toMatchObject({
      code: "PACK_EXPORT_MISSING",
      details: { exports: ["a", "default"] },
    });
  });
});
