import { chmod } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import type { BundleOptions } from "../../src/bundle/bundle-plan.ts";
import { isPackError } from "../../src/errors.ts";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { createProject } from "./project.ts";

const PACK = `import { greet } from "./lib/greet.ts";
export const pack = { networkDomains: [], formulas: [{ name: "Hello", execute: async ([name]: [string]) => greet(name) }] };
`;
const GREET = `export class Greeting { constructor(readonly name: string) {} }
export function greet(name: string): string { return new Greeting(name)?.name ?? "nobody"; }
`;

async function catchFailure(options: BundleOptions) {
  const error: unknown = await bundlePack(options).then(
    () => undefined,
    (reason) => reason,
  );
  if (!isPackError(error)) throw new TypeError(`not a PackError: ${error}`);
  return error;
}

describe("bundlePack", () => {
  it("gives one strict script that the sandbox runs, with names kept", async () => {
    await using project = await createProject({ "tasks.ts": PACK, "lib/greet.ts": GREET });
    const bundle = await bundlePack({ entry: project.path("tasks.ts") });
    expect(bundle.name).toBe("tasks");
    expect(bundle.code.startsWith(`"use strict";`)).toBe(true);
    expect(bundle.code).toContain(`"Greeting"`);
    expect(bundle.code).not.toContain("sourceMappingURL");
    expect(bundle.inputs.map(({ path }) => path)).toEqual(["lib/greet.ts", "tasks.ts"]);
    expect(bundle.sources.map(({ path }) => path)).toEqual(["tasks.ts", "lib/greet.ts"]);
    expect(JSON.parse(bundle.sourceMap).sourcesContent).toContain(GREET);
    await using isolate = await createIsolate({ code: bundle.code, fileName: "bundle.js" });
    expect(isolate.definition.formulas).toHaveLength(1);
  });

  it.each([true, false])(
    "gives the same bytes from another folder (minify: %s)",
    async (minify) => {
      const files = {
        "pack.ts": `import * as sdk from "packsmith";\nexport const used = sdk;\n${PACK}`,
        "lib/greet.ts": GREET,
      };
      await using first = await createProject(files, "same");
      await using second = await createProject(files, "deeper/and/deeper/same");
      const [a, b] = await Promise.all(
        [first, second].map((project) => bundlePack({ entry: project.path("pack.ts"), minify })),
      );
      expect(a?.code).toBe(b?.code);
      expect(a?.sourceMap).toBe(b?.sourceMap);
      expect(a?.inputs).toEqual(b?.inputs);
      expect(JSON.stringify(a?.code) + a?.sourceMap).not.toContain("/tmp");
    },
  );

  it.each([
    ["succeeds", PACK, "done"],
    ["fails", "export const pack = {;", "PACK_BUILD_FAILED"],
  ])("says once when esbuild starts, before a build that %s ends", async (_, text, end) => {
    await using project = await createProject({ "pack.ts": text, "lib/greet.ts": GREET });
    const order: unknown[] = [];
    await bundlePack({ entry: project.path("pack.ts"), onStart: () => order.push("start") }).then(
      () => order.push("done"),
      (error: unknown) => order.push(isPackError(error) && error.code),
    );
    expect(order).toEqual(["start", end]);
  });

  it("builds with a package that leaves out a file for browsers and names it without its extension", async () => {
    await using project = await createProject({
      "pack.ts": `import inspected from "inspected";\nexport const pack = { inspected };`,
      "node_modules/inspected/package.json": JSON.stringify({
        name: "inspected",
        browser: { "./util.inspect.js": false },
      }),
      "node_modules/inspected/index.js": `module.exports = require("./util.inspect").custom;`,
      "node_modules/inspected/util.inspect.js": `module.exports = require("util").inspect;`,
    });
    expect(
      (await bundlePack({ entry: project.path("pack.ts") })).inputs.map(({ path }) => path),
    ).toContain("node_modules/inspected/index.js");
  });

  it("finds a relative entry from the given folder", async () => {
    await using project = await createProject({ "src/pack.ts": "export const pack = {};" });
    expect(await bundlePack({ entry: "src/pack.ts", cwd: project.directory })).toMatchObject({
      name: "project",
    });
  });

  it("explains a module of Node by its import chain", async () => {
    await using project = await createProject({
      "pack.ts": `import { read } from "./lib/io.ts";\nexport const pack = { read };`,
      "lib/io.ts": `// reads\nimport { readFileSync } from "node:fs";\nexport const read = readFileSync;`,
    });
    const error = await catchFailure({ entry: project.path("pack.ts") });
    expect(error).toMatchObject({
      code: "PACK_BUILD_FAILED",
      details: {
        problems: [
          {
            message:
              "node:fs is a Node module that the Pack runtime does not have: pack.ts → lib/io.ts → node:fs",
            file: "lib/io.ts",
            line: 2,
            column: 30,
          },
        ],
      },
    });
  });

  it("reports syntax errors with their positions, all of them", async () => {
    await using project = await createProject({
      "pack.ts": `import "./first.ts";\nimport "./other.ts";`,
      "first.ts": "export const pack = {\n  name: = 1,\n};",
      "other.ts": "const const = 1;",
    });
    const error = await catchFailure({ entry: project.path("pack.ts") });
    expect(error.details).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ file: "first.ts", line: 2, column: 9 }),
        expect.objectContaining({ file: "other.ts", line: 1, column: 7 }),
      ]),
    });
  });

  it("says which package to install", async () => {
    await using project = await createProject({
      "pack.ts": `import x from "@scope/left-out/deep";\nexport const pack = x;`,
    });
    expect(await catchFailure({ entry: project.path("pack.ts") })).toMatchObject({
      code: "PACK_BUILD_FAILED",
      hint: "Run npm i @scope/left-out.",
    });
  });

  it("says that a file does not exist, or cannot be read", async () => {
    await using project = await createProject({
      "pack.ts": `import "./gone.ts";`,
      "locked.ts": "",
    });
    expect(await catchFailure({ entry: project.path("missing.ts") })).toMatchObject({
      code: "PACK_FILE_UNREADABLE",
    });
    expect(await catchFailure({ entry: project.directory })).toMatchObject({
      code: "PACK_FILE_UNREADABLE",
    });
    expect(await catchFailure({ entry: project.path("pack.ts") })).toMatchObject({
      code: "PACK_BUILD_FAILED",
      message: expect.stringContaining("./gone.ts"),
    });
    await chmod(project.path("locked.ts"), 0);
    if (process.getuid?.() !== 0) {
      expect(await catchFailure({ entry: project.path("locked.ts") })).toMatchObject({
        code: "PACK_FILE_UNREADABLE",
      });
    }
  });

  it("leaves no import() in the bundle", async () => {
    await using project = await createProject({
      "pack.ts": `export const pack = { load: () => import("./lib.ts"), other: (name: string) => import(name), formulas: [] };`,
      "lib.ts": "export const x = 1;",
    });
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    await using isolate = await createIsolate({ code: bundle.code, fileName: "bundle.js" });
    expect(isolate.definition).toBeDefined();
  });

  it("brings nothing of node_modules into a Pack that imports packsmith alone", async () => {
    await using project = await createProject({
      "pack.ts": `import * as sdk from "@codahq/packs-sdk";\nexport const pack = { sdk };`,
    });
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    expect(bundle.inputs.filter(({ path }) => path.includes("node_modules"))).toEqual([]);
    expect(
      bundle.inputs.every(({ path }) => path === "pack.ts" || path.startsWith("packsmith/")),
    ).toBe(true);
  });
});
