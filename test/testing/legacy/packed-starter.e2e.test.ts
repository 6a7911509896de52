import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

const RUNNER_ARGUMENTS = ["--require", "ts-node/register", "--timeout", "120000"];

describe.skipIf(!hasRunners)(
  "a repository for @codahq/packs-sdk, with packsmith from its package file",
  { timeout: 300_000 },
  () => {
    let project: StarterProject;
    beforeAll(async () => {
      project = await makeProject("packsmith");
      await project.packsmith("init", ".", "--yes");
    }, 240_000);
    afterAll(() => project[Symbol.dispose]());

    it.each(["--import", "--require"])(
      "mocha %s=packsmith/register with ts-node passes its suite",
      async (option) => {
        expectPassed(await project.mocha(`${option}=packsmith/register`, ...RUNNER_ARGUMENTS));
      },
    );

    it("vitest with the preset passes its suite", async () => {
      await project.expectPreset("packsmith/vitest");
    });
  },
);

describe.skipIf(!hasRunners)(
  "a repository in whose package.json @codahq/packs-sdk is an alias of packsmith",
  { timeout: 300_000 },
  () => {
    let project: StarterProject;
    beforeAll(async () => {
      project = await makeProject("@codahq/packs-sdk", ["sinon"]);
    }, 240_000);
    afterAll(() => project[Symbol.dispose]());

    it("mocha with ts-node passes its suite without a change, and checks its types", async () => {
      expectPassed(await project.mocha(...RUNNER_ARGUMENTS));
    });

    it.each(["node", "NodeNext", "bundler"])(
      "the types of published files agree with those of the package, with moduleResolution %s",
      async (resolution) => {
        const module = { node: "CommonJS", bundler: "ESNext" }[resolution] ?? resolution;
        const options = [
          "--module",
          module,
          "--moduleResolution",
          resolution,
          "--esModuleInterop",
          "false",
        ];
        const output = await project.run(
          ...["node_modules/typescript/bin/tsc", "-p", ".", "--noEmit", ...options],
        );
        expect(output).toBe("");
      },
    );

    it("register adds the deprecated factories, which tests do not find without it", async () => {
      writeFileSync(
        join(project.path, "deprecated.cjs"),
        'console.log(typeof require("@codahq/packs-sdk").makeStringFormula);',
      );
      const hook = "--require=@codahq/packs-sdk/register";
      expect(await project.run("deprecated.cjs")).toMatch(/^undefined$/m);
      expect(await project.run(hook, "deprecated.cjs")).toMatch(/^function$/m);
    });

    it("vitest with the preset passes its suite", async () => {
      await project.expectPreset("@codahq/packs-sdk/vitest");
    });

    it("the command validates, builds and runs its Pack", async () => {
      const read = async (...words: string[]) =>
        JSON.parse(await project.packsmith(...words, "--json")) as unknown;
      expect(await read("validate", "pack.ts")).toEqual({ ok: true, issues: [] });
      expect(await read("build", "pack.ts")).toMatchObject({ ok: true });
      expect(await read("execute", "pack.ts", "Greet", "Ada")).toMatchObject({
        result: "Good day, Ada!",
      });
    });

    it("init changes nothing, and asks for no other package", async () => {
      const before = readFileSync(join(project.path, "tsconfig.json"), "utf8");
      const output = await project.packsmith("init", ".", "--yes");
      expect(output).not.toMatch(/npm install|packsmith\/register/);
      expect(readFileSync(join(project.path, "tsconfig.json"), "utf8")).toBe(before);
    });
  },
);

type StarterProject = Awaited<ReturnType<typeof makeProject>>;

/** @param name under which the package is installed */
async function makeProject(name: string, packages: readonly string[] = []) {
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

function expectPassed(output: string): void {
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
