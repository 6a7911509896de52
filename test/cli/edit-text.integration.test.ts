import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { editText, findEditor } from "../../src/cli/edit-text.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** An editor that notes which file it opened, and whether others may read it, and changes it. */
function makeEditor(folder: string, exitCode: number): string {
  const path = join(folder, "editor.sh");
  writeFileSync(
    path,
    `#!/bin/sh
printf '%s %s' "$1" "$(stat -c %a "$2")" > "${folder}/seen"
printf '%s' "$2" > "${folder}/path"
echo "Fixes dates." >> "$2"
exit ${exitCode}
`,
    { mode: 0o755 },
  );
  return path;
}

describe("the editor of release notes", () => {
  it("opens a file that only the user can read, and its text is what was saved", async () => {
    using folder = makeTemporaryFolder();
    const editor = `${makeEditor(folder.path, 0)} --wait`;
    const text = await editText("Adds tasks.", "notes.md", editor, process.env);
    expect(text).toBe("Adds tasks.\nFixes dates.\n");
    expect(readFileSync(join(folder.path, "seen"), "utf8")).toBe("--wait 600");
    expect(existsSync(readFileSync(join(folder.path, "path"), "utf8"))).toBe(false);
  });

  it.each([
    ["ends with an error", (folder: string) => `${makeEditor(folder, 1)} --wait`],
    ["is not installed", () => "no-such-editor"],
  ])("that %s releases nothing, and says which option is the way out", async (_, editor) => {
    using folder = makeTemporaryFolder();
    const edited = editText("Text.", "notes.md", editor(folder.path), process.env);
    await expect(edited).rejects.toMatchObject({
      code: "USAGE_INVALID",
      hint: expect.stringContaining("--notes"),
    });
  });

  it("is that of a person at a terminal only: not in a pipe, not in CI", () => {
    const streams = (isTTY: boolean, env: NodeJS.ProcessEnv) => ({
      stdin: Object.assign(new PassThrough(), { isTTY }),
      stdout: new PassThrough(),
      stderr: Object.assign(new PassThrough(), { isTTY }),
      env,
      cwd: "/",
    });
    expect(findEditor(streams(true, { EDITOR: "vi", VISUAL: "code --wait" }))).toBe("code --wait");
    expect(findEditor(streams(true, { EDITOR: "vi" }))).toBe("vi");
    expect(findEditor(streams(true, {}))).toBeUndefined();
    expect(findEditor(streams(false, { EDITOR: "vi" }))).toBeUndefined();
    expect(findEditor(streams(true, { EDITOR: "vi", CI: "true" }))).toBeUndefined();
  });
});
