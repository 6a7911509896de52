import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

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
