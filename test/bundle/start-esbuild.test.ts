import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { smallPack } from "../support/pack-workspace.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** Builds with an esbuild that writes down how its heap may grow before it does its work. */
async function heapGrowthOf(env: Record<string, string>): Promise<string> {
  using folder = makeTemporaryFolder();
  for (const [name, text] of Object.entries(smallPack(1))) writeFileSync(join(folder.path, name), text);
  const require = createRequire(createRequire(import.meta.url).resolve("esbuild"));
  const binary = require.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
  const wrapper = join(folder.path, "esbuild");
  writeFileSync(wrapper, `#!/bin/sh\nprintf %s "$GOGC" > "${join(folder.path, "growth")}"\nexec "${binary}" "$@"\n`);
  chmodSync(wrapper, 0o755);
  const run = await runCli(["build", "--no-types"], { cwd: folder.path, env: { ...env, ESBUILD_BINARY_PATH: wrapper } });
  expect(run.code, run.stderr).toBe(0);
  return readFileSync(join(folder.path, "growth"), "utf8");
}

it("esbuild collects rarely for a command, unless the environment says how often", async () => {
  expect(await heapGrowthOf({})).toBe("400");
  expect(await heapGrowthOf({ GOGC: "50" })).toBe("50");
});
