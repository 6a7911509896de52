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
  cwd: string;
}

export interface InitResult {
  /** Absolute path of the project. */
  directory: string;
  /** Absent when the project was there before. */
  template?: string | undefined;
  /** Paths of the files that were written, relative to `directory`. */
  files: string[];
}

/**
 * Copies a template from the package; nothing is fetched. A project that was written for the older name of this package
 * keeps its files; its type checker learns where that name leads.
 * @throws {PackError} TEMPLATE_UNKNOWN, TARGET_NOT_EMPTY, OUTPUT_NOT_WRITABLE
 */
export async function initProject({ directory, template = "blank", cwd }: InitOptions): Promise<InitResult> {
  const known = Object.keys(TEMPLATES);
  if (!known.includes(template)) {
    throw new PackError("TEMPLATE_UNKNOWN", `There is no template "${template}".`, {
      details: { template, known },
      hint: `Choose one of: ${known.join(", ")}.`,
    });
  }
  const target = resolve(cwd, directory);
  if (await isOlderProject(target)) return { directory: target, files: await adopt(target) };
  await assertEmpty(target);
  // Of two files with one path, the template's own is written.
  const files = new Map([...(await readTemplate(SHARED_FILES)), ...(await readTemplate(template))]);
  return { directory: target, template, files: await writeProject(target, files) };
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

/** @throws {PackError} TARGET_NOT_EMPTY */
export async function assertEmpty(target: string): Promise<void> {
  if (!existsSync(target)) return;
  const isFolder = (await stat(target)).isDirectory();
  // A fresh repository is still an empty project.
  if (isFolder && (await readdir(target)).every((name) => name === ".git")) return;
  throw new PackError("TARGET_NOT_EMPTY", `${target} is ${isFolder ? "not an empty folder" : "a file, not a folder"}.`, {
    details: { directory: target },
    hint: "Name a folder that does not exist yet; nothing was changed.",
  });
}
