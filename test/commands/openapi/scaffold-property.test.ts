import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scaffoldPack } from "../../../src/commands/openapi/scaffold.ts";
import { validatePacks } from "../../../src/commands/validate-packs.ts";
import { isPackError } from "../../../src/errors.ts";
import { isProgram } from "../../../src/validate/source-module.ts";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { descriptions } from "./descriptions.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

it("every description gives a Pack that parses, has no problem, is formatted and type-checks, or says why not", {
  timeout: 180_000,
}, async () => {
  using folder = makeTemporaryFolder();
  linkPackages(folder.path);
  const written: string[] = [];
  await fc.assert(
    fc.asyncProperty(descriptions, async (description) => {
      const source = join(folder.path, "openapi.json");
      await writeFile(source, JSON.stringify(description));
      const scaffold = await scaffoldPack(source, folder.path).catch((error: unknown) => {
        if (isPackError(error, "DESCRIPTION_UNREADABLE") || isPackError(error, "DESCRIPTION_REFERENCE")) return undefined;
        throw error;
      });
      if (scaffold === undefined) return;
      for (const [path, text] of scaffold.files) {
        expect(isProgram({ path, text })).toBe(true);
        await writeFile(join(folder.path, `${written.length}-${path}`), text);
      }
      written.push(`${written.length}-pack.ts`);
    }),
    { numRuns: Number(process.env["R"] ?? 60), ...(process.env["S"] ? { seed: Number(process.env["S"]) } : {}) },
  );
  expect(written.length).toBeGreaterThan(30);
  await check(folder.path, written);
});

async function check(cwd: string, files: readonly string[]): Promise<void> {
  const { issues } = await validatePacks(files, { cwd, types: false });
  expect(issues).toEqual([]);
  await writeFile(
    join(cwd, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "templates/_shared/tsconfig.json"), include: ["*.ts"] }),
  );
  expect(await outputOf("node_modules/typescript/bin/tsc", ["-p", "."], cwd)).toBe("");
  await writeFile(join(cwd, "biome.json"), JSON.stringify({ extends: [join(root, ".biome.json")], root: true, vcs: { enabled: false } }));
  const tests = files.map((file) => file.replace("pack.ts", "pack.test.ts"));
  expect(
    await outputOf("node_modules/@biomejs/biome/bin/biome", ["check", "--colors=off", "--linter-enabled=false", ...files, ...tests], cwd),
  ).toMatch(new RegExp(`^Checked ${files.length + tests.length} files in .* No fixes applied\\.\\n$`));
}

async function outputOf(script: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(root, script), ...args], { cwd, maxBuffer: 50_000_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`;
}
