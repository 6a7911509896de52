import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { adoptProject, isOlderProject } from "./adopt-project.ts";
import { packageRoot } from "./package-root.ts";
import { packageSpec } from "./package-spec.ts";

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

/** What the templates are, in the order in which help lists them. */
export const TEMPLATE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  blank: "one formula, no authentication",
  oauth2: "users connect with OAuth2 and PKCE",
  "client-credentials": "a program connects with its client ID and secret",
};

/**
 * Copies a template from the package; nothing is fetched. A project that was written for the older name of this package
 * keeps its files; its type checker learns where that name leads.
 * @throws {PackError} TEMPLATE_UNKNOWN, TARGET_NOT_EMPTY, OUTPUT_NOT_WRITABLE
 */
export async function initProject({ directory, template = "blank", cwd }: InitOptions): Promise<InitResult> {
  const known = Object.keys(TEMPLATE_DESCRIPTIONS);
  if (!known.includes(template)) {
    throw new PackError("TEMPLATE_UNKNOWN", `There is no template "${template}".`, {
      details: { template, known },
      hint: `Choose one of: ${known.join(", ")}.`,
    });
  }
  const target = resolve(cwd, directory);
  if (await isOlderProject(target)) return { directory: target, files: await adopt(target) };
  await assertEmpty(target);
  const source = join(packageRoot(), "templates", template);
  const values: Record<string, string> = {
    name: packageName(target),
    packsmith: await packageSpec(target),
    ...(await toolVersions()),
  };
  const files: string[] = [];
  const isNew = !existsSync(target);
  try {
    makeFolder(target);
    for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      // npm leaves .gitignore files out of packages, so templates ship them under another name.
      const path = relative(source, from).replace(/(^|[\\/])_gitignore$/, "$1.gitignore");
      const text = (await readFile(from, "utf8")).replace(/\{\{(\w+)\}\}/g, (found, name: string) => values[name] ?? found);
      makeFolder(dirname(join(target, path)));
      await writeFile(join(target, path), text, { flag: "wx" });
      files.push(path);
    }
  } catch (error) {
    await removeHalf(target, files, isNew);
    throw new PackError("OUTPUT_NOT_WRITABLE", `The project could not be written to ${target}.`, {
      details: { path: target },
      hint: "Check the permissions of that folder, or name another one; nothing was left behind.",
      cause: error,
    });
  }
  return { directory: target, template, files: files.sort() };
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

/** Takes back what was written, so that the same command can be run again. */
async function removeHalf(target: string, files: readonly string[], isNew: boolean): Promise<void> {
  if (isNew) return await rm(target, { recursive: true, force: true });
  for (const path of files) await rm(join(target, path), { force: true });
}

async function assertEmpty(target: string): Promise<void> {
  if (!existsSync(target)) return;
  const isFolder = (await stat(target)).isDirectory();
  // A fresh repository is still an empty project.
  if (isFolder && (await readdir(target)).every((name) => name === ".git")) return;
  throw new PackError("TARGET_NOT_EMPTY", `${target} is ${isFolder ? "not an empty folder" : "a file, not a folder"}.`, {
    details: { directory: target },
    hint: "Name a folder that does not exist yet; nothing was changed.",
  });
}

function packageName(target: string): string {
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
  return { typescript: devDependencies["typescript"] ?? "latest", vitest: devDependencies["vitest"] ?? "latest" };
}
