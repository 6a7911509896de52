import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { adoptProject } from "../../src/init/adopt-project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type CompilerVersion, typeCheck } from "./type-check.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const OLDER = `import * as coda from "@codahq/packs-sdk";
import type { Schema } from "@codahq/packs-sdk/dist/schema";
import { makeStringParameter } from "@codahq/packs-sdk/dist/legacy_exports";

export const pack = coda.newPack();
export const schema: Schema = { type: coda.ValueType.String };
pack.addFormula({
  name: "Join",
  description: "Joins texts.",
  parameters: [makeStringParameter("first", "Any text."), makeStringParameter("second", "Any text.", { optional: true })],
  resultType: coda.ValueType.String,
  execute: async function ([first, second], context) {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://api.example/" });
    const text: string = first + body.items[0].name;
    // @ts-expect-error there are two parameters
    const wrong: number = first;
    return text + second + wrong;
  },
});
// @ts-expect-error there is no such name
coda.nope;
`;

const ENTRIES = `import { newPack } from "packsmith";
import { buildPacks } from "packsmith/node";
import { createServiceClient } from "packsmith/service";
import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { executeFormula } from "packsmith/testing";
import { packsmith } from "packsmith/vitest";

export const pack = newPack();
export const run: typeof executeFormula = executeFormula;
export const name: string = packsmith().name;
pack.addFormula({
  name: "Ask",
  description: "Asks.",
  parameters: [],
  resultType: "string",
  execute: async (_args, context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://api.example/" });
    const typed = await context.fetcher.fetch<{ name: string }>({ method: "GET", url: "https://api.example/" });
    // @ts-expect-error the type of the body is known
    typed.body.title;
    return body.name;
  },
});
// @ts-expect-error none of them is a number: their types are found
export const a: number = newPack;
// @ts-expect-error
export const b: number = buildPacks;
// @ts-expect-error
export const c: number = createServiceClient;
// @ts-expect-error
export const d: number = executeFormulaFromPackDef;
`;

interface Setting {
  version: CompilerVersion;
  module: string;
  moduleResolution: string;
}

/** Checks the types of projects with these settings. */
export function checkTypeResolution(settings: readonly Setting[]): void {
  describe("the typings of this package, linked into a project", () => {
    it.each(settings)(
      "resolve under TypeScript $version with moduleResolution $moduleResolution, strict or not",
      async ({ version, ...options }) => {
        using folder = makeTemporaryFolder();
        writeFileSync(join(folder.path, "older.ts"), OLDER);
        writeFileSync(join(folder.path, "entries.ts"), ENTRIES);
        linkPackages(folder.path);
        const common = { ...options, target: "ES2020", lib: ["ES2020"], noEmit: true, types: [] };
        const write = (compilerOptions: object, files: string[]) =>
          writeFileSync(
            join(folder.path, "tsconfig.json"),
            JSON.stringify({ compilerOptions, files }),
          );
        // Packs have no Node and often no skipLibCheck; the entries for tools build on Node's types.
        write({ ...common, strict: true, skipLibCheck: false }, ["older.ts"]);
        await adoptProject(folder.path);
        expect(await typeCheck(folder.path, version)).toBe("");
        write({ ...common, strict: false, noImplicitAny: false, skipLibCheck: false }, [
          "older.ts",
        ]);
        await adoptProject(folder.path);
        expect(await typeCheck(folder.path, version)).toBe("");
        write({ ...common, strict: true, skipLibCheck: true }, ["entries.ts"]);
        await adoptProject(folder.path);
        expect(await typeCheck(folder.path, version)).toBe("");
      },
    );
  });
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "packsmith"), "junction");
  symlinkSync(
    join(root, "node_modules", "@types", "node"),
    join(folder, "node_modules", "@types", "node"),
    "junction",
  );
}
