import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { PackError } from "../errors.ts";
import { readRegularFile } from "./files.ts";
import { foldersUpFrom, homeDirectory } from "./folders.ts";
import { memoize } from "./values.ts";

/**
 * The folders that a project's files may be in. All paths are real paths: no part of them is a
 * symbolic link.
 */
export interface ProjectBoundary {
  /** The folder of the project or workspace, for messages. */
  root: string;
  /** Whether a file is in the project. @param path a real path */
  includes(path: string): boolean;
  /** Whether a file is the vault's. It is never a part of a project. @param path a real path */
  isVaultFile(path: string): boolean;
}

export interface BoundaryOptions {
  /** The folder that all files must be in. @default the project or workspace of the file */
  root?: string | undefined;
  /** The folder of the vault. @default `homeDirectory(process.env)` */
  vault?: string | undefined;
}

/** In the folder of a workspace, one of these has its name. */
const WORKSPACE_MARKS = [
  ...[".git", "pnpm-workspace.yaml", "lerna.json", "nx.json", "rush.json", "turbo.json"],
  ...["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"],
];

/**
 * The boundary of the project that a file belongs to: the nearest workspace above it, otherwise the
 * nearest folder with a
 * package.json, otherwise the file's own folder. A file that is a symbolic link belongs to both
 * projects, of the link and of what
 * it points to, if both are projects: this is how some build systems present their sources.
 */
export function projectBoundary(
  file: string,
  { root, vault = homeDirectory(process.env) }: BoundaryOptions = {},
): ProjectBoundary {
  const own = realPath(root ?? projectRoot(dirname(file)));
  const target = realPath(file);
  const other =
    root === undefined && !isInside(own, target)
      ? createProjectFinder().findProject(dirname(target))
      : undefined;
  const roots = other === undefined ? [own] : [own, other];
  const vaultFolder = realPath(resolve(vault));
  const isVaultFile = (path: string): boolean => {
    if (!isInside(vaultFolder, path)) return false;
    // A project may be in the vault's folder, as in a test.
    const isOfProject = roots.some(
      (folder) => isInside(vaultFolder, folder) && isInside(folder, path),
    );
    return !isOfProject || (dirname(path) === vaultFolder && basename(path).startsWith("vault."));
  };
  return {
    root: own,
    isVaultFile,
    includes: (path) => roots.some((folder) => isInside(folder, path)) && !isVaultFile(path),
  };
}

/**
 * Refuses a file that a command is about to read or write when it is not a part of the project: a
 * symbolic link, or a link above it,
 * leads out of the project, or it is the vault's.
 * @param owner the file whose project counts, when another file names this one. @default the file
 * @throws {PackError} OUTSIDE_PROJECT
 */
export function requireInProject(file: string, owner = file): void {
  const boundary = projectBoundary(file, { root: projectRoot(dirname(owner)) });
  const target = realPath(file);
  if (boundary.includes(target)) return;
  const where = boundary.isVaultFile(target)
    ? "is a file of the vault"
    : `leads out of the project ${boundary.root}`;
  throw new PackError("OUTSIDE_PROJECT", `${file} ${where}.`, {
    details: { path: file },
    hint: "Copy the file into the project. If you did not create the link, remove the link.",
  });
}

/**
 * Refuses to write into a folder when a link leads out of it.
 * @throws {PackError} OUTSIDE_PROJECT
 */
export function requireInside(folder: string, path: string): void {
  if (isInside(realPath(folder), realPath(path))) return;
  throw new PackError("OUTSIDE_PROJECT", `${path} leads outside the folder ${folder}.`, {
    details: { path },
    hint: "A part of the path is a symbolic link. Remove the link, or pass another folder.",
  });
}

/**
 * Whether a path is a folder or something in it. Both are absolute, in the spelling of the disk and
 * without `..`, as `realPath` gives them.
 */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * @returns the real path; for one that does not exist, that of its nearest existing folder, with
 * the rest. Links to nothing count
 */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = realPath(parent, links);
    const target = links < MAX_LINKS ? linkTarget(join(folder, basename(path))) : undefined;
    return target === undefined
      ? join(folder, basename(path))
      : realPath(resolve(folder, target), links + 1);
  }
}

/**
 * The same as `realPath`, for many paths in few folders. Each is looked at once, so links must stay
 * as they are meanwhile.
 */
export function createRealPathReader(): (path: string) => string {
  const folderOf = memoize((folder: string) => realPath(folder));
  return memoize((path) =>
    isPlain(path) ? join(folderOf(dirname(path)), basename(path)) : realPath(path),
  );
}

/** Whether there is a file or folder, and no link. */
function isPlain(path: string): boolean {
  try {
    return !lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The folder of the project or workspace that a folder is in. Without a package.json above, that is
 * the working directory if it is above, otherwise the nearest folder with a Pack's id.
 * @returns the folder itself when it is in none
 */
export function projectRoot(folder: string, cwd: string = process.cwd()): string {
  return createRootFinder(cwd)(folder);
}

/**
 * The same as `projectRoot`, for many folders. Each folder above them is looked at once, so all of
 * them must stay as they are meanwhile.
 */
export function createRootFinder(cwd: string = process.cwd()): (folder: string) => string {
  const { listAbove, findProject } = createProjectFinder();
  const hasPackId = memoize((folder) => existsSync(join(folder, ".coda-pack.json")));
  return memoize(
    (folder) =>
      findProject(folder) ??
      listAbove(folder).find((each) => each === resolve(cwd)) ??
      listAbove(folder).find(hasPackId) ??
      resolve(folder),
  );
}

interface ProjectFinder {
  /** The folder and those above it, without those that contain the user's home. */
  listAbove(folder: string): string[];
  /** @returns undefined when no folder above is a workspace or has a package.json */
  findProject(folder: string): string | undefined;
}

function createProjectFinder(): ProjectFinder {
  const home = realPath(homedir());
  const isOfUser = memoize((folder) => !isInside(realPath(folder), home));
  const isWorkspace = memoize(
    (folder) =>
      WORKSPACE_MARKS.some((name) => isMark(join(folder, name))) ||
      mentions(join(folder, "package.json"), /"workspaces"\s*:/),
  );
  const hasManifest = memoize((folder) => existsSync(join(folder, "package.json")));
  const listAbove = (folder: string) => foldersUpFrom(resolve(folder)).filter(isOfUser);
  return {
    listAbove,
    findProject: (folder) =>
      listAbove(folder).find(isWorkspace) ?? listAbove(folder).find(hasManifest),
  };
}

/** Each package of a workspace may have a turbo.json of its own, which extends that of the root. */
function isMark(path: string): boolean {
  if (!existsSync(path)) return false;
  return basename(path) !== "turbo.json" || !mentions(path, /"extends"\s*:/);
}

function mentions(path: string, text: RegExp): boolean {
  try {
    return text.test(readRegularFile(path).toString());
  } catch {
    return false;
  }
}
