import { type Dirent, existsSync, readdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isFile, isPipeOrDevice, readRegularFile, readStats } from "./files.ts";
import { foldersUpFrom } from "./folders.ts";
import { isInside, realPath } from "./project-boundary.ts";

const MIB = 1024 * 1024;

/** Files and folders that git opens for almost each of its commands. */
const FILES: readonly [maxBytes: number, names: readonly string[]][] = [
  [16 * MIB, ["HEAD", "config", "config.worktree", "shallow", "commondir", "gitdir"]],
  [16 * MIB, ["info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout"]],
  // git compares each of its lines with all others.
  [4096, ["objects/info/alternates"]],
  // Those of a repository with a million files.
  [512 * MIB, ["index", "packed-refs", "objects/info/commit-graph"]],
  [512 * MIB, ["objects/pack/multi-pack-index"]],
];
const FOLDERS = ["objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags"];
/** As many files that include others as git allows. */
const MAX_DEPTH = 10;
/** git reads a file as often as it is included: ten files can include each other without an end. */
const MAX_INCLUDES = 100;

/**
 * Refuses a folder that git takes for a repository because of the files in it, without a `.git`:
 * these can be committed, and git before 2.38 does not know `safe.bareRepository`. Refuses a
 * repository with a pipe or a device where git expects a file, too: git would wait for the one, and
 * read the other for ever.
 * @returns the folder that has the `.git`; undefined without a repository
 */
export function requireReadableRepository(cwd: string): string | undefined {
  if (process.env["GIT_DIR"] !== undefined) return undefined;
  for (const folder of foldersUpFrom(realPath(cwd))) {
    const stats = readStats(join(folder, ".git"));
    if (stats !== undefined) {
      requireReadable(folder, stats);
      return folder;
    }
    if (["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name))))
      throw refuse(
        `not a git repository: ${folder} has the files of a bare repository, but no .git`,
      );
  }
  return undefined;
}

function requireReadable(folder: string, stats: Stats): void {
  const path = join(folder, ".git");
  if (stats.isDirectory()) {
    requireRegularFiles(path);
    return;
  }
  const target = readGitdir(path);
  if (target === undefined) return;
  const own = resolve(folder, target);
  requireRegularFiles(own);
  if (readStats(join(own, "commondir")) !== undefined)
    requireRegularFiles(resolve(own, readText(join(own, "commondir")).trim()));
}

function requireRegularFiles(repository: string): void {
  for (const [maxBytes, names] of FILES)
    for (const name of names) requireRegularFile(join(repository, name), maxBytes);
  for (const name of FOLDERS)
    if (isPipeOrDevice(join(repository, name)))
      throw refuse(`${join(repository, name)} is not a folder`);
  for (const name of ["config", "config.worktree"])
    requireIncludes(join(repository, name), { count: 0 });
}

/**
 * git writes through links: one in the place of its `COMMIT_EDITMSG` or of a log leads to any file of
 * the user. A `.git` can also name the repository of another folder.
 * @returns a path in the repository of a folder that leads out of it
 */
export function findWayOut(cwd: string): string | undefined {
  const folder = requireReadableRepository(cwd);
  if (folder === undefined) return undefined;
  const path = join(folder, ".git");
  const own = realPath(findRepository(path));
  if (!isInside(folder, own) && !namesFolder(own, folder)) return path;
  const common = join(own, "commondir");
  const shared = isFile(common) ? realPath(resolve(own, readText(common).trim())) : own;
  // Those of a work tree are in a folder of the common ones.
  return findLinkOut(own, shared) ?? findLinkOut(shared, shared);
}

/** Where git keeps what belongs to a `.git`, which can be a file with a path. */
function findRepository(path: string): string {
  const target = isFile(path) ? readGitdir(path) : undefined;
  return target === undefined ? path : resolve(dirname(path), target);
}

function readGitdir(path: string): string | undefined {
  return /^gitdir: (.*?)[\r\n]*$/s.exec(readText(path))?.[1];
}

/** Whether a repository belongs to a folder: to a work tree or a submodule. */
function namesFolder(repository: string, folder: string): boolean {
  const [gitdir, config] = ["gitdir", "config"].map((name) => join(repository, name));
  const [, worktree] = /^\s*worktree\s*=\s*(.*?)\s*$/m.exec(readIfFile(config)) ?? [];
  const named = [dirname(readIfFile(gitdir).trim()), worktree ?? repository];
  return named.some((path) => realPath(resolve(repository, path)) === folder);
}

/** What a commit and a tag do not write to. */
const ONLY_READ = new Set(["hooks", "info", "config", "config.worktree", "lfs", "modules"]);

function findLinkOut(repository: string, shared: string): string | undefined {
  const waiting = [repository];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const entry of readEntries(folder)) {
      const path = join(folder, entry.name);
      if (folder === repository && ONLY_READ.has(entry.name)) continue;
      if (entry.isSymbolicLink() && !isInside(shared, realPath(path))) return path;
      if (entry.isDirectory()) waiting.push(path);
      else if (!entry.isFile() && !entry.isSymbolicLink())
        throw refuse(`${path} is not a regular file`);
    }
  return undefined;
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readIfFile(path = ""): string {
  return isFile(path) ? readText(path) : "";
}

/** Refuses what git would read as text, and is not a file of a sensible size. */
export function requireRegularFile(path: string, maxBytes = 16 * MIB): void {
  const stats = readStats(path);
  if (stats === undefined || stats.isDirectory()) return;
  if (!stats.isFile()) throw refuse(`${path} is not a regular file`);
  if (stats.size > maxBytes) throw refuse(`${path} is too large`);
}

/** The files that a file of settings includes. */
function requireIncludes(path: string, included: { count: number }, depth = 0): void {
  if (readStats(path)?.isFile() !== true || depth > MAX_DEPTH) return;
  const text = readText(path);
  if (!/\[\s*include/i.test(text)) return;
  for (const [, value = ""] of text.matchAll(/^(?:\s*\[[^\]\n]*\])?\s*path\s*=\s*(.*)$/gim)) {
    const name = value.replaceAll('"', "").trim();
    const target = resolve(dirname(path), name.replace(/^~(?=\/)/, homedir()));
    requireRegularFile(target);
    included.count += 1;
    if (included.count > MAX_INCLUDES) throw refuse(`${path} includes too many files`);
    requireIncludes(target, included, depth + 1);
  }
}

function readText(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    throw refuse(`${path} is not a regular file, or is too large`);
  }
}

/** An error as git would give it, whose last line is for the user. */
export function refuse(reason: string): Error {
  return Object.assign(new Error(reason), { code: 128, stderr: `fatal: ${reason}` });
}
