import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { runGit } from "../shared/run-tool.ts";

const run = promisify(execFile);
const TAR_TIMEOUT_MS = 30_000;
/** A link in a commit's own node_modules could name any folder of this machine. */
const WITHOUT_MODULES = [":(exclude,glob)**/node_modules", ":(exclude,glob)**/node_modules/**"];

/**
 * Unpacks the files of a commit into a temporary folder, next to the dependencies that are
 * installed now, and removes it afterwards. The work tree stays as it is.
 * @param root absolute path of the repository
 * @param packFolder absolute path of the folder of the Pack in it
 * @param use receives the temporary folder, which stands for `root`
 */
export async function withCommit<Result>(
  { root, commit, packFolder }: { root: string; commit: string; packFolder: string },
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "packsmith-commit-"));
  try {
    const archive = join(folder, "archive.tar");
    const args = ["--format=tar", `--output=${archive}`, commit, ".", ...WITHOUT_MODULES];
    await runGit(root, "archive", ...args);
    await run("tar", ["-xf", archive, "-C", folder], { timeout: TAR_TIMEOUT_MS });
    await rm(archive);
    await linkModules(root, folder, packFolder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Links node_modules of the root, and of the folders between the root and the Pack. */
async function linkModules(root: string, folder: string, packFolder: string): Promise<void> {
  for (let at = packFolder; at.length >= root.length; at = dirname(at)) {
    await symlink(
      join(at, "node_modules"),
      join(folder, relative(root, at), "node_modules"),
      "dir",
    ).catch(() => undefined);
    if (at === dirname(at)) return;
  }
}
