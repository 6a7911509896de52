import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PACK = `import { newPack, ParameterType, makeParameter } from "packsmith";
export const pack = newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [makeParameter({ type: ParameterType.String, name: "who", description: "Whom." })],
  resultType: "string",
  execute: async ([who]) => "Hello " + who,
});
`;

function writeProject(folder: string): string {
  const project = join(folder, "hello");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(join(project, "pack.ts"), PACK);
  return project;
}

/** Times and sizes differ between machines. */
const withoutNumbers = (text: string, project: string) =>
  text.replaceAll(project, "~/hello").replace(/\d+/g, "N");

it("NODE_DEBUG prints the steps of a run that docs/debugging.md shows, and --json stays one document", async () => {
  using folder = makeTemporaryFolder();
  const cwd = writeProject(folder.path);
  const run = await runCli(["execute", "pack.ts", "Hello", "World", "--json"], {
    cwd,
    env: { NODE_DEBUG: "packsmith:build,packsmith:run" },
  });
  expect(run.json()).toMatchObject({ ok: true, result: "Hello World" });
  const page = readFileSync(new URL("../../docs/debugging.md", import.meta.url), "utf8");
  const [, example = ""] = /```text\n(PACKSMITH:[\s\S]*?)```/.exec(page) ?? [];
  expect(withoutNumbers(run.stderr, cwd)).toBe(withoutNumbers(example, cwd));
});

it("packsmith:* switches all folders on, and without NODE_DEBUG there is no line", async () => {
  using folder = makeTemporaryFolder();
  const cwd = writeProject(folder.path);
  const build = (env: Record<string, string>) =>
    runCli(["build", "pack.ts", "--no-types"], { cwd, env });
  const first = await build({ NODE_DEBUG: "packsmith:*", PACKSMITH_CACHE: join(folder.path, "c") });
  expect(first.stderr).toMatch(/^PACKSMITH:BUILD \d+: cache: .* missed: there is no build/m);
  expect(first.stderr).toMatch(/^PACKSMITH:BUILD \d+: write: .* has new files$/m);
  const second = await build({ PACKSMITH_CACHE: join(folder.path, "c") });
  expect(second.stderr).not.toContain("PACKSMITH:");
});
