import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject } from "../../src/init/init-project.ts";
import { SHARED_FILES, TEMPLATES } from "../../src/init/templates.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const COMMON = [
  ".github/workflows/ci.yml",
  ".gitignore",
  ".vscode/launch.json",
  ".vscode/settings.json",
  ".vscode/tasks.json",
  "AGENTS.md",
  "README.md",
  "package.json",
  "tsconfig.json",
];

describe("initProject", () => {
  it("knows every template of the package", () => {
    const folders = readdirSync(new URL("../../templates/", import.meta.url)).filter(
      (name) => !/^_|\./.test(name),
    );
    expect(folders.sort()).toEqual(Object.keys(TEMPLATES).sort());
    expect(readdirSync(new URL("../../templates/", import.meta.url))).toContain(SHARED_FILES);
  });

  it.each(Object.keys(TEMPLATES))(
    "writes every file of the template %s, and replaces every placeholder",
    async (template) => {
      using folder = makeTemporaryFolder();
      const result = await initProject({ directory: "My Pack!", template, cwd: folder.path });
      const { files } = result;
      expect(files).toEqual(expect.arrayContaining(COMMON));
      const packs = template === "monorepo" ? ["packs/people/", "packs/tasks/"] : [""];
      for (const pack of packs)
        expect(files).toEqual(expect.arrayContaining([`${pack}pack.ts`, `${pack}pack.test.ts`]));
      for (const pack of packs)
        expect(files.some((file) => file.startsWith(`${pack}cassettes/`))).toBe(true);
      expect(files.filter((file) => /(^|\/)_/.test(file))).toEqual([]);
      for (const file of files)
        expect(await readFile(join(result.directory, file), "utf8")).not.toMatch(
          /(?<!\$)\{\{\w+\}\}/,
        );
      const { name } = JSON.parse(
        await readFile(join(result.directory, "package.json"), "utf8"),
      ) as { name: string };
      expect(name).toBe("my-pack");
    },
  );

  it.each(Object.entries(TEMPLATES).filter(([name]) => name !== "monorepo"))(
    "the README of %s begins with the command that init names",
    async (name, { firstRun }) => {
      expect(
        await readFile(new URL(`../../templates/${name}/README.md`, import.meta.url), "utf8"),
      ).toContain(`npm install\n${firstRun}\n`);
    },
  );

  it("the package behind npm create has the version of this one", async () => {
    const readManifest = async (path: string) =>
      JSON.parse(await readFile(new URL(`../../${path}package.json`, import.meta.url), "utf8"));
    const [{ version }, create] = await Promise.all([
      readManifest(""),
      readManifest("templates/_create/"),
    ]);
    expect(create).toMatchObject({
      name: "create-packsmith",
      version,
      dependencies: { packsmith: version },
    });
  });

  it("accepts an empty folder and an empty repository, and does not change a folder with files", async () => {
    using folder = makeTemporaryFolder();
    await mkdir(join(folder.path, "fresh", ".git"), { recursive: true });
    await expect(initProject({ directory: "fresh", cwd: folder.path })).resolves.toMatchObject({
      template: "blank",
    });
    await mkdir(join(folder.path, "full"));
    await writeFile(join(folder.path, "full", "notes.txt"), "mine");
    await expect(initProject({ directory: "full", cwd: folder.path })).rejects.toMatchObject({
      code: "TARGET_NOT_EMPTY",
    });
    expect(readdirSync(join(folder.path, "full"))).toEqual(["notes.txt"]);
  });

  it("refuses a file", async () => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "notes.txt"), "mine");
    await expect(initProject({ directory: "notes.txt", cwd: folder.path })).rejects.toMatchObject({
      code: "TARGET_NOT_EMPTY",
      message: expect.stringContaining("is a file, not a folder"),
    });
  });

  it("names the folder when a part of its path is a file", async () => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "notes"), "");
    const made = initProject({ directory: "notes/my-pack", cwd: folder.path });
    await expect(made).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
      message: expect.stringContaining("my-pack"),
    });
  });

  it("removes what it wrote when a file cannot be written", async () => {
    using folder = makeTemporaryFolder();
    // The path is so long that only short file names still fit.
    const segment = "d".repeat(200);
    let directory = folder.path;
    while (directory.length + segment.length < 4_050) directory = join(directory, segment);
    directory = join(directory, "e".repeat(4_084 - directory.length - 1));
    await expect(initProject({ directory, cwd: folder.path })).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
    });
    expect(existsSync(directory)).toBe(false);
  });

  it("lists the templates when it does not know one", async () => {
    using folder = makeTemporaryFolder();
    await expect(
      initProject({ directory: "x", template: "y", cwd: folder.path }),
    ).rejects.toMatchObject({
      code: "TEMPLATE_UNKNOWN",
      hint: "Choose one of: blank, api-key, oauth2, client-credentials, sync-table, two-way, service, monorepo.",
    });
  });
});
