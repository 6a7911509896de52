import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { notWritable } from "../shared/failures.ts";
import { makeFolder } from "../shared/folders.ts";
import { packageRoot, packageVersion } from "../shared/own-package.ts";

/** Texts by path, relative to the project, with `/` between the parts. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** Reads a folder of `templates/`. Placeholders such as `{{name}}` are not replaced yet. */
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

/**
 * npm does not publish files such as .gitignore, so dot files in templates begin with an
 * underscore.
 */
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
 * Writes a new project. After a failure it removes what it wrote, so that you can run the same
 * command again.
 *
 * @param target absolute path of a folder that is empty or does not exist yet
 * @param options.texts values of further placeholders
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
    Object.entries({
      name: projectName(target),
      packsmith: await packageSpec(target),
      ...(await toolVersions()),
      ...texts,
    }),
  );
  const written: string[] = [];
  const isNew = !existsSync(target);
  try {
    makeFolder(target);
    const filled = [...files].map(
      ([path, text]) =>
        [path, text.replace(/\{\{(\w+)\}\}/g, (found, name) => values.get(name) ?? found)] as const,
    );
    for (const [path, text] of [...filled, ...verbatim]) {
      makeFolder(dirname(join(target, path)));
      await writeFile(join(target, path), text, { flag: "wx" });
      written.push(path);
    }
  } catch (cause) {
    await removeWritten(target, written, isNew);
    throw notWritable(
      "The project",
      target,
      "Check the permissions of the folder, or choose another folder. packsmith removed the files that it had written.",
      cause,
    );
  }
  return written.sort();
}

async function removeWritten(
  target: string,
  written: readonly string[],
  isNew: boolean,
): Promise<void> {
  // A path through a file fails here, too; the first failure says why.
  if (isNew) return await rm(target, { recursive: true, force: true }).catch(() => undefined);
  for (const path of written) {
    await rm(join(target, path), { force: true });
    // Remove only empty folders.
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
      await rmdir(join(target, folder)).catch(() => undefined);
  }
}

/** The name of a folder as a valid npm package name. */
function projectName(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9-_.]+/g, "-")
    .replace(/^[-_.]+|[-.]+$/g, "");
  return name === "" ? "my-pack" : name;
}

/** The versions of the tools that packsmith is tested with. */
async function toolVersions(): Promise<Record<string, string>> {
  const { devDependencies } = JSON.parse(
    await readFile(join(packageRoot(), "package.json"), "utf8"),
  ) as {
    devDependencies: Record<string, string>;
  };
  return Object.fromEntries(
    ["turbo", "typescript", "vitest"].map((tool) => [tool, devDependencies[tool] ?? "latest"]),
  );
}

/**
 * The version of packsmith for a project's package.json, so that the project gets the copy that
 * runs now: a version range if that copy came from a
 * registry, otherwise the tarball or the folder that it was installed from.
 *
 * @param project absolute path of the project
 * @param from folder of this package, for tests
 */
export async function packageSpec(project: string, from: string = packageRoot()): Promise<string> {
  const root = await realpath(from);
  const marker = `${sep}node_modules${sep}`;
  const at = root.lastIndexOf(marker);
  if (at < 0) return fileSpec(project, root);
  const installation = root.slice(0, at);
  if (isFromOtherManager(root, installation)) return `^${packageVersion()}`;
  const resolved = await resolvedFrom(
    installation,
    root
      .slice(at + 1)
      .split(sep)
      .join("/"),
  );
  if (resolved === undefined) return fileSpec(project, root);
  if (!resolved.startsWith("file:")) return `^${packageVersion()}`;
  return fileSpec(project, resolve(join(installation, "node_modules"), fileTarget(resolved)));
}

/**
 * Whether pnpm, Yarn or Bun installed this package from a registry: they name its version in a path
 * (pnpm's `.pnpm/packsmith@0.1.0`, Yarn's
 * `packsmith-npm-0.1.0-….zip`, or `packsmith-virtual-…` with Plug'n'Play), or keep a file of their own next to `node_modules` or in it.
 */
function isFromOtherManager(root: string, installation: string): boolean {
  if (/[\\/]\.pnpm[\\/]packsmith@\d|[\\/]packsmith-(?:npm-\d|virtual-)/.test(root)) return true;
  const records = [join("node_modules", ".yarn-state.yml"), "bun.lock"].map((file) =>
    join(installation, file),
  );
  return records.some(
    (file) => existsSync(file) && /packsmith@npm:|"packsmith@\d/.test(readFileSync(file, "utf8")),
  );
}

/** Finds where a package was installed from. npm records it in a lock file inside node_modules. */
async function resolvedFrom(installation: string, key: string): Promise<string | undefined> {
  try {
    const lock = JSON.parse(
      await readFile(join(installation, "node_modules", ".package-lock.json"), "utf8"),
    ) as {
      packages?: Record<string, { resolved?: string; version?: string; link?: boolean }>;
    };
    const entry = lock.packages?.[key];
    if (entry === undefined) return undefined;
    // A lock file may omit the registry address of a package.
    return entry.resolved ?? (entry.link === true ? undefined : "registry");
  } catch {
    return undefined;
  }
}

function fileTarget(resolved: string): string {
  // Paths in a lock file are relative to the parent of node_modules.
  return join("..", decodeURI(resolved.slice("file:".length)));
}

function fileSpec(project: string, target: string): string {
  const path = relative(project, target).split(sep).join("/");
  return `file:${path === "" ? "." : path}`;
}
