import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import {
  findOwnEntry,
  importsLegacyPackage,
  isAuthoringEntry,
  replaceMissingModule,
} from "../../src/bundle/own-modules.ts";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { createProject } from "./project.ts";

describe("ownEntryOf", () => {
  it.each([
    ["packsmith", "index"],
    ["packsmith/testing", "testing"],
    ["packsmith/service", "service"],
    ["packsmith/node", "node"],
    ["packsmith/vitest", "vitest"],
    ["@codahq/packs-sdk", "legacy"],
    ["@codahq/packs-sdk/dist/development", "legacy-testing"],
    ["@codahq/packs-sdk/dist/development.js", "legacy-testing"],
    ["@codahq/packs-sdk/dist/testing/execution", "legacy-testing"],
    ["@codahq/packs-sdk/dist/legacy_exports", "legacy"],
    ["@codahq/packs-sdk/dist", "legacy"],
    ["@codahq/packs-sdk/dist/index", "legacy"],
    ["@codahq/packs-sdk/dist/schema", "legacy"],
    ["@codahq/packs-sdk/dist/api_types.js", "legacy"],
    ["@codahq/packs-sdk/dist/helpers/ensure", "legacy"],
  ])("takes %s for the entry %s", (specifier, entry) => {
    expect(findOwnEntry(specifier)).toBe(entry);
    expect(existsSync(fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url)))).toBe(true);
  });

  it.each([
    "packsmith/",
    "packsmith/define/pack",
    "packsmith-other",
    "@codahq/packs-sdk/",
    "@codahq/other",
    "__proto__",
    "./packsmith",
  ])("knows nothing of %s", (specifier) => {
    expect(findOwnEntry(specifier)).toBeUndefined();
  });

  it("keeps what needs Node out of Packs", () => {
    expect(
      (["index", "legacy", "service", "testing", "node", "vitest"] as const).filter(
        isAuthoringEntry,
      ),
    ).toEqual(["index", "legacy", "service"]);
  });
});

describe("replaceMissingModule", () => {
  it.each([
    ["sinon", "MODULE_NOT_FOUND", expect.stringMatching(/packages[\\/]sinon\.cjs$/)],
    ["sinon", "ERR_MODULE_NOT_FOUND", expect.stringMatching(/packages[\\/]sinon\.cjs$/)],
    ["sinon", "ERR_PACKAGE_PATH_NOT_EXPORTED", undefined],
    ["chai", "MODULE_NOT_FOUND", undefined],
  ])("%s, which failed with %s", (specifier, code, file) => {
    expect(replaceMissingModule(specifier, Object.assign(new Error(), { code }))).toEqual(file);
  });
});

describe("importsLegacyPackage", () => {
  it.each([
    `import * as coda from "@codahq/packs-sdk";`,
    `import type { Schema } from '@codahq/packs-sdk/dist/schema';`,
    `import "@codahq/packs-sdk";`,
    `const coda = require("@codahq/packs-sdk");`,
    `export { newPack } from "@codahq/packs-sdk";`,
  ])("sees %s", (text) => expect(importsLegacyPackage(text)).toBe(true));

  it.each([
    `import * as sdk from "packsmith";`,
    `import "@codahq/packs-sdk-extra";`,
    `const text = "@codahq/packs-sdk";`,
  ])("does not see it in %s", (text) => expect(importsLegacyPackage(text)).toBe(false));
});

