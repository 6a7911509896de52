import { dirname, resolve } from "node:path";
import { isPackError, PackError } from "../../errors.ts";
import type { PackRelease } from "../../service/contract/registry/registry-models.ts";
import { gitReason, runGit, runGitWithHooks } from "../../shared/run-tool.ts";
import { type ReleasePackOptions, type ReleaseResult, releasePack } from "../release-pack.ts";
import { readWorkingTree } from "../working-tree.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions, releaseVersion, unknownVersion } from "./registry-versions.ts";
import { type UploadOptions, uploadPacks } from "./upload-pack.ts";

export interface PublishOptions
  extends ReleasePackOptions,
    Pick<UploadOptions, "allowOlderSdkVersion" | "onProgress"> {
  client: RegistryClient;
  /** A version that was uploaded before. @default that of the source, which is uploaded first */
  version?: string | undefined;
  notes?: string | undefined;
  /** Names the commit `pack/ID/vVERSION`. @default false */
  gitTag?: boolean | undefined;
}

export interface PublishedRelease {
  packId: number;
  release: PackRelease;
  /** It was the released version already. */
  isCurrent: boolean;
  /** The archive that was made, when the version was made from the source now. */
  archive: ReleaseResult | undefined;
  /** Undefined without `gitTag`. */
  tag: { name: string; isNew: boolean } | undefined;
}

/**
 * Releases a version to the users of a Pack. Without a version: makes the release of the source,
 * with its archive, and uploads it. A
 * Pack without a version in its source gets the newest uploaded version released. Repeating it
 * changes nothing.
 * @throws {PackError} RELEASE_UNCOMMITTED, VERSION_UNKNOWN, and those of `releasePack`, of uploads
 *   and of the client
 */
export async function publishRelease(
  file: string,
  options: PublishOptions,
): Promise<PublishedRelease> {
  const { cwd, client, notes } = options;
  const folder = dirname(resolve(cwd, file));
  const packId = requirePackId(folder, client.registry);
  const { version, archive } =
    options.version === undefined
      ? await ownVersion(file, packId, options)
      : { version: options.version, archive: undefined };
  const released = await releaseVersion(client, packId, { version, notes });
  const tag =
    options.gitTag === true ? await tagRelease(folder, packId, released.release) : undefined;
  return { packId, ...released, archive, tag };
}

async function ownVersion(
  file: string,
  packId: number,
  options: PublishOptions,
): Promise<{ version: string; archive: ReleaseResult | undefined }> {
  const archive = await archiveOf(file, options);
  const { client, cwd, notes, signal, timerStrategy, allowOlderSdkVersion, onProgress } = options;
  if (archive === "unversioned") {
    const versions = await listVersions(client, packId, 1);
    const [newest] = versions;
    if (newest === undefined) throw unknownVersion(packId, undefined, versions);
    return { version: newest.packVersion, archive: undefined };
  }
  // The types were checked when the archive was made.
  const upload = {
    cwd,
    notes,
    signal,
    timerStrategy,
    allowOlderSdkVersion,
    onProgress,
    types: false,
    clientOf: async () => client,
  };
  const { results, failures } = await uploadPacks([file], upload);
  const failure = failures[0]?.failure.cause;
  if (isPackError(failure, "VERSION_EXISTS")) return { version: failure.details.version, archive };
  if (failure !== undefined) throw failure;
  return { version: results[0]?.version ?? "", archive };
}

/** @returns undefined when the archive of this version was made before */
async function archiveOf(
  file: string,
  options: PublishOptions,
): Promise<ReleaseResult | "unversioned" | undefined> {
  const unlessMade = (error: unknown) => {
    if (isPackError(error, "RELEASE_UNCHANGED")) return undefined;
    throw error;
  };
  const planned = await releasePack(file, { ...options, dryRun: true }).catch((error: unknown) => {
    if (isPackError(error, "RELEASE_VERSION_PLACE") && error.message === "The Pack has no version.")
      return "unversioned" as const;
    return unlessMade(error);
  });
  if (planned === undefined || planned === "unversioned") return planned;
  const { cwd, outDir = "release", allowDirty, commit } = options;
  const tree = await readWorkingTree(dirname(resolve(cwd, file)), resolve(cwd, outDir), allowDirty);
  if (planned.edited !== undefined && commit !== true && tree !== undefined)
    throw uncommitted(planned);
  // Another run may have made it meanwhile.
  return await releasePack(file, options).catch(unlessMade);
}

function uncommitted({ edited, version }: ReleaseResult): PackError<"RELEASE_UNCOMMITTED"> {
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
  const name = `pack/${packId}/v${release.packVersion}`;
  const isThere = await runGit(
    folder,
    "rev-parse",
    "--quiet",
    "--verify",
    `refs/tags/${name}`,
  ).then(
    () => true,
    () => false,
  );
  if (isThere) return { name, isNew: false };
  const message = [
    `Release ID: ${release.releaseId}`,
    ...(release.releaseNotes === "" ? [] : ["", release.releaseNotes]),
  ].join("\n");
  try {
    await runGitWithHooks(folder, "tag", "--annotate", `--message=${message}`, name);
  } catch (cause) {
    throw new PackError(
      "USAGE_INVALID",
      `Version ${release.packVersion} is released, but git did not make the tag ${name}: ${gitReason(cause)}.`,
      {
        details: undefined,
        hint: "Correct that, and run the command again: it only makes the tag then. Or leave out --git-tag.",
        cause,
      },
    );
  }
  return { name, isNew: true };
}
