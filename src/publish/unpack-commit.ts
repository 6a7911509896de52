import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { PackError } from "../errors.ts";
import { findProgram } from "../shared/find-program.ts";
import { gitReason, runGit } from "../shared/git.ts";
import { runTool } from "../shared/run-tool.ts";

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
    await unpack(root, commit, folder);
    await linkModules(root, folder, packFolder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {PackError} GIT_FAILED */
async function unpack(root: string, commit: string, folder: string): Promise<void> {
  const archive = join(folder, "archive.tar");
  const args = ["--format=tar", `--output=${archive}`, commit, ".", ...WITHOUT_MODULES];
  await runGit(root, "archive", ...args).catch((error: unknown) => {
    throw notUnpacked(root, commit, gitReason(error), error);
  });
  const tar = findProgram("tar", process.env, { outside: root });
  if (tar === undefined) throw notUnpacked(root, commit, "the program tar was not found");
  const options = { env: process.env, timeoutMs: TAR_TIMEOUT_MS };
  const { code, stderr } = await runTool(tar, ["-xf", archive, "-C", folder], options);
  if (code !== 0)
    throw notUnpacked(
      root,
      commit,
      stderr.trim().split("\n").at(-1) || "tar did not finish in time",
    );
  await rm(archive);
}

function notUnpacked(folder: string, commit: string, reason: string, cause?: unknown) {
  const name = commit.slice(0, 12);
  return new PackError("GIT_FAILED", `The files of commit ${name} cannot be read: ${reason}.`, {
    details: { folder, reason },
    hint: `Run git archive --output=commit.tar ${name} to see the reason. In a partial clone, this command also downloads the missing files.`,
    cause,
  });
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