describe("a Pack's imports of this package", () => {
  it("reach the running copy under every name, and give one module", async () => {
    await using project = await createProject({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
import { newPack } from "packsmith";
import { makeStringParameter } from "@codahq/packs-sdk/dist/legacy_exports";
import { ValueType } from "@codahq/packs-sdk/dist/schema";
import { ensureExists } from "@codahq/packs-sdk/dist/helpers/ensure.js";
import type { Formula } from "@codahq/packs-sdk/dist/api";
export const pack = newPack();
const only: Formula[] = pack.formulas;
pack.addFormula({
  name: "Same",
  description: "Whether all names are one module.",
  parameters: [makeStringParameter("text", "Any text.")],
  resultType: ValueType.Boolean,
  execute: async ([text]) => coda.newPack === newPack && ensureExists(text) === text && only.length === 1,
});`,
    });
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    await using isolate = await createIsolate({ code: bundle.code, fileName: "bundle.js" });
    expect(
      isolate.definition.formulas.map(({ name, parameters }) => [name, parameters[0]?.type]),
    ).toEqual([["Same", "string"]]);
  });

  it("keep a small Pack small", async () => {
    const hello = (name: string) => `import { newPack } from "${name}";
export const pack = newPack();
pack.addFormula({ name: "Hi", description: "Says hi.", parameters: [], resultType: "string", execute: async () => "hi" });`;
    await using project = await createProject({
      "new.ts": hello("packsmith"),
      "old.ts": hello("@codahq/packs-sdk/dist/legacy_exports"),
    });
    const [now, old] = await Promise.all(
      ["new.ts", "old.ts"].map((name) => bundlePack({ entry: project.path(name) })),
    );
    expect(old?.bytes).toBe(now?.bytes);
  });

  it.each([
    "packsmith/testing",
    "packsmith/node",
    "packsmith/vitest",
    "@codahq/packs-sdk/dist/development",
  ])("may not bring %s into the bundle", async (specifier) => {
    await using project = await createProject({
      "pack.ts": `import { helper } from "./helper.ts";\nexport const pack = helper;`,
      "helper.ts": `// helps\nimport { executeFormula } from "${specifier}";\nexport const helper = executeFormula;`,
    });
    await expect(bundlePack({ entry: project.path("pack.ts") })).rejects.toMatchObject({
      code: "PACK_BUILD_FAILED",
      details: {
        problems: [
          {
            message: `A Pack cannot import ${specifier}, because this module is only for tests and tools.`,
            file: "helper.ts",
            line: 2,
            column: 32,
          },
        ],
      },
    });
  });

  it("fail with the place and the nearest name when the name does not exist", async () => {
    await using project = await createProject({
      "named.ts": `import { newPak, nope } from "packsmith";\nexport const pack = newPak(nope);`,
      "space.ts": `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.nothing();`,
      "module.ts": `import { newPack } from "packsmith/builder";\nexport const pack = newPack();`,
    });
    await expect(bundlePack({ entry: project.path("named.ts") })).rejects.toMatchObject({
      details: {
        problems: [
          {
            message: `packsmith has no "newPak". Did you mean "newPack"?`,
            file: "named.ts",
            line: 1,
            column: 10,
          },
          { message: `packsmith has no "nope".`, file: "named.ts", line: 1, column: 18 },
        ],
      },
    });
    await expect(bundlePack({ entry: project.path("space.ts") })).rejects.toMatchObject({
      details: {
        problems: [
          { message: `packsmith has no "nothing".`, file: "space.ts", line: 2, column: 26 },
        ],
      },
    });
    await expect(bundlePack({ entry: project.path("module.ts") })).rejects.toMatchObject({
      details: {
        problems: [
          { message: `packsmith has no module "packsmith/builder".`, file: "module.ts", line: 1 },
        ],
      },
    });
  });

  it("leave the same mistake in another package a warning", async () => {
    await using project = await createProject({
      "pack.ts": `import * as library from "library";\nexport const pack = { formulas: [], extra: library.later };`,
      "node_modules/library/package.json": `{ "name": "library", "type": "module", "main": "index.js" }`,
      "node_modules/library/index.js": "export const now = 1;",
    });
    const { issues } = await bundlePack({ entry: project.path("pack.ts") });
    expect(issues).toMatchObject([{ code: "BUILD_WARNING", line: 2 }]);
  });
});
