import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { hasLegacyTypes, unresolvedTypes } from "../../src/bundle/type-resolution.ts";
import { createProject } from "./project.ts";

const PACK = `// An older Pack.\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const PATHS = `"paths": { "@codahq/packs-sdk": ["./node_modules/packsmith/dist/index.d.ts"] }`;

describe("a Pack that imports the older name", () => {
  it("builds with one warning, at its import, when a type checker cannot resolve that name", async () => {
    await using project = await createProject({
      "pack.ts": PACK,
      "tsconfig.json": `{ "compilerOptions": { /* ${PATHS} */ } }`,
    });
    const { issues } = await bundlePack({ entry: project.path("pack.ts") });
    expect(issues).toEqual([
      {
        code: "BUILD_WARNING",
        severity: "warning",
        message:
          "The Pack builds, but a type checker cannot find @codahq/packs-sdk. The package is not installed, and tsconfig.json does not map its name to packsmith.",
        path: "",
        file: "pack.ts",
        line: 2,
        column: 23,
        hint: "Run packsmith init in the project folder to add the mapping to tsconfig.json.",
      },
    ]);
  });

  it.each([
    ["@codahq/packs-sdk is installed", { "node_modules/@codahq/packs-sdk/package.json": "{}" }],
    [
      "the paths are in tsconfig.json",
      { "tsconfig.json": `{ // paths\n "compilerOptions": { ${PATHS} } }` },
    ],
    [
      "a pattern covers the name",
      { "tsconfig.json": `{ "compilerOptions": { "paths": { "@codahq/*": ["./types/*"] } } }` },
    ],
    [
      "the paths are in a configuration that tsconfig.json extends",
      {
        "tsconfig.json": `{ "extends": "./config/base" }`,
        "config/base.json": `{ "compilerOptions": { ${PATHS} } }`,
      },
    ],
    [
      "they are in one of several",
      {
        "tsconfig.json": `{ "extends": ["./a.json", "./b.json"] }`,
        "a.json": "{}",
        "b.json": `{ "compilerOptions": { ${PATHS} } }`,
      },
    ],
    [
      "they are in a package",
      {
        "tsconfig.json": `{ "extends": "base" }`,
        "node_modules/base/tsconfig.json": `{ "compilerOptions": { ${PATHS} } }`,
      },
    ],
    ["it is JavaScript", { "pack.js": PACK }],
  ])("builds without a warning when %s", async (_, files: Record<string, string>) => {
    await using project = await createProject({ "pack.ts": PACK, ...files });
    const { issues } = await bundlePack({
      entry: project.path("pack.js" in files ? "pack.js" : "pack.ts"),
    });
    expect(issues).toEqual([]);
  });

  it("says nothing about Packs that import packsmith", () => {
    expect(
      unresolvedTypes(
        [{ path: "pack.ts", text: `import { newPack } from "packsmith";` }],
        "/nowhere",
      ),
    ).toEqual([]);
  });
});

describe("hasLegacyTypes", () => {
  it("ends on configurations that extend each other, and on broken ones", async () => {
    await using project = await createProject({
      "loop/tsconfig.json": `{ "extends": "./other.json" }`,
      "loop/other.json": `{ "extends": "./tsconfig.json" }`,
      "broken/tsconfig.json": `{ "extends": `,
    });
    expect(hasLegacyTypes(project.path("loop"))).toBe(false);
    expect(hasLegacyTypes(project.path("broken"))).toBe(false);
  });
});
