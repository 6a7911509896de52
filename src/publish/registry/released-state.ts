import { createBuildRecord } from "../../bundle/build-record.ts";
import type { ComparedPack } from "../../compare/compare-packs.ts";
import type { Pack } from "../../execute/open-pack.ts";
import type { PackRelease } from "../../service/contract/registry/registry-models.ts";
import { findStateOfRelease, type PreviousRelease } from "../previous-release.ts";
import type { OwnVersion } from "../release-pack.ts";
import { findVersionPlace } from "../version-place.ts";
import { findContentHash, hashContent, readUploadContent } from "./build-notes.ts";
import type { RegistryClient } from "./registry-client.ts";
import { findCurrentRelease, listVersions } from "./registry-versions.ts";

/** What users have now. */
export interface ReleasedState {
  /** Undefined before the first release. */
  release: PackRelease | undefined;
  /** Undefined without a release, or when this repository does not know its source. */
  state: ComparedPack | undefined;
}

/**
 * Reads the version that users have from the registry, and builds its source from git: a registry
 * does not give back code.
 */
export async function findReleasedState(
  pack: Pick<Pack, "bundle" | "definition">,
  packId: number,
  client: RegistryClient,
): Promise<ReleasedState> {
  const release = await findCurrentRelease(client, packId);
  if (release === undefined) return { release, state: undefined };
  const own = pack.definition.version;
  const place = typeof own === "string" ? findVersionPlace(pack, own) : undefined;
  const wanted = { packId, version: release.packVersion };
  const { state } = await findStateOfRelease(pack.bundle.entry, wanted, place);
  return { release, state };
}

/**
 * The release before that of a source: what users have. When exactly this source was uploaded as
 * its version, it is the release itself.
 */
export async function findPreviousRelease(
  { current, pack }: OwnVersion,
  packId: number,
  client: RegistryClient,
): Promise<PreviousRelease | undefined> {
  const versions = await listVersions(client, packId);
  const uploaded = versions.find(({ packVersion }) => packVersion === current);
  const isMade =
    uploaded !== undefined &&
    findContentHash(uploaded.buildNotes) === hashContent(readUploadContent(pack));
  if (isMade) return { version: current, state: createBuildRecord(pack.bundle, pack.compiled) };
  const { release, state } = await findReleasedState(pack, packId, client);
  const newest = versions[0]?.packVersion;
  if (release === undefined && newest === undefined) return undefined;
  return { version: release?.packVersion, state, newest };
}
