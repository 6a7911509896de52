import { dirname, resolve } from "node:path";
import { readMetadata } from "../../bundle/build-record.ts";
import { mostSerious } from "../../compare/change.ts";
import { comparePacks } from "../../compare/compare-packs.ts";
import { openValidPack } from "../../execute/open-pack.ts";
import type { LiveDifference } from "../difference.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions } from "./registry-versions.ts";
import { findReleasedState } from "./released-state.ts";
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
  const metadata = readMetadata(pack.compiled);
  const [{ release, state }, [newest]] = await Promise.all([
    findReleasedState(pack, packId, client),
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
  const changes = state === undefined ? undefined : comparePacks(state, current);
  return {
    packId,
    released,
    newest: newest?.packVersion,
    uploaded,
    source: next?.findings ?? [],
    nextVersion: next?.nextVersion,
    changes,
    class:
      changes === undefined ? classByNumbers(released, next?.nextVersion) : mostSerious(changes),
  };
}

/**
 * How serious changes are when only the registry knows what users have: its next version has a new
 * first number after a breaking change. A source without a version always gets one.
 */
function classByNumbers(
  released: string | undefined,
  next: string | undefined,
): "breaking" | "review" | undefined {
  if (released === undefined || next === undefined || !released.includes(".")) return undefined;
  return Number.parseInt(next, 10) > Number.parseInt(released, 10) ? "breaking" : undefined;
}
