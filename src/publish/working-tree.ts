import { relative, resolve } from "node:path";
import { runGit } from "../shared/run-tool.ts";

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
 * @param ignored absolute path of a folder whose files do not count
 * @returns undefined without git or a repository
 */
export async function readWorkingTree(folder: string, ignored: string): Promise<WorkingTree | undefined> {
  const git = (...args: string[]) => runGit(folder, ...args);
  try {
    const root = (await git("rev-parse", "--show-toplevel")).trim();
    const commit = await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}").then(
      (text) => text.trim(),
      () => undefined,
    );
    const branch = await git("symbolic-ref", "--quiet", "--short", "HEAD").then(
      (text) => text.trim(),
      () => undefined,
    );
    const entries = (await git("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")).split("\0");
    const below = `${relative(root, ignored)}/`;
    const dirty = entries.map((entry) => entry.slice(3)).filter((path) => path !== "" && !path.startsWith(below));
    return { root: resolve(root), commit, branch, dirty };
  } catch {
    return undefined;
  }
}
