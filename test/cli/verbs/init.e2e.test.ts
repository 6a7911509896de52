import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli.ts";
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

/** A terminal, from util-linux. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasTerminal)("init on a terminal", () => {
  it("asks for the folder and for the template", async () => {
    using folder = makeTemporaryFolder();
    const output = await onTerminal("init", folder.path, [
      [/Folder of the new project/, "tasks\r"],
      [/api-key +users connect with an API key/, "\u001b[B\r"],
    ]);
    expect(output).toContain("created tasks  from template api-key");
  });

  it("says that a folder has files in it before it asks for more", async () => {
    using folder = makeTemporaryFolder();
    await mkdir(join(folder.path, "tasks"));
    await writeFile(join(folder.path, "tasks/notes.txt"), "mine");
    const output = await onTerminal("init tasks", folder.path, []);
    expect(output).toContain("error TARGET_NOT_EMPTY");
    expect(output).not.toContain("Which template do you want to start with?");
  });

  it("creates nothing when a question is left with Ctrl+C", async () => {
    using folder = makeTemporaryFolder();
    expect(
      await onTerminal("init tasks", folder.path, [
        [/Which template do you want to start with/, "\u0003"],
      ]),
    ).toContain("error INTERRUPTED  Nothing was created.");
    expect(existsSync(join(folder.path, "tasks"))).toBe(false);
  });
});

/** Runs a command on a terminal, and types each answer when its question is there. */
function onTerminal(
  command: string,
  cwd: string,
  answers: readonly [question: RegExp, keys: string][],
): Promise<string> {
  const main = fileURLToPath(new URL("../../../dist/bin/packsmith.cjs", import.meta.url));
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    "script",
    ["-qec", `stty cols 100 rows 40; "${process.execPath}" "${main}" ${command}`, "/dev/null"],
    {
      cwd,
      env: { PATH, HOME, TERM: "xterm", NO_COLOR: "1" },
    },
  );
  let output = "";
  let seen = 0;
  const left = [...answers];
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    const found = left[0]?.[0].exec(output.slice(seen));
    if (found === null || found === undefined) return;
    seen += found.index + found[0].length;
    child.stdin.write(left.shift()?.[1] ?? "");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
