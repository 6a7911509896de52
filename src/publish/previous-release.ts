import { realpathSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import type { ComparedPack } from "../compare/compare-packs.ts";
import { PackError } from "../errors.ts";
import { readRegularText } from "../shared/files.ts";
import { askGit, runGit } from "../shared/git.ts";
import { readState } from "./diff-packs.ts";
import type { VersionPlace } from "./version-place.ts";
import type { WorkingTree } from "./working-tree.ts";

export interface PreviousRelease {
  version: string | undefined;
  /** Undefined when nothing here knows what this version was. */
  state: ComparedPack | undefined;
  /** The version that was uploaded last, when a registry was asked: the next one must be above. */
  newest?: string | undefined;
}

/**
 * Builds a Pack as it was in the commit that wrote its current version: that is the release before,
 * until another version is written.
 * @param entry absolute path of the entry file
 * @throws {PackError} GIT_FAILED where the history is cut off, and those of building a Pack
 */
export async function findStateOfVersion(
  entry: string,
  version: string,
  { path, place }: VersionPlace,
  tree: WorkingTree,
): Promise<PreviousRelease | undefined> {
  const file = pathInRepository(tree, path);
  if (file === undefined) return undefined;
  const args = ["--no-textconv", "--porcelain", "-L"];
  if (tree.dirty.includes(file)) {
    const line = `/${escapePattern(version)}/,+1`;
    // A version that is not committed yet comes after the state of the last commit.
    const blamed = await askGit(tree.root, "blame", ...args, line, "HEAD", "--", file);
    return await readBlamed(entry, blamed ?? "HEAD", tree);
  }
  const line = `${place.line},+1`;
  const blamed = await runGit(tree.root, "blame", ...args, line, "HEAD", "--", file);
  return await readBlamed(entry, blamed, tree);
}

/** @param blamed what git says about one line: the commit, and more about it */
async function readBlamed(
  entry: string,
  blamed: string,
  tree: WorkingTree,
): Promise<PreviousRelease> {
  if (/^boundary$/m.test(blamed)) await assertComplete(tree);
  const [commit = ""] = blamed.split(" ");
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
  written?: Pick<VersionPlace, "path">,
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
  written?: Pick<VersionPlace, "path">,
): Promise<string | undefined> {
  const tag = `refs/tags/${formatTag(packId, version)}^{commit}`;
  const tagged = await askGit(dirname(entry), "rev-parse", "--verify", "--quiet", tag);
  if (tagged !== undefined) return tagged;
  // Whole numbers are also the versions that a registry chooses for a source without one.
  if (written === undefined && /^\d+$/.test(version)) return undefined;
  return await findCommitWith(version, written?.path ?? entry);
}

/** @returns the name of the tag of a released version */
export function formatTag(packId: number, version: string): string {
  return `pack/${packId}/v${version}`;
}

/** @returns the last commit in which a file has a quoted version that it got or lost later. */
async function findCommitWith(version: string, path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const quoted = `["'\`]${version.replaceAll(".", "\\.")}["'\`]`;
  const changed = await askGit(
    folder,
    "log",
    "--no-textconv",
    "--no-ext-diff",
    "--format=%H",
    "--pickaxe-regex",
    `-S${quoted}`,
    "--",
    basename(path),
  );
  const cutOff = await listCutOff(folder);
  for (const commit of changed?.split("\n").filter(Boolean) ?? []) {
    // Everything seems to be new in the first commit that a shallow clone has.
    if (cutOff.has(commit)) return undefined;
    const search = ["grep", "--quiet", "--no-textconv", "-E", "-e", quoted, commit];
    const found = await askGit(folder, ...search, "--", basename(path));
    if (found !== undefined) return commit;
  }
  return undefined;
}

/** The commits whose parents are not in this clone. */
async function listCutOff(folder: string): Promise<Set<string>> {
  const path = await askGit(folder, "rev-parse", "--path-format=absolute", "--git-path", "shallow");
  const text = path === undefined ? "" : await readRegularText(path).catch(() => "");
  return new Set(text.split("\n").filter(Boolean));
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
  throw new PackError(
    "GIT_FAILED",
    `git cannot find out when the version was written: ${reason}.`,
    {
      details: { folder: root, reason },
      hint: "Run git fetch --unshallow, or pass the previous release with --since.",
    },
  );
}
