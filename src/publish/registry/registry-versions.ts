import { PackError } from "../../errors.ts";
import type {
  PackRelease,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import { compareVersions } from "../version-order.ts";
import type { RegistryClient } from "./registry-client.ts";

const MAX_LISTED = 1_000;

/** The versions of a Pack, the newest first. */
export async function listVersions(
  client: RegistryClient,
  packId: number,
  max: number = MAX_LISTED,
): Promise<PackVersionSummary[]> {
  return await listAll(max, (query) =>
    client.call("listPackVersions", { path: { packId: String(packId) }, query }),
  );
}

/** @returns the release that users have; undefined before the first one */
export async function findCurrentRelease(
  client: RegistryClient,
  packId: number,
): Promise<PackRelease | undefined> {
  // A registry does not promise an order, but its numbers count up.
  const releases = await listReleases(client, packId);
  return releases.sort((one, other) => other.releaseId - one.releaseId)[0];
}

/** The releases of a Pack, the newest first. */
export async function listReleases(
  client: RegistryClient,
  packId: number,
  max: number = MAX_LISTED,
): Promise<PackRelease[]> {
  return await listAll(max, (query) =>
    client.call("listPackReleases", { path: { packId: String(packId) }, query }),
  );
}

export interface ReleasedVersion {
  release: PackRelease;
  /** The version was the released one already, so nothing was sent. */
  isCurrent: boolean;
}

/**
 * Makes a version the one that users have. Repeating it changes nothing.
 * @throws {PackError} VERSION_UNKNOWN, VERSION_OLDER than what users have, and those of the client
 */
export async function releaseVersion(
  client: RegistryClient,
  packId: number,
  { version, notes }: { version: string; notes: string },
): Promise<ReleasedVersion> {
  const current = await findCurrentRelease(client, packId);
  if (current?.packVersion === version) return { release: current, isCurrent: true };
  const versions = await listVersions(client, packId);
  if (!versions.some(({ packVersion }) => packVersion === version))
    throw unknownVersion(packId, version, versions);
  if (current !== undefined) assertNotOlder(version, current.packVersion);
  const path = { packId: String(packId) };
  const release = await client
    .call("createPackRelease", { path, body: { packVersion: version, releaseNotes: notes } })
    .catch(async (error: unknown) => {
      // The answer may be lost after the release was made.
      const latest = await findCurrentRelease(client, packId).catch(() => undefined);
      if (latest?.packVersion === version && latest.releaseId !== current?.releaseId) return latest;
      throw error;
    });
  return { release, isCurrent: false };
}

/** @throws {PackError} VERSION_OLDER than what users have */
export function assertNotOlder(version: string, newest: string): void {
  if (compareVersions(version, newest) >= 0) return;
  throw new PackError(
    "VERSION_OLDER",
    `Users have version ${newest}. Version ${version} is older.`,
    {
      details: { version, newest },
      hint: `A registry cannot release an older version. Run packsmith rollback ${version} to release the source of this version as a new version.`,
    },
  );
}

export function unknownVersion(
  packId: number,
  version: string | undefined,
  versions: readonly PackVersionSummary[],
): PackError<"VERSION_UNKNOWN"> {
  const known = versions.map(({ packVersion }) => packVersion);
  const message =
    version === undefined
      ? `Pack ${packId} has no version yet.`
      : `Pack ${packId} has no version ${version.slice(0, 60)}.`;
  const newest =
    known.length === 0
      ? "Run packsmith upload to upload a version."
      : `The newest versions are ${known.slice(0, 5).join(", ")}.`;
  return new PackError("VERSION_UNKNOWN", message, { details: { version, known }, hint: newest });
}

interface Page<Item> {
  items: Item[];
  nextPageToken?: string | undefined;
}

/** The items of all pages, up to a number. */
export async function listAll<Item>(
  max: number,
  read: (query: { limit: number } | { pageToken: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken: string | undefined;
  do {
    const page = await read(
      pageToken === undefined ? { limit: Math.min(max, 100) } : { pageToken },
    );
    items.push(...page.items);
    // The end is an absent token, or null.
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined && items.length < max);
  return items.slice(0, max);
}
