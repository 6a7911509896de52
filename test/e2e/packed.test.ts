import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATE_DESCRIPTIONS } from "../../src/commands/init-project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** npm and npx as a user has them, without what the surrounding npm process exports. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|INIT_CWD$)/i.test(name)));

describe("from the packed tarball, in an empty folder", { timeout: 240_000 }, () => {
  let folder: ReturnType<typeof makeTemporaryFolder>;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder.path], { cwd: root, env });
    const tarball = readdirSync(folder.path).find((name) => name.endsWith(".tgz")) ?? "";
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `./${tarball}`], { cwd: folder.path, env });
  }, 240_000);

  afterAll(() => folder[Symbol.dispose]());

  it("a project that links the installed package leaves it whole, though npm runs the prepare script of what it links", async () => {
    const project = join(folder.path, "linking");
    const installed = join(folder.path, "node_modules", "packsmith");
    await mkdir(project);
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "linking", dependencies: { packsmith: `file:${installed}` } }));
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: project, env });
    const { stdout } = await run("npx", ["packsmith", "--version"], { cwd: project, env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(Object.keys(TEMPLATE_DESCRIPTIONS))(
    "init -t %s: the project installs, validates, builds, type-checks and passes its own test",
    async (template) => {
      const project = join(folder.path, `my-${template}`);
      await run("npx", ["packsmith", "init", `my-${template}`, "-t", template], { cwd: folder.path, env });
      expect(existsSync(join(project, ".gitignore"))).toBe(true);
      const manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as {
        name: string;
        devDependencies: Record<string, string>;
      };
      expect(manifest.name).toBe(`my-${template}`);
      expect(manifest.devDependencies["packsmith"]).toMatch(/^file:\.\.\/packsmith-.*\.tgz$/);

      await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: project, env });
      const validated = await run("npx", ["packsmith", "validate", "pack.ts", "--json"], { cwd: project, env });
      expect(JSON.parse(validated.stdout)).toEqual({ ok: true, issues: [] });
      const built = await run("npx", ["packsmith", "build", "pack.ts", "--json"], { cwd: project, env });
      const { ok, packs } = JSON.parse(built.stdout) as { ok: boolean; packs: { bundle: string }[] };
      expect(ok).toBe(true);
      expect(existsSync(packs[0]?.bundle ?? "")).toBe(true);
      await run("npx", ["tsc", "-p", "."], { cwd: project, env });
      await run("npx", ["vitest", "run"], { cwd: project, env });
    },
  );
});
