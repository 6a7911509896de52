import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { initProject } from "../../src/init/init-project.ts";
import { commandFor, findPackageManager } from "../../src/init/package-manager.ts";
import { startCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("the package manager that started init", () => {
  it.each([
    ["pnpm/12.21.0 npm/? node/v20.20.2 linux x64", "pnpm"],
    ["yarn/4.18.1 npm/? node/v20.20.2 linux x64", "yarn"],
    ["bun/1.4.5 npm/? node/v24.3.0 linux x64", "bun"],
    ["npm/11.19.1 node/v20.20.2 linux x64", "npm"],
    ["cargo/1.0", "npm"],
    ["constructor/1.0", "npm"],
    [undefined, "npm"],
  ])("%s is %s", (agent, manager) => {
    expect(findPackageManager({ npm_config_user_agent: agent })).toBe(manager);
  });

  it.each([
    ["npm", "npm install", "npx packsmith execute pack.ts Hello World", "npm test"],
    ["pnpm", "pnpm install", "pnpm exec packsmith execute pack.ts Hello World", "pnpm run test"],
    ["yarn", "yarn install", "yarn packsmith execute pack.ts Hello World", "yarn run test"],
    ["bun", "bun install", "bunx packsmith execute pack.ts Hello World", "bun run test"],
  ] as const)("%s has its own spelling of commands", (manager, ...commands) => {
    const forNpm = ["npm install", "npx packsmith execute pack.ts Hello World", "npm test"];
    expect(forNpm.map((command) => commandFor(manager, command))).toEqual(commands);
  });

  it("is named in the next commands", async () => {
    using folder = makeTemporaryFolder();
    const env = { npm_config_user_agent: "pnpm/12.21.0" };
    const cli = startCli(["init", "tasks", "-t", "blank"], { cwd: folder.path, env });
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe(
      "cd tasks && pnpm install\npnpm exec packsmith execute pack.ts Hello World\n",
    );
    const monorepo = startCli(["init", "many", "-t", "monorepo"], { cwd: folder.path, env });
    expect(await monorepo.ended).toBe(0);
    expect(monorepo.stdout()).toBe("cd many && npm install\nnpm test\n");
  });

  it("gets a file for the install script of esbuild if it is pnpm, which ends with an error otherwise", async () => {
    using folder = makeTemporaryFolder();
    const filesFor = async (packageManager: "pnpm" | "yarn") =>
      (await initProject({ directory: packageManager, packageManager, cwd: folder.path })).files;
    expect((await filesFor("pnpm")).filter((file) => file.endsWith(".yaml"))).toEqual([
      "pnpm-workspace.yaml",
    ]);
    expect((await filesFor("yarn")).filter((file) => file.endsWith(".yaml"))).toEqual([]);
  });

  it.each([
    ["pnpm", "pnpm install --frozen-lockfile", "corepack enable", "pnpm"],
    ["yarn", "yarn install --immutable", "corepack enable", "yarn"],
    ["bun", "bun install --frozen-lockfile", "oven-sh/setup-bun@v2", undefined],
  ] as const)(
    "%s is what README, AGENTS.md and workflow name, and nothing else",
    async (packageManager, install, setup, cache) => {
      using folder = makeTemporaryFolder();
      const { directory } = await initProject({
        directory: "tasks",
        template: "oauth2",
        packageManager,
        cwd: folder.path,
      });
      const read = (path: string) => readFileSync(join(directory, path), "utf8");
      const pages = read("README.md") + read("AGENTS.md");
      expect(pages).not.toMatch(/\bnp[mx] (?:packsmith|run|test|install|ci)/);
      expect(pages).toContain(`${packageManager} install\n`);
      expect(pages).toContain(`\`${packageManager} run validate --fix\``);
      const { steps } = (
        parse(read(".github/workflows/ci.yml")) as {
          jobs: { check: { steps: Record<string, unknown>[] } };
        }
      ).jobs.check;
      expect(steps.map(({ uses, run }) => uses ?? run)).toEqual([
        "actions/checkout@v4",
        setup,
        "actions/setup-node@v4",
        install,
        `${packageManager} run validate --format github`,
        `${packageManager} run test`,
        `${packageManager} run build`,
      ]);
      expect(steps[2]).toMatchObject({
        with: { "node-version": 22, ...(cache === undefined ? {} : { cache }) },
      });
      expect(Object.keys(steps[2]?.["with"] as object)).toHaveLength(cache === undefined ? 1 : 2);
    },
  );
});
