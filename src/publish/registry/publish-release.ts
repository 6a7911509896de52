import { dirname, resolve } from "node:path";
import { isPackError, PackError } from "../../errors.ts";
import type { PackRelease } from "../../service/contract/registry/registry-models.ts";
import { askGit, gitReason, runGitWithHooks } from "../../shared/git.ts";
import { formatTag } from "../previous-release.ts";
import {
  checkPack,
  makeRelease,
  type OwnVersion,
  planRelease,
  type ReleasePackOptions,
  type ReleasePlan,
} from "../release-pack.ts";
import type { ReleaseResult } from "../release-result.ts";
import { findContentHash, hashContent, readUploadContent } from "./build-notes.ts";
import { compareWithLive } from "./live-difference.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import {
  assertNotOlder,
  findCurrentRelease,
  listVersions,
  releaseVersion,
  unknownVersion,
} from "./registry-versions.ts";
import {
  type ReleasedChanges,
  type ReleaseNotesSource,
  writeReleaseNotes,
} from "./release-notes.ts";
import { findPreviousRelease } from "./released-state.ts";
import type { UploadOptions } from "./upload-options.ts";
import { uploadOnePack } from "./upload-pack.ts";

export interface PublishOptions
  extends ReleasePackOptions,
    Pick<UploadOptions, "allowOlderSdkVersion" | "onProgress"> {
  client: RegistryClient;
  /** A version that was uploaded before. @default that of the source, which is uploaded first */
  version?: string | undefined;
  /** @default what the changelog says about the version, or the list of changes */
  notes?: string | undefined;
  /** Lets a person change the proposed notes. */
  editNotes?: ReleaseNotesSource["editNotes"];
  /** Names the commit `pack/ID/vVERSION`. @default false */
  gitTag?: boolean | undefined;
}

export interface PublishedRelease {
  packId: number;
  release: PackRelease;
  /** It was the released version already. */
  isCurrent: boolean;
  /** What the release of the source wrote; undefined when the source had its version already. */
  made: ReleaseResult | undefined;
  /** Undefined without `gitTag`. */
  tag: { name: string; isNew: boolean } | undefined;
}

/**
 * Releases a version to the users of a Pack. Without a version: makes the release of the source,
 * and uploads it; a Pack without a version in its source gets the next one from the registry.
 * Repeating it changes nothing but the notes of the release, if other ones are passed.
 * @throws {PackError} RELEASE_UNCOMMITTED, VERSION_UNKNOWN, VERSION_EXISTS when the version was
 *   uploaded from another source, and those of `releasePack`, of uploads and of the client
 */
export async function publishRelease(
  file: string,
  options: PublishOptions,
): Promise<PublishedRelease> {
  const { cwd, client } = options;
  const folder = dirname(resolve(cwd, file));
  const packId = requirePackId(folder, client.registry);
  const { version, made } =
    options.version === undefined
      ? await uploadSource(file, packId, options)
      : { version: options.version, made: undefined };
  const current = await findCurrentRelease(client, packId);
  if (current?.packVersion !== version && options.version !== undefined)
    await assertBuiltFromSource(file, packId, options.version, { ...options, current });
  const findChanges = async () =>
    current === undefined ? undefined : await findReleasedChanges(file, made, options);
  const notes =
    current?.packVersion === version
      ? ""
      : await writeReleaseNotes(file, version, { ...options, findChanges });
  const released =
    current?.packVersion === version
      ? { release: await changeNotes(client, current, options.notes), isCurrent: true }
      : await releaseVersion(client, packId, { version, notes });
  const tag =
    options.gitTag === true ? await tagRelease(folder, packId, released.release) : undefined;
  return { packId, ...released, made, tag };
}

async function findReleasedChanges(
  file: string,
  made: ReleaseResult | undefined,
  { cwd, client }: PublishOptions,
): Promise<ReleasedChanges> {
  // Without the source of the version that users have, a release of the source has no changes.
  if (made !== undefined && made.changes.length > 0) return { changes: made.changes, findings: [] };
  const { changes, uploaded } = await compareWithLive(file, { cwd, client });
  return { changes, findings: uploaded };
}

/** @returns the release, with other notes if they are given and differ */
async function changeNotes(
  client: RegistryClient,
  release: PackRelease,
  notes: string | undefined,
): Promise<PackRelease> {
  if (notes === undefined || notes === release.releaseNotes) return release;
  return await client.call("updatePackRelease", {
    path: { packId: String(release.packId), packReleaseId: String(release.releaseId) },
    body: { releaseNotes: notes },
  });
}

