import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openPack } from "../../src/execute/open-pack.ts";
import * as legacy from "../../src/legacy.ts";
import { chooseCases } from "../support/breadth.ts";
import { createExistingProject, PACK_FILES, PACKS_FOLDER } from "./existing-project.ts";
import {
  ENUMERATIONS,
  LEGACY_ENUMERATIONS,
  LEGACY_TYPES,
  LEGACY_VALUES,
  TYPES,
  VALUES,
} from "./names.ts";
import { typeCheck } from "./type-check.ts";

const code = PACK_FILES.map((file) => readFileSync(join(PACKS_FOLDER, file), "utf8")).join("\n");

describe("Packs that were written for `@codahq/packs-sdk`", () => {
  it("use every name that they may import", () => {
    const names = [
      ...[...VALUES, ...TYPES, ...LEGACY_VALUES, ...LEGACY_TYPES],
      ...Object.keys({ ...ENUMERATIONS, ...LEGACY_ENUMERATIONS }),
    ];
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  });

  it.each(chooseCases([true, false], 2))(
    "type-check under TypeScript 7, strict: %s",
    async (strict) => {
      using project = await createExistingProject({
        module: "ESNext",
        moduleResolution: "bundler",
        strict,
        ...(strict ? {} : { noImplicitAny: false }),
      });
      expect(await typeCheck(project.path, "7")).toBe("");
    },
  );

  it("have typings with each type and with the values that exist, and no others", async () => {
    using project = await createExistingProject({
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
    using project = await createExistingProject({ strict: true });
    const { packs, issues } = await buildPacks(PACK_FILES, { cwd: project.path, outDir: "out" });
    const serious = issues
      .filter(({ severity, code: issue }) => severity === "error" || issue === "BUILD_WARNING")
      .map(({ code: issue, file }) => `${issue} ${file}`);
    expect([...new Set(serious)]).toEqual(["DEPRECATED_KEY legacy.ts"]);
    expect(packs.map(({ name }) => name).sort()).toEqual(
      PACK_FILES.map((file) => file.replace(/\.ts$/, "")).sort(),
    );
  });

  it.each(PACK_FILES)("%s loads in the sandbox", async (file) => {
    await using pack = await openPack(file, { cwd: PACKS_FOLDER });
    const { formulas = [], syncTables = [], agent } = pack.definition;
    expect(formulas.length + syncTables.length + (agent === undefined ? 0 : 1)).toBeGreaterThan(0);
  });
});
