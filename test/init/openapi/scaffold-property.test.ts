import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { validatePacks } from "../../../src/build/validate-packs.ts";
import { isPackError } from "../../../src/errors.ts";
import { scaffoldPack } from "../../../src/init/openapi/scaffold.ts";
import { isProgram } from "../../../src/validate/source-module.ts";
import { linkPackages, runVitest } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { descriptions } from "./descriptions.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

it("every description gives a Pack that has no problem, is formatted, type-checks and passes its test, or says why not", {
  timeout: 240_000,
}, async () => {
  using folder = makeTemporaryFolder();
  linkPackages(folder.path);
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
  let written = 0;
  await fc.assert(
    fc.asyncProperty(descriptions, async (description) => {
      const source = join(folder.path, "openapi.json");
      await writeFile(source, JSON.stringify(description));
      const scaffold = await scaffoldPack(source, folder.path).catch((error: unknown) => {
        if (isPackError(error, "DESCRIPTION_UNREADABLE") || isPackError(error, "DESCRIPTION_REFERENCE")) return undefined;
        throw error;
      });
      if (scaffold === undefined) return;
      await mkdir(join(folder.path, `pack${written}`));
      for (const [path, text] of scaffold.files) {
        expect(isProgram({ path, text })).toBe(true);
        await writeFile(join(folder.path, `pack${written}`, path), text);
      }
      written++;
    }),
    { numRuns: RUNS },
  );
  expect(written).toBeGreaterThan(RUNS / 2);
  await check(folder.path, written);
});

/** Checks all Packs in one process, because starting a compiler takes longer than checking a Pack. */
async function check(cwd: string, count: number): Promise<void> {
  const folders = Array.from({ length: count }, (_, index) => `pack${index}`);
  const { issues } = await validatePacks(
    folders.map((folder) => `${folder}/pack.ts`),
    { cwd, types: false },
  );
  expect(issues).toEqual([]);
  const { compilerOptions } = JSON.parse(await readFile(join(root, "templates/_shared/tsconfig.json"), "utf8"));
  await writeFile(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, ...STRICTER }, include: folders }));
  expect(await outputOf("node_modules/typescript/bin/tsc", ["-p", "."], cwd)).toBe("");
  await writeFile(join(cwd, "biome.json"), JSON.stringify({ extends: [join(root, ".biome.json")], root: true, vcs: { enabled: false } }));
  const formatted = await outputOf(
    "node_modules/@biomejs/biome/bin/biome",
    ["check", "--colors=off", "--linter-enabled=false", ...folders],
    cwd,
  );
  expect(formatted).toMatch(new RegExp(`^Checked ${count * 2} files in .* No fixes applied\\.\\n$`));
  for (const name of folders.slice(0, RUN_TESTS)) {
    const text = await readFile(join(cwd, name, "pack.test.ts"), "utf8");
    // The tests run in one process, outside the folders of the Packs.
    await writeFile(join(cwd, `${name}.test.ts`), text.replace('"pack.ts"', `"${name}/pack.ts"`));
  }
  await writeFile(join(cwd, "vitest.config.ts"), `export default { test: { include: ["*.test.ts"], maxWorkers: 1, isolate: false } };`);
  const tested = await runVitest(cwd);
  expect(tested.code, tested.output).toBe(0);
}

const RUNS = 40;
/** The number of Packs whose tests are run. */
const RUN_TESTS = 12;
/** Flags that a careful author sets. */
const STRICTER = {
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
};

async function outputOf(script: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(root, script), ...args], { cwd, maxBuffer: 50_000_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return `${stdout}${stderr}`;
}
