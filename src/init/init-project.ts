import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { adoptProject, isOlderProject } from "./adopt-project.ts";
import { SHARED_FILES, TEMPLATES } from "./templates.ts";
import { readTemplate, writeProject } from "./write-project.ts";

export interface InitOptions {
  /** Folder to create; it may exist when it is empty, or holds a Pack that imports `@codahq/packs-sdk`. */
  directory: string;
  /** @default "blank" */
  template?: string | undefined;
  /** Path of an OpenAPI description, from which the Pack is written instead. */
  from?: string | undefined;
  cwd: string;
}

export interface InitResult {
  /** Absolute path of the project. */
  directory: string;
  /** Absent when the project was there before, or was written from a description. */
  template?: string | undefined;
  /** What was written from a description: what the API is called, how many formulas, and what was left out. */
  scaffold?: { title: string; formulas: number; left: readonly string[] } | undefined;
  /** Paths of the files that were written, relative to `directory`. */
  files: string[];
}

/** What only a project that was written from a description has. */
const SCAFFOLD_FILES = "_openapi";

/**
 * Copies a template from the package, or writes a Pack from a description; nothing is fetched. A project that was written for the older name of this package
 * keeps its files; its type checker learns where that name leads.
 * @throws {PackError} TEMPLATE_UNKNOWN, TARGET_NOT_EMPTY, OUTPUT_NOT_WRITABLE
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED, DESCRIPTION_REFERENCE
 */
export async function initProject({ directory, template = "blank", from, cwd }: InitOptions): Promise<InitResult> {
  if (from !== undefined) return await initFromDescription(resolve(cwd, directory), from, cwd);
  const known = Object.keys(TEMPLATES);
  if (!known.includes(template)) {
    throw new PackError("TEMPLATE_UNKNOWN", `There is no template "${template}".`, {
      details: { template, known },
      hint: `Choose one of: ${known.join(", ")}.`,
    });
  }
  const target = resolve(cwd, directory);
  if (await isOlderProject(target)) return { directory: target, files: await adopt(target) };
  await requireEmpty(target);
  // Of two files with one path, the template's own is written.
  const files = new Map([...(await readTemplate(SHARED_FILES)), ...(await readTemplate(template))]);
  return { directory: target, template, files: await writeProject(target, files) };
}

async function initFromDescription(target: string, from: string, cwd: string): Promise<InitResult> {
  await requireEmpty(target);
  const { scaffoldPack } = await import("./openapi/scaffold.ts");
  const { title, firstFormula, formulas, left, files: verbatim } = await scaffoldPack(from, cwd);
  const files = new Map([...(await readTemplate(SHARED_FILES)), ...(await readTemplate(SCAFFOLD_FILES))]);
  return {
    directory: target,
    scaffold: { title, formulas, left },
    files: await writeProject(target, files, { texts: { title, formula: firstFormula }, verbatim }),
  };
}

async function adopt(target: string): Promise<string[]> {
  try {
    return await adoptProject(target);
  } catch (cause) {
    throw new PackError("OUTPUT_NOT_WRITABLE", `${join(target, "tsconfig.json")} could not be written.`, {
      details: { path: target },
      hint: "Check the permissions of that file.",
      cause,
    });
  }
}

/**
 * Makes sure that a new project would overwrite nothing.
 * @param target absolute path
 * @throws {PackError} TARGET_NOT_EMPTY
 */
export async function requireEmpty(target: string): Promise<void> {
  if (!existsSync(target)) return;
  const isFolder = (await stat(target)).isDirectory();
  // A fresh repository is still an empty project.
  if (isFolder && (await readdir(target)).every((name) => name === ".git")) return;
  throw new PackError("TARGET_NOT_EMPTY", `${target} is ${isFolder ? "not an empty folder" : "a file, not a folder"}.`, {
    details: { directory: target },
    hint: "Name a folder that does not exist yet; nothing was changed.",
  });
}
