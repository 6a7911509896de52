import { existsSync } from "node:fs";
import { readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { PackError } from "../errors.ts";
import { makeFolder } from "../shared/make-folder.ts";
import { packageRoot } from "../shared/own-package.ts";
import { packageSpec } from "./package-spec.ts";

/** Texts by path, relative to the project, with `/` between the parts. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** @returns the files of a folder of `templates/`, with `{{name}}` and the like still in them. */
export async function readTemplate(name: string): Promise<Map<string, string>> {
  const source = join(packageRoot(), "templates", name);
  const files = new Map<string, string>();
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    files.set(projectPath(relative(source, from)), await readFile(from, "utf8"));
  }
  return files;
}

/** npm leaves files such as .gitignore out of packages, so templates ship all dot files under another name. */
function projectPath(path: string): string {
  return path
    .split(sep)
    .map((part) => part.replace(/^_/, "."))
    .join("/");
}

interface ProjectOptions {
  texts?: Readonly<Record<string, string>> | undefined;
  verbatim?: ProjectFiles | undefined;
}

/**
 * Writes a new project. A failure takes back what was written, so that the same command can be run again.
 * @param target absolute path of a folder that is empty or does not exist yet
 * @param options.texts of the placeholders that only this project has
 * @param options.verbatim files without placeholders
 * @returns the paths that were written, in order
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function writeProject(
  target: string,
  files: ProjectFiles,
  { texts = {}, verbatim = new Map() }: ProjectOptions = {},
): Promise<string[]> {
  const values = new Map(
    Object.entries({ name: projectName(target), packsmith: await packageSpec(target), ...(await toolVersions()), ...texts }),
  );
  const written: string[] = [];
  const isNew = !existsSync(target);
  try {
    makeFolder(target);
    const filled = [...files].map(
      ([path, text]) => [path, text.replace(/\{\{(\w+)\}\}/g, (found, name) => values.get(name) ?? found)] as const,
    );
    for (const [path, text] of [...filled, ...verbatim]) {
      makeFolder(dirname(join(target, path)));
      await writeFile(join(target, path), text, { flag: "wx" });
      written.push(path);
    }
  } catch (cause) {
    await takeBack(target, written, isNew);
    throw new PackError("OUTPUT_NOT_WRITABLE", `The project could not be written to ${target}.`, {
      details: { path: target },
      hint: "Check the permissions of that folder, or name another one; nothing was left behind.",
      cause,
    });
  }
  return written.sort();
}

async function takeBack(target: string, written: readonly string[], isNew: boolean): Promise<void> {
  if (isNew) return await rm(target, { recursive: true, force: true });
  for (const path of written) {
    await rm(join(target, path), { force: true });
    // Only what is empty goes.
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) await rmdir(join(target, folder)).catch(() => undefined);
  }
}

/** The name of a folder as npm takes it. */
function projectName(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9-_.]+/g, "-")
    .replace(/^[-_.]+|[-.]+$/g, "");
  return name === "" ? "my-pack" : name;
}

/** The versions of the tools that packsmith itself is tested with. */
async function toolVersions(): Promise<Record<string, string>> {
  const { devDependencies } = JSON.parse(await readFile(join(packageRoot(), "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return Object.fromEntries(["turbo", "typescript", "vitest"].map((tool) => [tool, devDependencies[tool] ?? "latest"]));
}
