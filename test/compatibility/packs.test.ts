import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import { adoptProject } from "../../src/init/adopt-project.ts";
import * as legacy from "../../src/legacy.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  ENUMERATIONS,
  LEGACY_ENUMERATIONS,
  LEGACY_TYPES,
  LEGACY_VALUES,
  TYPES,
  VALUES,
} from "./names.ts";
import { type CompilerVersion, typeCheck } from "./type-check.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL("packs/", import.meta.url));
const files = readdirSync(folder);
const code = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");

/**
 * A project of existing Packs, as its author has it: their sources, packsmith, and a tsconfig.json
 * that init has seen.
 */
async function createProject(compilerOptions: { strict: boolean; [name: string]: unknown }) {
  const project = makeTemporaryFolder();
  for (const file of files) copyFileSync(join(folder, file), join(project.path, file));
  mkdirSync(join(project.path, "node_modules"));
  symlinkSync(root, join(project.path, "node_modules", "packsmith"), "junction");
  const common = { target: "ES2020", lib: ["ES2020", "DOM"], types: [], noEmit: true };
  // One of them was never checked strictly.
  const exclude = ["node_modules", ...(compilerOptions.strict ? ["loose.ts"] : [])];
  writeFileSync(
    join(project.path, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, exclude }),
  );
  await adoptProject(project.path);
  return project;
}

describe("Packs that were written for `@codahq/packs-sdk`", () => {
  it("use every name that they may import", () => {
    const names = [
      ...[...VALUES, ...TYPES, ...LEGACY_VALUES, ...LEGACY_TYPES],
      ...Object.keys({ ...ENUMERATIONS, ...LEGACY_ENUMERATIONS }),
    ];
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  });

  it.each([
    { version: "5.9", module: "CommonJS", moduleResolution: "node", strict: true },
    { version: "5.9", module: "CommonJS", moduleResolution: "node", strict: false },
    { version: "7", module: "ESNext", moduleResolution: "bundler", strict: true },
    { version: "7", module: "ESNext", moduleResolution: "bundler", strict: false },
  ])(
    "type-check under TypeScript $version, strict: $strict",
    async ({ version, strict, ...modules }) => {
      using project = await createProject({
        ...modules,
        strict,
        ...(strict ? {} : { noImplicitAny: false }),
      });
      expect(await typeCheck(project.path, version as CompilerVersion)).toBe("");
    },
  );

  it("have typings with each type and with the values that exist, and no others", async () => {
    using project = await createProject({
      module: "ESNext",
      moduleResolution: "bundler",
      strict: true,
    });
    const names = [...TYPES, ...LEGACY_TYPES];
    const values = Object.keys(legacy).map((name) => JSON.stringify(name));
    writeFileSync(
      join(project.path, "names.ts"),
      `import type * as coda from "@codahq/packs-sdk";
export type { ${[...new Set(names)].join(", ")} } from "@codahq/packs-sdk";
export const missing: (keyof typeof coda)[] = [${values.join(", ")}];
export const more: Exclude<keyof typeof coda, ${values.join(" | ")}>[] = [] as never[];
export const none: never[] = more;
`,
    );
    expect(await typeCheck(project.path, "7")).toBe("");
  });

  it("build without an error or a warning about this package, except that the platform refuses the oldest keys", async () => {
    using project = await createProject({ strict: true });
    const { packs, issues } = await buildPacks(files, { cwd: project.path, outDir: "out" });
    const serious = issues
      .filter(({ severity, code: issue }) => severity === "error" || issue === "BUILD_WARNING")
      .map(({ code: issue, file }) => `${issue} ${file}`);
    expect([...new Set(serious)]).toEqual(["DEPRECATED_KEY legacy.ts"]);
    expect(packs.map(({ name }) => name).sort()).toEqual(
      files.map((file) => file.replace(/\.ts$/, "")).sort(),
    );
  });

  it.each(files)("%s loads in the sandbox", async (file) => {
    await using pack = await openPack(file, { cwd: folder });
    const { formulas = [], syncTables = [], agent } = pack.definition;
    expect(formulas.length + syncTables.length + (agent === undefined ? 0 : 1)).toBeGreaterThan(0);
  });
});
