import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

describe("init", () => {
  it("says what it wrote and the next two commands", async () => {
    using folder = makeTemporaryFolder();
    const { code, stdout, stderr } = await runCli(["init", "tasks", "-t", "api-key"], {
      cwd: folder.path,
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "cd tasks && npm install\nnpx packsmith execute pack.ts ListTasks open --replay cassettes\n",
    });
    expect(stderr).toMatchInlineSnapshot(`
      "created tasks  from template api-key
        .github/workflows/ci.yml
        .gitignore
        .vscode/launch.json
        .vscode/settings.json
        .vscode/tasks.json
        AGENTS.md
        README.md
        cassettes/ListTasks.json
        pack.test.ts
        pack.ts
        package.json
        tsconfig.json

      next:
      "
    `);
  });

  it("writes snippets into a project, and says where an editor reads them", async () => {
    using folder = makeTemporaryFolder();
    const options = { cwd: folder.path };
    const { code, stdout, stderr } = await runCli(["init", "--snippets"], options);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(
      "  .vscode/packsmith.code-snippets\n  .idea/templates/packsmith.xml\n",
    );
    const { stdout: json } = await runCli(["init", ".", "--snippets", "--json"], options);
    expect(JSON.parse(json)).toMatchObject({ ok: true, files: { length: 2 } });
    const wrong = await runCli(["init", "--snippets", "-t", "blank"], options);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("--snippets cannot be used with --template or --from.");
  });

  it("asks nobody where nobody is: blank unless a template is named, and a folder that is", async () => {
    using folder = makeTemporaryFolder();
    const nowhere = await runCli(["init"], { cwd: folder.path });
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "error USAGE_INVALID  The folder of the new project is missing.",
      ),
    });
    expect((await runCli(["init", "tasks", "--json"], { cwd: folder.path })).json()).toMatchObject({
      ok: true,
      template: "blank",
    });
    expect((await runCli(["init", "--yes", "--json"], { cwd: folder.path })).json()).toMatchObject({
      directory: join(folder.path, "my-pack"),
    });
    expect((await runCli(["init", "--yes", "--json"], { cwd: folder.path })).json()).toMatchObject({
      error: { code: "TARGET_NOT_EMPTY" },
    });
  });

  it("writes into the folder that it stands in, when that is empty", async () => {
    using folder = makeTemporaryFolder();
    const { stdout } = await runCli(["init", "."], { cwd: folder.path });
    expect(stdout).toBe("npm install\nnpx packsmith execute pack.ts Hello World\n");
    expect(existsSync(join(folder.path, ".vscode/tasks.json"))).toBe(true);
  });

  it("the problem matcher of the editor finds the problems that validate prints", async () => {
    using folder = makeTemporaryFolder();
    await runCli(["init", "."], { cwd: folder.path });
    await writeFile(
      join(folder.path, "pack.ts"),
      'import { newPack } from "packsmith";\nexport const pack = newPack();\npack.addNetworkDomain("https://a.example");\n',
    );
    const { tasks } = JSON.parse(await readFile(join(folder.path, ".vscode/tasks.json"), "utf8"));
    const { stdout, stderr } = await runCli(["validate", "pack.ts"], { cwd: folder.path });
    const found = `${stdout}${stderr}`
      .split("\n")
      .map((line) => new RegExp(tasks[0].problemMatcher.pattern.regexp).exec(line)?.slice(1, 6));
    expect(found).toContainEqual(["pack.ts", "3", "23", "error", "NETWORK_DOMAIN_INVALID"]);
  });
});
