import { PackError } from "../../errors.ts";
import type {
  PackRelease,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
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
 * @throws {PackError} VERSION_UNKNOWN and those of the client
 */
export async function releaseVersion(
  client: RegistryClient,
  packId: number,
  { version, notes }: { version: string; notes: string | undefined },
): Promise<ReleasedVersion> {
  const [current] = await listReleases(client, packId, 1);
  if (current?.packVersion === version) return { release: current, isCurrent: true };
  const versions = await listVersions(client, packId);
  if (!versions.some(({ packVersion }) => packVersion === version))
    throw unknownVersion(packId, version, versions);
  const path = { packId: String(packId) };
  const release = await client
    .call("createPackRelease", { path, body: { packVersion: version, releaseNotes: notes } })
    .catch(async (error: unknown) => {
      // The answer may be lost after the release was made.
      const [latest] = await listReleases(client, packId, 1).catch(() => []);
      if (latest?.packVersion === version && latest.releaseId !== current?.releaseId) return latest;
      throw error;
    });
  return { release, isCurrent: false };
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
      ? "Upload one with packsmith upload."
      : `Its newest versions are ${known.slice(0, 5).join(", ")}.`;
  return new PackError("VERSION_UNKNOWN", message, { details: { version, known }, hint: newest });
}

interface Page<Item> {
  items: Item[];
  nextPageToken?: string | undefined;
}

async function listAll<Item>(
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
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && items.length < max);
  return items.slice(0, max);
}
