import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { findUp } from "../shared/folders.ts";
import { askGit, gitReason, runGit } from "../shared/git.ts";

/** What git knows about a folder. */
export interface WorkingTree {
  root: string;
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Undefined when none is checked out. */
  branch: string | undefined;
  /** Paths below the root that differ from the commit. */
  dirty: string[];
}

/**
 * @param folder where git runs
 * @param allowDirty it does not matter what is committed
 * @returns undefined without a repository
 * @throws {PackError} GIT_FAILED for a repository that git cannot read: it is not known then what
 *   is committed
 */
export async function readWorkingTree(
  folder: string,
  allowDirty = false,
): Promise<WorkingTree | undefined> {
  const git = (...args: string[]) => runGit(folder, ...args);
  try {
    const root = (await git("rev-parse", "--show-toplevel")).trim();
    const commit = await askGit(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
    const branch = await askGit(folder, "symbolic-ref", "--quiet", "--short", "HEAD");
    return { root: resolve(root), commit, branch, dirty: await listDirty(root) };
  } catch (error) {
    if (allowDirty || !hasRepository(folder, error)) return undefined;
    const reason = gitReason(error);
    throw new PackError("GIT_FAILED", `git cannot list the changes in ${folder}: ${reason}.`, {
      details: { folder, reason },
      hint: "Run git status in this folder, and fix the reported problem. To release without git, pass --allow-dirty.",
      cause: error,
    });
  }
}

/**
 * The changed paths of a work tree and of those in it. git would look into the latter with the
 * settings of each, which nothing has checked.
 */
async function listDirty(root: string): Promise<string[]> {
  const options = ["--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"];
  const entries = (await runGit(root, "status", "--porcelain=v1", "-z", ...options)).split("\0");
  const dirty = entries.map((entry) => entry.slice(3)).filter((path) => path !== "");
  if (!existsSync(join(root, ".gitmodules"))) return dirty;
  const files = (await runGit(root, "ls-files", "--stage", "-z")).split("\0");
  const modules = files.flatMap((line) => /^160000 .*?\t(.*)$/s.exec(line)?.[1] ?? []);
  const inner = modules.filter((module) => existsSync(join(root, module, ".git")));
  for (const module of inner) {
    const paths = await listDirty(join(root, module));
    dirty.push(...paths.map((path) => `${module}/${path}`));
  }
  return dirty;
}

/** Whether the failure is about a repository that is there, and not about one that is absent. */
function hasRepository(folder: string, error: unknown): boolean {
  // A bare repository has no files to compare.
  const isAbsent = /not a git repository|must be run in a work tree/.test(
    String((error as { stderr?: unknown }).stderr ?? ""),
  );
  return !isAbsent && existsSync(folder) && findUp(folder, ".git") !== undefined;
}
