import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { createBuildRecord } from "../bundle/build-record.ts";
import { folderOfBuild, notABuild, readBuild } from "../bundle/read-build.ts";
import { adviseVersion, mostSerious } from "../compare/change.ts";
import { type ComparedPack, comparePacks } from "../compare/compare-packs.ts";
import { usageError } from "../errors.ts";
import { openPack } from "../execute/open-pack.ts";
import { askGit } from "../shared/git.ts";
import type { PackDifference } from "./difference.ts";
import { withCommit } from "./unpack-commit.ts";

/**
 * Compares two states of a Pack.
 * @param before the folder of a build or a file in it, the source of a Pack, or a git revision: `HEAD~1`, `v1.2:packs/pack.ts`
 * @param after the same; a revision without a path uses the path of the other state
 * @throws {PackError} USAGE_INVALID, BUILD_INCOMPLETE, and those of building and loading a Pack
 */
export async function diffPacks(
  before: string,
  after: string,
  { cwd }: { cwd: string },
): Promise<PackDifference> {
  const older = await readState(before, { cwd, other: after });
  const newer = await readState(after, { cwd, other: before });
  const changes = comparePacks(older, newer);
  const { version } = older;
  return { class: mostSerious(changes), changes, version, advice: adviseVersion(version, changes) };
}

type PackState = ComparedPack & { version?: string | undefined };

/**
 * Reads a state of a Pack, and builds it when it is a source. @throws {PackError} those of
 * `diffPacks`
 */
export async function readState(
  text: string,
  { cwd, other }: { cwd: string; other: string },
): Promise<PackState> {
  const path = resolve(cwd, text);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return readBuilt(path);
  if (found === undefined) return await readRevision(text, { cwd, other });
  if (path.endsWith(".json")) return readBuilt(path);
  const isBuilt =
    basename(path) === "bundle.js" &&
    (await stat(join(dirname(path), "build.json")).catch(() => undefined)) !== undefined;
  return isBuilt ? readBuilt(path) : await readSource(path);
}

function readBuilt(path: string): PackState {
  const build = readBuild(folderOfBuild(path));
  if (build === undefined) throw notABuild(path);
  return build;
}

async function readSource(file: string, root?: string): Promise<PackState> {
  await using pack = await openPack(file, { cwd: dirname(file), root });
  return createBuildRecord(pack.bundle, pack.compiled);
}

/**
 * Builds the Pack as it was: with its files from the git history, and the dependencies that are
 * installed now.
 */
async function readRevision(
  text: string,
  { cwd, other }: { cwd: string; other: string },
): Promise<PackState> {
  const [revision = "", given] = splitRevision(text);
  const root = await askGit(cwd, "rev-parse", "--show-toplevel");
  const path = given ?? (splitRevision(other)[1] || other);
  const commit =
    root === undefined
      ? undefined
      : await askGit(cwd, "rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
  if (root === undefined || commit === undefined) {
    throw usageError(
      `${text} is neither a file nor a git revision of this repository.`,
      "Pass the folder of a build, a Pack's source, or a revision such as HEAD~1:pack.ts.",
    );
  }
  const packFolder = dirname(resolve(cwd, path));
  return await withCommit({ root, commit, packFolder }, async (folder) => {
    const entry = join(folder, relative(root, resolve(cwd, path)));
    if ((await stat(entry).catch(() => undefined)) === undefined) {
      throw usageError(
        `${path} does not exist in ${revision}.`,
        `Pass the path that the Pack had in this revision: ${revision}:old/path/pack.ts.`,
      );
    }
    // A link in the commit must not reach the files of this machine.
    return await readSource(entry, folder);
  });
}

/** `revision:path`; the path may be missing. */
function splitRevision(text: string): [revision: string, path: string | undefined] {
  const colon = text.indexOf(":");
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}
