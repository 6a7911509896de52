import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackPackage } from "../../support/packed-package.ts";
import { plainEnv } from "../../support/plain-env.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { STARTER_FILES, STARTER_PACKAGES, STARTER_TESTS } from "./starter-repository.ts";

/** A folder in which mocha and its compilers are installed; CI makes one. */
const clients = process.env["PACKSMITH_CLIENTS"];
const hasRunners =
  clients !== undefined &&
  STARTER_PACKAGES.every((name) => existsSync(join(clients, "node_modules", name)));
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

describe.skipIf(!hasRunners)(
  "a repository for @codahq/packs-sdk, with packsmith from its package file",
  { timeout: 300_000 },
  () => {
    let folder: ReturnType<typeof makeTemporaryFolder>;
    const command = (...words: string[]) => run(folder.path, words);

    beforeAll(async () => {
      folder = makeTemporaryFolder();
      for (const [name, text] of Object.entries(STARTER_FILES)) {
        mkdirSync(dirname(join(folder.path, name)), { recursive: true });
        writeFileSync(join(folder.path, name), text);
      }
      installRunners(folder.path, join(clients ?? "", "node_modules"));
      for (const name of ["vitest", "@types/node", "@types/sinon"]) link(modules, name);
      await unpackPackage(folder.path);
      await command("node_modules/packsmith/dist/bin/packsmith.cjs", "init", ".", "--yes");
    }, 240_000);
    afterAll(() => folder[Symbol.dispose]());

    const link = (from: string, name: string) =>
      symlinkSync(join(from, name), join(folder.path, "node_modules", name), "junction");

    it.each(["--import", "--require"])(
      "mocha %s=packsmith/register with ts-node passes its suite",
      async (option) => {
        const output = await command(
          "node_modules/mocha/bin/mocha.js",
          ...[
            `${option}=packsmith/register`,
            "--require",
            "ts-node/register",
            "--timeout",
            "120000",
          ],
          "test/pack_test.ts",
        );
        expect(output).toContain(`${STARTER_TESTS} passing`);
        expect(output).not.toContain("failing");
      },
    );

    it("vitest with the preset passes its suite", async () => {
      writeFileSync(
        join(folder.path, "vitest.config.mts"),
        `import { packsmith } from "packsmith/vitest";
export default { plugins: [packsmith()], test: { testTimeout: 120_000 } };
`,
      );
      const output = await command("node_modules/vitest/vitest.mjs", "run");
      expect(output).toMatch(new RegExp(`Tests +${STARTER_TESTS} passed \\(${STARTER_TESTS}\\)`));
    });
  },
);

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

function run(cwd: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) =>
    execFile(process.execPath, words, { cwd, env: plainEnv() }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
}
