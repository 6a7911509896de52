import { copyFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { createBuildRecord } from "../../bundle/build-record.ts";
import { adviseVersion } from "../../compare/change.ts";
import type { Change } from "../../compare/change-schema.ts";
import { comparePacks } from "../../compare/compare-packs.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import type {
  PackRelease,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import { replaceFile } from "../../shared/atomic-write.ts";
import { runGit } from "../../shared/git.ts";
import { findCommitOfRelease, findStateOfRelease, formatTag } from "../previous-release.ts";
import { checkPack, planEdit } from "../release-pack.ts";
import { withCommit } from "../unpack-commit.ts";
import { findContentHash, hashContent, readUploadContent } from "./build-notes.ts";
import { PACK_ID_FILE, requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import {
  findCurrentRelease,
  listVersions,
  releaseVersion,
  unknownVersion,
} from "./registry-versions.ts";
import { uploadOnePack } from "./upload-pack.ts";

export interface RollBackOptions {
  cwd: string;
  client: RegistryClient;
  /** The version whose source users get back. */
  version: string;
  /** For users. @default which version was taken back */
  notes?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface RolledBack {
  packId: number;
  release: PackRelease;
  /** Users had this version already. */
  isCurrent: boolean;
  /** What users had before. */
  previous: string;
  /** What changes for users; undefined when git does not know what they had. */
  changes: Change[] | undefined;
}

/**
 * Gives users an older version again. A registry releases nothing older than what users have, so
 * the source of that version is built as a new, higher version, uploaded and released. It comes
 * from git; the work tree stays as it is.
 * @throws {PackError} VERSION_UNKNOWN to the registry or to git, RELEASE_VERSION_PLACE, and those
 *   of building a Pack, of uploads and of the client
 */
export async function rollBack(file: string, options: RollBackOptions): Promise<RolledBack> {
  const { cwd, client, version } = options;
  const entry = resolve(cwd, file);
  const folder = dirname(entry);
  const packId = requirePackId(folder, client.registry);
  const current = await findCurrentRelease(client, packId);
  const versions = await listVersions(client, packId);
  const names = versions.map(({ packVersion }) => packVersion);
  if (current === undefined || !names.includes(version))
    throw unknownVersion(packId, version, versions);
  const previous = current.packVersion;
  if (previous === version)
    return { packId, release: current, isCurrent: true, previous, changes: [] };

  const commit = await findCommitOfRelease(entry, { packId, version });
  if (commit === undefined) throw unknownToGit(packId, version);
  const { state: before } = await findStateOfRelease(entry, { packId, version: previous });
  const root = (await runGit(folder, "rev-parse", "--show-toplevel")).trim();
  const notes = options.notes ?? `Replaces version ${previous} with the older version ${version}.`;

  return await withCommit({ root, commit, packFolder: folder }, async (unpacked) => {
    const olderEntry = join(unpacked, relative(root, entry));
    const older = await checkPack(olderEntry, { cwd: unpacked, types: false });
    const changes =
      before === undefined
        ? undefined
        : comparePacks(before, createBuildRecord(older.bundle, older.compiled));
    const released = versions.find(({ packVersion }) => packVersion === previous);
    if (await isSource(older, olderEntry, released))
      return { packId, release: current, isCurrent: true, previous, changes: [] };
    await raiseVersion(older, nextVersion(names[0] ?? previous, changes), olderEntry);
    copyFileSync(join(folder, PACK_ID_FILE), join(dirname(olderEntry), PACK_ID_FILE));
    const { signal } = options;
    const upload = { cwd: unpacked, notes, signal, types: false };
    const uploaded = await uploadOnePack(olderEntry, client, upload);
    const { release } = await releaseVersion(client, packId, { version: uploaded, notes });
    return { packId, release, isCurrent: false, previous, changes };
  });
}

/** Above everything that was uploaded, as far as the changes require. */
function nextVersion(newest: string, changes: readonly Change[] | undefined): string {
  const numbers = newest.replace(/-.*$/, "");
  return (
    adviseVersion(numbers, changes ?? []) ??
    // What changes for users is not known.
    `${Number(numbers.split(".")[0]) + 1}.0.0`
  );
}

/** Whether an uploaded version was made from this source: only the version itself may differ. */
async function isSource(
  pack: Pick<Pack, "bundle" | "definition" | "compiled">,
  entry: string,
  uploaded: PackVersionSummary | undefined,
): Promise<boolean> {
  const hash = uploaded === undefined ? undefined : findContentHash(uploaded.buildNotes);
  if (uploaded === undefined || hash === undefined) return false;
  if (typeof pack.definition.version !== "string")
    return hashContent(readUploadContent(pack)) === hash;
  const { path, before, after } = planEdit(
    pack,
    uploaded.packVersion,
    pack.definition.version,
    basename(entry),
  );
  await replaceFile(path, before, after);
  const same = await checkPack(entry, { cwd: dirname(entry), types: false });
  await replaceFile(path, after, before);
  return hashContent(readUploadContent(same)) === hash;
}

/** A Pack without a version in its source gets the next one from the registry. */
async function raiseVersion(
  pack: Pick<Pack, "bundle" | "definition">,
  version: string,
  entry: string,
): Promise<void> {
  const current = pack.definition.version;
  if (typeof current !== "string") return;
  const { path, before, after } = planEdit(pack, version, current, basename(entry));
  await replaceFile(path, before, after);
}

function unknownToGit(packId: number, version: string): PackError<"VERSION_UNKNOWN"> {
  const tag = formatTag(packId, version);
  return new PackError(
    "VERSION_UNKNOWN",
    `git does not contain the source of version ${version}.`,
    {
      details: { version, known: [] },
      hint: `Run git tag ${tag} COMMIT with the commit of that version, then run the command again. In a clone without tags, run git fetch --tags first.`,
    },
  );
}
