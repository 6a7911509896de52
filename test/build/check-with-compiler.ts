import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTypes } from "../../src/build/type-check.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { makeProject } from "../support/project.ts";

export const PACK = `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets someone.",
  parameters: [makeParameter({ type: ParameterType.String, name: "name", description: "Whom." })],
  resultType: ValueType.String,
  execute: ([name]) => \`Hello \${name}!\`,
});
`;
export const WRONG = PACK.replace(/execute: .*,/, "execute: ([name]) => name.length,");
export const STRICT = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: "nodenext",
    target: "es2022",
    types: [],
    skipLibCheck: false,
  },
});

/** The folder of a configuration, in TypeScript 5.5 and later. */
export const HERE = ["$", "{configDir}"].join("");

export const shown = ({
  issues,
}: {
  issues: { code: string; file?: string | undefined; line?: number | undefined; message: string }[];
}) =>
  issues.map(
    ({ code, file, line, message }) => `${code} ${file}:${line} ${message.split("\n")[0]}`,
  );

/** Checks Packs with a compiler. */
export function checkWithCompiler(typescript: "typescript" | "typescript-5.9"): void {
  // Some of the projects have a compiler of their own.
  beforeAll(() => useTrust({ env: process.env, all: true }));
  afterAll(() => useTrust({ env: process.env }));

  describe(`checkTypes with ${typescript}`, () => {
    it("finds nothing in a Pack without errors, with and without a tsconfig.json", async () => {
      using project = makeProject(
        { "bare/pack.ts": PACK, "strict/pack.ts": PACK, "strict/tsconfig.json": STRICT },
        typescript,
      );
      expect(await checkTypes(["bare/pack.ts", "strict/pack.ts"], { cwd: project.path })).toEqual({
        issues: [],
        unchecked: [],
      });
    });

    it("writes nothing that a tsconfig.json asks for", async () => {
      const compilerOptions = {
        generateTrace: "trace",
        generateCpuProfile: "profile.cpuprofile",
        outFile: "out.js",
        outDir: "out",
        declaration: true,
        declarationDir: "declared",
        incremental: true,
        composite: true,
        tsBuildInfoFile: "info",
        sourceMap: true,
        module: "esnext",
        target: "es2022",
      };
      using project = makeProject(
        { "pack.ts": PACK, "tsconfig.json": JSON.stringify({ compilerOptions }) },
        typescript,
      );
      await checkTypes(["pack.ts"], { cwd: project.path });
      expect(readdirSync(project.path).sort()).toEqual([
        "node_modules",
        "pack.ts",
        "tsconfig.json",
      ]);
    });

    it("reports what the compiler does, in the Pack and in its files of types, with places that can be opened", async () => {
      using project = makeProject(
        {
          "a/pack.ts": `import type { Row } from "./types";\n${WRONG}export const row: Row = { id: "x" };\n`,
          "a/types.ts": "export interface Row { id: Nope }\n",
        },
        typescript,
      );
      const { issues } = await checkTypes(["a/pack.ts"], { cwd: project.path });
      expect(issues.map(({ file, line, column }) => ({ file, line, column }))).toEqual([
        { file: "a/pack.ts", line: 9, column: 24 },
        { file: "a/types.ts", line: 1, column: 28 },
      ]);
      expect(shown({ issues })[1]).toBe(
        "TYPE_ERROR a/types.ts:1 Cannot find name 'Nope'. (TS2304)",
      );
      expect(issues[0]?.message.split("\n", 1)[0]?.length).toBeLessThan(200);
    });

    it("keeps the project's options and paths, and leaves nothing behind", async () => {
      const config = `{
      // comments and trailing commas are fine
      "compilerOptions": { "strict": false, "module": "nodenext", "rootDir": "other", "outDir": "out", "composite": true, "types": [], "paths": { "~/*": ["./lib/*"], }, },
      "include": ["nothing"],
    }`;
      using project = makeProject(
        {
          "tsconfig.json": config,
          "lib/row.ts": "export const row = null;\n",
          "pack.ts": `import { row } from "~/row";\nimport * as coda from "@codahq/packs-sdk";\nexport const text: string = row;\nexport const pack = coda.newPack();\nexport const wrong: number = "";\n`,
        },
        typescript,
      );
      expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([
        "TYPE_ERROR pack.ts:5 Type 'string' is not assignable to type 'number'. (TS2322)",
      ]);
      expect(readdirSync(join(project.path, "node_modules", ".cache"))).toEqual([]);
      expect(existsSync(join(project.path, "tsconfig.tsbuildinfo"))).toBe(false);
    });

    it("finds what a configuration names by its folder, also when that is inherited", async () => {
      const compilerOptions = {
        strict: true,
        module: "esnext",
        moduleResolution: "bundler",
        target: "es2022",
        paths: { "~/*": [`${HERE}/lib/*`] },
        typeRoots: [`${HERE}/types`],
        types: ["own"],
      };
      using project = makeProject(
        {
          "a/tsconfig.json": '{ "extends": "../base.json" }',
          "base.json": JSON.stringify({ compilerOptions }),
          "a/lib/row.ts": 'export const row = "row";\n',
          "a/types/own/index.d.ts": "declare const known: string;\n",
          "a/pack.ts": `import { newPack } from "packsmith";\nimport { row } from "~/row";\nexport const pack = newPack();\nexport const text: number = row + known;\n`,
        },
        typescript,
      );
      expect(shown(await checkTypes(["a/pack.ts"], { cwd: project.path }))).toEqual([
        "TYPE_ERROR a/pack.ts:4 Type 'string' is not assignable to type 'number'. (TS2322)",
      ]);
    });

    it("finds this package's typings under the other names, too", async () => {
      const text = `import { newPack } from "@codahq/packs-sdk";
import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { createServiceClient } from "packsmith/service";
export const pack = newPack();
export const used: unknown[] = [executeFormulaFromPackDef, createServiceClient];
`;
      using project = makeProject({ "pack.ts": text, "tsconfig.json": STRICT }, typescript);
      expect(shown(await checkTypes(["pack.ts"], { cwd: project.path }))).toEqual([]);
    });
  });
}