async function uploadSource(
  file: string,
  packId: number,
  options: PublishOptions,
): Promise<{ version: string; made: ReleaseResult | undefined }> {
  const plan = await planUnlessMade(file, packId, options);
  if (plan !== undefined) assertReadyOrCommits(plan, options);
  const made = plan === undefined ? undefined : await makeRelease(file, plan, options);
  const { client, cwd, notes, signal, timerStrategy, allowOlderSdkVersion, onProgress } = options;
  const version = await uploadOnePack(file, client, {
    cwd,
    notes,
    signal,
    timerStrategy,
    allowOlderSdkVersion,
    onProgress,
    // The types were checked when the release was planned.
    types: false,
  });
  return { version, made };
}

/**
 * A registry does not give back what it got, so the digest in the notes of a version has to be that
 * of the source.
 * @throws {PackError} VERSION_UNKNOWN, VERSION_OLDER than what users have, VERSION_EXISTS
 */
async function assertBuiltFromSource(
  file: string,
  packId: number,
  version: string,
  options: PublishOptions & { current: PackRelease | undefined },
): Promise<void> {
  const versions = await listVersions(options.client, packId);
  const uploaded = versions.find(({ packVersion }) => packVersion === version);
  if (uploaded === undefined) throw unknownVersion(packId, version, versions);
  if (options.current !== undefined) assertNotOlder(version, options.current.packVersion);
  const pack = await checkPack(file, options);
  const hash = findContentHash(uploaded.buildNotes);
  if (hash === hashContent(readUploadContent(pack))) return;
  const own = pack.definition.version;
  const difference =
    hash === undefined
      ? "has no digest of its content, so packsmith cannot compare the version with the source"
      : `was built from a different source than the current ${file}`;
  const next =
    own === version
      ? "Raise the version in the source, and run packsmith release --publish"
      : "Run packsmith release --publish without a version to upload and release the source";
  throw new PackError("VERSION_EXISTS", `Version ${version} ${difference}.`, {
    details: { version },
    hint: `${next}. Or check out the commit that ${version} was uploaded from.`,
  });
}

/** @returns undefined when the source is a release already, or has no version */
async function planUnlessMade(
  file: string,
  packId: number,
  options: PublishOptions,
): Promise<ReleasePlan | undefined> {
  const findPrevious = (own: OwnVersion) => findPreviousRelease(own, packId, options.client);
  try {
    return await planRelease(file, { ...options, findPrevious });
  } catch (error) {
    const hasNone =
      isPackError(error, "RELEASE_VERSION_PLACE") && error.message === "The Pack has no version.";
    if (hasNone || isPackError(error, "RELEASE_UNCHANGED")) return undefined;
    throw error;
  }
}

/** @throws {PackError} RELEASE_UNCOMMITTED: a version that is released is also in git */
function assertReadyOrCommits({ facts, tree }: ReleasePlan, { commit }: PublishOptions): void {
  if (facts.edited === undefined || commit === true || tree === undefined) return;
  throw createUncommittedError(facts);
}

function createUncommittedError({
  edited,
  version,
}: ReleasePlan["facts"]): PackError<"RELEASE_UNCOMMITTED"> {
  const file = edited?.file ?? "";
  return new PackError("RELEASE_UNCOMMITTED", `Version ${version} is not in the source yet.`, {
    details: { file, version },
    hint: `Pass --commit. Or set the version to ${version} at ${file}:${edited?.line}, run git commit -m "Release ${version}" ${file}, and release again.`,
    place: edited,
  });
}

/** @throws {PackError} USAGE_INVALID without a repository */
async function tagRelease(
  folder: string,
  packId: number,
  release: PackRelease,
): Promise<{ name: string; isNew: boolean }> {
  const name = formatTag(packId, release.packVersion);
  const known = await askGit(folder, "rev-parse", "--quiet", "--verify", `refs/tags/${name}`);
  if (known !== undefined) return { name, isNew: false };
  const message = [
    `Release ID: ${release.releaseId}`,
    ...(release.releaseNotes === "" ? [] : ["", release.releaseNotes]),
  ].join("\n");
  try {
    await runGitWithHooks(folder, "tag", "--annotate", `--message=${message}`, name);
  } catch (cause) {
    throw new PackError(
      "USAGE_INVALID",
      `Version ${release.packVersion} is released, but git did not create the tag ${name}: ${gitReason(cause)}.`,
      {
        details: undefined,
        hint: "Correct the problem, and run the command again to create only the tag. Or remove --git-tag.",
        cause,
      },
    );
  }
  return { name, isNew: true };
}
