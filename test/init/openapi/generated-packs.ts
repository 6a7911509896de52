import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { validatePacks } from "../../../src/build/validate-packs.ts";
import type { Scaffold } from "../../../src/init/openapi/scaffold.ts";
import { isProgram } from "../../../src/validate/source-module.ts";
import { linkPackages, runVitest } from "../../support/child-vitest.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

/** A folder in which generated Packs can be checked, all of them in one process. */
export async function prepareFolder(cwd: string): Promise<void> {
  linkPackages(cwd);
  await writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module" }));
}

export async function writeGenerated(
  cwd: string,
  name: string,
  { files }: Scaffold,
): Promise<void> {
  await mkdir(join(cwd, name));
  for (const [path, text] of files) {
    expect(isProgram({ path, text })).toBe(true);
    await writeFile(join(cwd, name, path), text);
  }
}

/**
 * Expects that Packs have no problem, type-check with strict flags and are formatted, and that the
 * tests of some of them pass.
 */
export async function checkGenerated(
  cwd: string,
  folders: readonly string[],
  tested: readonly string[] = folders,
): Promise<void> {
  const { issues } = await validatePacks(
    folders.map((folder) => `${folder}/pack.ts`),
    { cwd, types: false },
  );
  expect(issues).toEqual([]);
  const { compilerOptions } = JSON.parse(
    await readFile(join(root, "templates/_shared/tsconfig.json"), "utf8"),
  );
  await writeFile(
    join(cwd, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...STRICTER }, include: folders }),
  );
  expect(await readOutput("node_modules/typescript/bin/tsc", ["-p", "."], cwd)).toBe("");
  await writeFile(
    join(cwd, "biome.json"),
    JSON.stringify({ extends: [join(root, ".biome.json")], root: true, vcs: { enabled: false } }),
  );
  const formatted = await readOutput(
    "node_modules/@biomejs/biome/bin/biome",
    ["check", "--colors=off", "--linter-enabled=false", ...folders],
    cwd,
  );
  expect(formatted).toMatch(
    new RegExp(`^Checked ${folders.length * 2} files in .* No fixes applied\\.\\n$`),
  );
  for (const name of tested) {
    const text = await readFile(join(cwd, name, "pack.test.ts"), "utf8");
    // The tests run in one process, outside the folders of the Packs.
    await writeFile(join(cwd, `${name}.test.ts`), text.replace('"pack.ts"', `"${name}/pack.ts"`));
  }
  await writeFile(
    join(cwd, "vitest.config.ts"),
    `export default { test: { include: ["*.test.ts"], maxWorkers: 1, isolate: false } };`,
  );
  const { code, output } = await runVitest(cwd);
  expect(code, output).toBe(0);
}

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

async function readOutput(script: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(root, script), ...args], {
    cwd,
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`;
}
