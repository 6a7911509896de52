import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { hello, packSource } from "../../publish/registry/registry.ts";
import { plainEnv } from "../../support/plain-env.ts";
import { makeProject } from "../../support/project.ts";

/** A folder in which `@modelcontextprotocol/inspector` is installed; CI makes one. */
const folder = process.env["PACKSMITH_INSPECTOR"] ?? "";
const inspector = join(folder, "node_modules/@modelcontextprotocol/inspector/cli/build/cli.js");
const isInstalled = folder !== "" && existsSync(inspector);
const main = fileURLToPath(new URL("../../../dist/bin/packsmith.cjs", import.meta.url));

it.skipIf(!isInstalled)(
  "the command line of the inspector lists the tools, finds what can be run, and runs it",
  async () => {
    using project = makeProject({
      "package.json": '{ "name": "greetings", "type": "module" }',
      "pack.ts": packSource(hello()),
    });
    const inspect = async (...words: string[]) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [inspector, "--cli", process.execPath, main, "mcp", ...words],
        { cwd: project.path, env: { ...plainEnv(), PACKSMITH_HOME: join(project.path, ".home") } },
      );
      return JSON.parse(stdout) as { tools?: { name: string }[]; structuredContent?: unknown };
    };
    const { tools = [] } = await inspect("--method", "tools/list");
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["execute", "validate"]));
    const call = (name: string, ...args: string[]) =>
      inspect("--method", "tools/call", "--tool-name", name, ...args);
    expect(await call("list_targets")).toMatchObject({
      structuredContent: { ok: true, targets: [{ target: "Hello" }] },
    });
    const run = ["--tool-arg", "file=pack.ts", "--tool-arg", "target=Hello"];
    expect(await call("execute", ...run)).toMatchObject({
      structuredContent: { ok: true, result: "Hello!" },
    });
  },
  60_000,
);
