import { dirname, resolve } from "node:path";
import { metadataOf } from "../../bundle/build-record.ts";
import { mostSerious } from "../../compare/change.ts";
import { comparePacks } from "../../compare/compare-packs.ts";
import { openValidPack, type Pack } from "../../execute/open-pack.ts";
import type { LiveDifference } from "../difference.ts";
import { findStateOfRelease } from "../previous-release.ts";
import { findVersionPlace } from "../version-place.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { findCurrentRelease, listVersions } from "./registry-versions.ts";
import { SDK_VERSION } from "./sdk-version.ts";

/**
 * What would change for users if the source were released now.
 * @throws {PackError} PACK_INVALID, PACK_ID_MISSING and those of building a Pack and of the client
 */
export async function compareWithLive(
  file: string,
  { cwd, client }: { cwd: string; client: RegistryClient },
): Promise<LiveDifference> {
  const packId = requirePackId(dirname(resolve(cwd, file)), client.registry);
  const path = { packId: String(packId) };
  await using pack = await openValidPack(file, { cwd });
  const metadata = metadataOf(pack.compiled);
  const [release, [newest]] = await Promise.all([
    findCurrentRelease(client, packId),
    listVersions(client, packId, 1),
  ]);
  const released = release?.packVersion;
  const uploaded =
    released === undefined || newest === undefined || released === newest.packVersion
      ? []
      : (
          await client.call("getPackVersionDiff", {
            path: { ...path, basePackVersion: released, targetPackVersion: newest.packVersion },
          })
        ).findings;
  const { version: _, ...unversioned } = metadata;
  const question = { proposedMetadata: JSON.stringify(unversioned), sdkVersion: SDK_VERSION };
  const next =
    newest === undefined
      ? undefined
      : await client.call("getNextPackVersion", { path, body: question });
  const current = { metadata, bundle: { sha256: pack.bundle.sha256 } };
  const before =
    released === undefined ? undefined : await findReleasedState(pack, packId, released);
  const changes = before === undefined ? undefined : comparePacks(before, current);
  return {
    packId,
    released,
    newest: newest?.packVersion,
    uploaded,
    source: next?.findings ?? [],
    nextVersion: next?.nextVersion,
    changes,
    class: changes === undefined ? undefined : mostSerious(changes),
  };
}

async function findReleasedState(pack: Pack, packId: number, version: string) {
  const own = pack.definition.version;
  const place = typeof own === "string" ? findVersionPlace(pack, own) : undefined;
  return (await findStateOfRelease(pack.bundle.entry, { packId, version }, place)).state;
}
