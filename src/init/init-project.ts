import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { adoptProject, isLegacyProject, stepsLeft } from "./adopt-project.ts";
import type { InitResult } from "./init-result.ts";
import type { OperationChoice } from "./openapi/choose-operations.ts";
import { filesFor, managerFiles, type PackageManager } from "./package-manager.ts";
import { SHARED_FILES, TEMPLATES } from "./templates.ts";
import { type ProjectFiles, readTemplate, writeProject } from "./write-project.ts";

export interface InitOptions {
  /**
   * The folder to create. It may exist if it is empty, or if it has a Pack that imports
   * `@codahq/packs-sdk`.
   */
  directory: string;
  /** @default "blank" */
  template?: string | undefined;
  /** Path of an OpenAPI description to generate the Pack from, instead of a template. */
  from?: string | undefined;
  /**
   * The operations of the description to use, as patterns for the path, the method and path, or the
   * operation ID. `*` matches within a part of
   * a path, `**` across parts. @default all
   */
  include?: readonly string[] | undefined;
  /** Use only operations with one of these tags. @default all */
  tags?: readonly string[] | undefined;
  /**
   * What installs the packages of the project. README, AGENTS.md and workflow name its commands,
   * and pnpm gets a file of its own. The
   * template `monorepo` is always for npm. @default "npm"
   */
  packageManager?: PackageManager | undefined;
  cwd: string;
}

/** The template files of a project from a description. */
const SCAFFOLD_FILES = "_openapi";

/**
 * Creates a project from a template of this package, or from a description. Uses no network. In a
 * project for `@codahq/packs-sdk`, it keeps all
 * files and only sets up the type checker.
 *
 * @throws {PackError} TEMPLATE_UNKNOWN, TARGET_NOT_EMPTY, OUTPUT_NOT_WRITABLE
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED, DESCRIPTION_REFERENCE
 * @throws {PackError} USAGE_INVALID if `include` or `tags` match no operation
 */
export async function initProject(options: InitOptions): Promise<InitResult> {
  const { directory, template = "blank", from, packageManager = "npm", cwd, ...choice } = options;
  // The workspaces of the monorepo are those of npm.
  const manager = template === "monorepo" && from === undefined ? "npm" : packageManager;
  if (from !== undefined)
    return await initFromDescription(resolve(cwd, directory), from, cwd, choice, manager);
  const known = Object.keys(TEMPLATES);
  if (!known.includes(template)) {
    throw new PackError("TEMPLATE_UNKNOWN", `No template is named "${template}".`, {
      details: { template, known },
      hint: `Choose one of: ${known.join(", ")}.`,
    });
  }
  const target = resolve(cwd, directory);
  if (await isLegacyProject(target))
    return { directory: target, files: await adopt(target), left: await stepsLeft(target) };
  await requireEmpty(target);
  return {
    directory: target,
    template,
    files: await writeProject(target, await projectFiles(template, manager)),
  };
}

async function initFromDescription(
  target: string,
  from: string,
  cwd: string,
  choice: OperationChoice,
  manager: PackageManager,
): Promise<InitResult> {
  await requireEmpty(target);
  const { scaffoldPack } = await import("./openapi/scaffold.ts");
  const { files: verbatim, firstFormula, ...scaffold } = await scaffoldPack(from, cwd, choice);
  const files = await projectFiles(SCAFFOLD_FILES, manager);
  return {
    directory: target,
    scaffold,
    files: await writeProject(target, files, {
      texts: { title: scaffold.title, formula: firstFormula },
      verbatim,
    }),
  };
}

/** If the template and the shared files both have a file, the template's own wins. */
async function projectFiles(template: string, manager: PackageManager): Promise<ProjectFiles> {
  const files = new Map([...(await readTemplate(SHARED_FILES)), ...(await readTemplate(template))]);
  return new Map([...filesFor(manager, files), ...managerFiles(manager)]);
}

async function adopt(target: string): Promise<string[]> {
  try {
    return await adoptProject(target);
  } catch (cause) {
    throw new PackError(
      "OUTPUT_NOT_WRITABLE",
      `${join(target, "tsconfig.json")} could not be written.`,
      {
        details: { path: target },
        hint: "Check the permissions of that file.",
        cause,
      },
    );
  }
}

/**
 * Makes sure that a new project overwrites no file.
 *
 * @param target absolute path
 * @throws {PackError} TARGET_NOT_EMPTY
 */
export async function requireEmpty(target: string): Promise<void> {
  if (!existsSync(target)) return;
  const isFolder = (await stat(target)).isDirectory();
  // An empty repository is an empty project.
  if (isFolder && (await readdir(target)).every((name) => name === ".git")) return;
  throw new PackError(
    "TARGET_NOT_EMPTY",
    `${target} is ${isFolder ? "not an empty folder" : "a file, not a folder"}.`,
    {
      details: { directory: target },
      hint: "Choose an empty folder, or a folder that does not exist yet. Nothing was changed.",
    },
  );
}
