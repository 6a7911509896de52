import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject, TEMPLATE_DESCRIPTIONS } from "../../src/commands/init-project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("initProject", () => {
  it("knows every template of the package", () => {
    expect(readdirSync(new URL("../../templates/", import.meta.url)).sort()).toEqual(Object.keys(TEMPLATE_DESCRIPTIONS).sort());
  });

  it.each(Object.keys(TEMPLATE_DESCRIPTIONS))("writes the template %s with every placeholder filled", async (template) => {
    using folder = makeTemporaryFolder();
    const result = await initProject({ directory: "My Pack!", template, cwd: folder.path });
    expect(result.files).toEqual([".gitignore", "README.md", "pack.test.ts", "pack.ts", "package.json", "tsconfig.json"]);
    for (const file of result.files) expect(await readFile(join(result.directory, file), "utf8")).not.toMatch(/\{\{\w+\}\}/);
    const { name } = JSON.parse(await readFile(join(result.directory, "package.json"), "utf8")) as { name: string };
    expect(name).toBe("my-pack");
  });

  it("takes an empty folder and a fresh repository, and leaves a folder with files alone", async () => {
    using folder = makeTemporaryFolder();
    await mkdir(join(folder.path, "fresh", ".git"), { recursive: true });
    await expect(initProject({ directory: "fresh", cwd: folder.path })).resolves.toMatchObject({ template: "blank" });
    await mkdir(join(folder.path, "full"));
    await writeFile(join(folder.path, "full", "notes.txt"), "mine");
    await expect(initProject({ directory: "full", cwd: folder.path })).rejects.toMatchObject({ code: "TARGET_NOT_EMPTY" });
    expect(readdirSync(join(folder.path, "full"))).toEqual(["notes.txt"]);
  });

  it("says that a file is no folder", async () => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "notes.txt"), "mine");
    await expect(initProject({ directory: "notes.txt", cwd: folder.path })).rejects.toMatchObject({
      code: "TARGET_NOT_EMPTY",
      message: expect.stringContaining("is a file, not a folder"),
    });
  });

  it("takes back what it wrote when a file cannot be written", async () => {
    using folder = makeTemporaryFolder();
    // Short names still fit into the longest path that the system takes, longer ones do not.
    const segment = "d".repeat(200);
    let directory = folder.path;
    while (directory.length + segment.length < 4_050) directory = join(directory, segment);
    directory = join(directory, "e".repeat(4_084 - directory.length - 1));
    await expect(initProject({ directory, cwd: folder.path })).rejects.toMatchObject({ code: "OUTPUT_NOT_WRITABLE" });
    expect(existsSync(directory)).toBe(false);
  });

  it("names the templates when it does not know one", async () => {
    using folder = makeTemporaryFolder();
    await expect(initProject({ directory: "x", template: "y", cwd: folder.path })).rejects.toMatchObject({
      code: "TEMPLATE_UNKNOWN",
      hint: "Choose one of: blank, oauth2, client-credentials.",
    });
  });
});
