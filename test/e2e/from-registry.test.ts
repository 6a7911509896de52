import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startLoopbackRegistry } from "../support/loopback-registry.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Set by .ci/run: the folder in which verdaccio is installed. */
const verdaccio = process.env["PACKSMITH_VERDACCIO"];

/** npm as a user has it, without what the surrounding npm process exports. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$|INIT_CWD$|PACKSMITH_|CI$)/i.test(name),
  ),
);

describe.skipIf(verdaccio === undefined)(
  "from a registry, in an empty folder",
  { timeout: 300_000 },
  () => {
    it("npm create packsmith, or npx packsmith init, makes a project whose first formula runs", async () => {
      using folder = makeTemporaryFolder();
      const setting = async (name: string) =>
        (await run("npm", ["config", "get", name], { cwd: folder.path })).stdout.trim();
      await using registry = await startLoopbackRegistry(verdaccio ?? "", {
        registry: await setting("registry"),
        cache: await setting("cache"),
      });
      const env = {
        ...plainEnv,
        ...registry.env,
        HOME: folder.path,
        NO_COLOR: "1",
        PACKSMITH_KEY_STORE: "file",
      };
      const at = (...path: string[]) => join(folder.path, ...path);
      const npm = (cwd: string, command: string, ...args: string[]) =>
        run(command, args, { cwd, env });

      for (const published of [root, join(root, "templates/_create")])
        await npm(published, "npm", "publish", "--ignore-scripts");

      mkdirSync(at("created"));
      await npm(at("created"), "npm", "create", "--yes", "packsmith", "my-pack");
      const manifest = JSON.parse(readFileSync(at("created/my-pack/package.json"), "utf8")) as {
        devDependencies: Record<string, string>;
      };
      expect(manifest.devDependencies["packsmith"]).toMatch(/^\^\d+\.\d+\.\d+$/);
      const installed = await npm(at("created/my-pack"), "npm", "install", "--prefer-offline");
      expect(installed.stderr).not.toContain("install-scripts");
      const { stdout } = await npm(
        at("created/my-pack"),
        "npx",
        "packsmith",
        "execute",
        "pack.ts",
        "Hello",
        "World",
      );
      expect(stdout).toBe("Hello World!\n");

      mkdirSync(at("npx"));
      await npm(at("npx"), "npx", "--yes", "packsmith", "init", "my-pack", "--template", "blank");
      expect(readFileSync(at("npx/my-pack/package.json"), "utf8")).toBe(
        readFileSync(at("created/my-pack/package.json"), "utf8"),
      );
      const second = await npm(
        at("npx/my-pack"),
        "npx",
        "--yes",
        "packsmith",
        "execute",
        "pack.ts",
        "Hello",
        "npx",
      );
      expect(second.stdout).toBe("Hello npx!\n");
    });
  },
);
