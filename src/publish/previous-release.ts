import { realpathSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import type { ComparedPack } from "../compare/compare-packs.ts";
import { PackError } from "../errors.ts";
import { runGit } from "../shared/run-tool.ts";
import { readState } from "./diff-packs.ts";
import type { WorkingTree } from "./working-tree.ts";

export interface PreviousRelease {
  version: string | undefined;
  /** Undefined when nothing here knows what this version was. */
  state: ComparedPack | undefined;
}

/** Where a version stands in the source. */
interface WrittenVersion {
  version: string;
  /** Absolute path. */
  path: string;
  line: number;
}

/**
 * Builds a Pack as it was in the commit that wrote its current version: that is the release before,
 * until another version is written.
 * @param entry absolute path of the entry file
 * @throws {PackError} GIT_FAILED where the history is cut off, and those of building a Pack
 */
export async function findStateOfVersion(
  entry: string,
  written: WrittenVersion,
  tree: WorkingTree,
): Promise<PreviousRelease | undefined> {
  const path = pathInRepository(tree, written.path);
  if (path === undefined) return undefined;
  const isSame = !tree.dirty.includes(path);
  const range = isSame ? `${written.line},+1` : `/${escapePattern(written.version)}/,+1`;
  const blamed = await runGit(
    tree.root,
    "blame",
    "--no-textconv",
    "--porcelain",
    "-L",
    range,
    "HEAD",
    "--",
    path,
  ).catch((error: unknown) => {
    // The version or its file is not committed yet, so that the last commit is the state before.
    if (!isSame) return "HEAD ";
    throw error;
  });
  const commit = blamed.slice(0, blamed.indexOf(" "));
  if (/^boundary$/m.test(blamed)) await assertComplete(tree);
  return await readCommit(entry, commit);
}

/**
 * Builds a Pack as it was in a version that users have: the commit that is tagged with it, or else
 * the last one that has it in the source.
 * @param written where the current version stands, when that is known
 * @returns a release without a state when the repository does not know the version
 */
export async function findStateOfRelease(
  entry: string,
  { packId, version }: { packId: number; version: string },
  written?: Pick<WrittenVersion, "path">,
): Promise<PreviousRelease> {
  const commit = await findCommitOfRelease(entry, { packId, version }, written);
  if (commit === undefined) return { version, state: undefined };
  return { version, state: (await readCommit(entry, commit)).state };
}

/**
 * Finds the source of a version: the commit that is tagged with it, or else the last one that has
 * the version in the file where it stands.
 * @returns undefined when the repository does not know the version
 */
export async function findCommitOfRelease(
  entry: string,
  { packId, version }: { packId: number; version: string },
  written?: Pick<WrittenVersion, "path">,
): Promise<string | undefined> {
  const tag = await runGit(
    dirname(entry),
    "rev-parse",
    "--verify",
    "--quiet",
    `refs/tags/${tagOf(packId, version)}^{commit}`,
  ).catch(() => "");
  return tag.trim() || (await findCommitWith(version, written?.path ?? entry));
}

/** @returns the name of the tag of a released version */
export function tagOf(packId: number, version: string): string {
  return `pack/${packId}/v${version}`;
}

/** @returns the last commit in which a file has a quoted version that it got or lost later. */
async function findCommitWith(version: string, path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const quoted = `["'\`]${version.replaceAll(".", "\\.")}["'\`]`;
  const changed = await runGit(
    folder,
    "log",
    "--no-textconv",
    "--no-ext-diff",
    "--format=%H",
    "--pickaxe-regex",
    `-S${quoted}`,
    "--",
    basename(path),
  ).catch(() => "");
  for (const commit of changed.split("\n").filter(Boolean)) {
    const search = ["grep", "--quiet", "--no-textconv", "-E", "-e", quoted, commit];
    const isIn = await runGit(folder, ...search, "--", basename(path)).then(
      () => true,
      () => false,
    );
    if (isIn) return commit;
  }
  return undefined;
}

async function readCommit(entry: string, commit: string): Promise<PreviousRelease> {
  const state = await readState(`${commit}:${entry}`, { cwd: dirname(entry), other: entry });
  return { version: state.version, state };
}

function pathInRepository({ root }: WorkingTree, path: string): string | undefined {
  const inside = relative(realpathSync(root), realpathSync(path));
  return inside.startsWith("..") ? undefined : inside.split(sep).join("/");
}

/** For a basic regular expression of git. */
function escapePattern(text: string): string {
  return text.replace(/[.*[\]^$\\/]/g, "\\$&");
}

/** @throws {PackError} GIT_FAILED in a clone without the older commits */
async function assertComplete({ root }: WorkingTree): Promise<void> {
  const isShallow = (await runGit(root, "rev-parse", "--is-shallow-repository")).trim() === "true";
  if (!isShallow) return;
  const reason = "this clone has no older commits";
  throw new PackError("GIT_FAILED", `git cannot say when the version was written: ${reason}.`, {
    details: { folder: root, reason },
    hint: "Run git fetch --unshallow, or name the release before with --since.",
  });
}
