import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type CompilerVersion, typeCheck } from "./type-check.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const head = `import { newPack, StatusCodeError, ValueType } from "packsmith";
export const pack = newPack();
`;

const formula = (index: number, execute: string) => `pack.addFormula({
  name: "Formula${index}",
  description: "Reads a task.",
  parameters: [],
  resultType: ValueType.String,
  execute: async (args, context) => {
    ${execute}
  },
});
`;

async function listErrors(text: string, version: CompilerVersion): Promise<string[]> {
  using project = makeTemporaryFolder();
  mkdirSync(join(project.path, "node_modules"));
  symlinkSync(root, join(project.path, "node_modules", "packsmith"), "junction");
  writeFileSync(join(project.path, "pack.ts"), text);
  const compilerOptions = { strict: true, module: "nodenext", target: "es2022", types: [] };
  writeFileSync(
    join(project.path, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ["pack.ts"] }),
  );
  return (await typeCheck(project.path, version)).split("\n").filter((line) => line !== "");
}

/** Checks the types of bodies with a compiler. */
export function checkUntypedBodies(version: CompilerVersion): void {
  describe(`the body of a response, with TypeScript ${version}`, () => {
    it("can be read without a type in each of 200 formulas, as with the published types", async () => {
      const request = '{ method: "GET", url: "https://tasks.example" }';
      const formulas = Array.from({ length: 200 }, (_, index) =>
        formula(
          index,
          index % 2 === 0
            ? `const response = await context.fetcher.fetch(${request});
    return response.body.items[0].name;`
            : `try {
      return (await context.fetcher.fetch(${request})).body.title;
    } catch (error) {
      return error instanceof StatusCodeError ? error.body.message : "";
    }`,
        ),
      );
      expect(await listErrors(head + formulas.join(""), version)).toEqual([]);
    });

    it("has the type that the request declares", async () => {
      const request = '{ method: "GET", url: "https://tasks.example" }';
      const text = [
        formula(
          1,
          `return (await context.fetcher.fetch<{ name: string }>(${request})).body?.name ?? "";`,
        ),
        formula(
          2,
          `return (await context.fetcher.fetch<{ name: string }>(${request})).body?.nome ?? "";`,
        ),
      ].join("");
      expect(await listErrors(head + text, version)).toEqual([
        expect.stringMatching(/^pack\.ts\(18,\d+\): error TS\d+: Property 'nome' does not exist/),
      ]);
    });
  });
}
