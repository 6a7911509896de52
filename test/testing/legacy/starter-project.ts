import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { unpackPackage } from "../../support/packed-package.ts";
import { plainEnv } from "../../support/plain-env.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { STARTER_FILES, STARTER_PACKAGES, STARTER_TESTS } from "./starter-repository.ts";

/** A folder in which mocha and its compilers are installed; CI makes one. */
const clients = process.env["PACKSMITH_CLIENTS"];
export const hasRunners =
  clients !== undefined &&
  STARTER_PACKAGES.every((name) => existsSync(join(clients, "node_modules", name)));
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

export const RUNNER_ARGUMENTS = ["--require", "ts-node/register", "--timeout", "120000"];

export type StarterProject = Awaited<ReturnType<typeof makeStarterProject>>;

/** @param name under which the package is installed */
export async function makeStarterProject(name: string, packages: readonly string[] = []) {
  const folder = makeTemporaryFolder();
  const { path } = folder;
  for (const [file, text] of Object.entries(STARTER_FILES)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  installRunners(path, join(clients ?? "", "node_modules"));
  for (const each of ["vitest", "@types/node", "@types/sinon", ...packages])
    symlinkSync(join(modules, each), join(path, "node_modules", each), "junction");
  await unpackPackage(path, name);
  const run = (...words: string[]) => runNode(path, words);
  return {
    path,
    run,
    packsmith: (...words: string[]) =>
      run(join("node_modules", name, "dist/bin/packsmith.cjs"), ...words),
    mocha: (...words: string[]) =>
      run("node_modules/mocha/bin/mocha.js", ...words, "test/pack_test.ts"),
    async expectPreset(preset: string) {
      writeFileSync(
        join(path, "vitest.config.mts"),
        `import { packsmith } from "${preset}";
export default { plugins: [packsmith()], test: { testTimeout: 120_000 } };
`,
      );
      const output = await run("node_modules/vitest/vitest.mjs", "run");
      expect(output).toMatch(new RegExp(`Tests +${STARTER_TESTS} passed \\(${STARTER_TESTS}\\)`));
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export function expectPassed(output: string): void {
  expect(output).toContain(`${STARTER_TESTS} passing`);
  expect(output).not.toContain("failing");
}

/**
 * As npm does: each is a folder of the project, because a linked package would look for others next
 * to its own folder. What these import is linked.
 */
function installRunners(project: string, from: string): void {
  for (const name of readdirSync(from)) {
    const installed = join(project, "node_modules", name);
    if (STARTER_PACKAGES.includes(name)) cpSync(join(from, name), installed, { recursive: true });
    else if (!/^(?:\.|@types$)/.test(name)) symlinkSync(join(from, name), installed, "junction");
  }
}

function runNode(cwd: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) =>
    execFile(process.execPath, words, { cwd, env: plainEnv() }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
}
