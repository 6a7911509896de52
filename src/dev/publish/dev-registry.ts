import { dirname } from "node:path";
import { KEY_FILE_ONLY } from "../../accounts/key-file.ts";
import { isPackError, PackError } from "../../errors.ts";
import { formatNotes } from "../../publish/registry/build-notes.ts";
import { openRegistry, registryOfFolder } from "../../publish/registry/open-registry.ts";
import { requirePackId } from "../../publish/registry/pack-id-file.ts";
import type { RegistryAddress } from "../../publish/registry/registry-address.ts";
import type { RegistryClient } from "../../publish/registry/registry-client.ts";
import { findCurrentRelease, listVersions } from "../../publish/registry/registry-versions.ts";
import { failureView } from "../failures.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { PublishView, RegistryPackView } from "../wire/publish.ts";

/**
 * The registry of the session's Pack, as the commands find it. @throws {PackError} those of
 * `openRegistry`
 */
export async function openDevRegistry(
  { options, entry }: DevSession,
  signal?: AbortSignal,
): Promise<RegistryClient> {
  const { home, databaseUrl, keyStore = KEY_FILE_ONLY, cwd, env = {}, redactor } = options;
  if (home === undefined) {
    throw new PackError(
      "REGISTRY_TOKEN_MISSING",
      "This page has no vault, so packsmith has no registry token.",
      {
        details: { registry: registryOfFolder(dirname(entry), { env }).origin },
        hint: "Start the page with packsmith dev.",
      },
    );
  }
  return await openRegistry(dirname(entry), {
    home,
    databaseUrl,
    keyStore,
    cwd,
    env,
    redactor,
    signal,
  });
}

/** The Pack in its registry, or why it cannot be used and what to do in a terminal. */
export async function describeRegistry(
  session: DevSession,
  signal: AbortSignal,
): Promise<PublishView> {
  const { options, entry } = session;
  let registry: RegistryAddress;
  try {
    registry = registryOfFolder(dirname(entry), { env: options.env ?? {} });
  } catch (error) {
    return { host: "", failure: failureView(error), commands: [], pack: undefined };
  }
  const { host } = registry;
  try {
    const client = await openDevRegistry(session, signal);
    const packId = requirePackId(dirname(entry), client.registry);
    return { host, failure: undefined, commands: [], pack: await describePack(client, packId) };
  } catch (error) {
    return {
      host,
      failure: failureView(error),
      commands: commandsFor(error, registry, options.file),
      pack: undefined,
    };
  }
}

const MAX_VERSIONS = 50;

async function describePack(client: RegistryClient, id: number): Promise<RegistryPackView> {
  const [{ name }, { loginId }, versions, release] = await Promise.all([
    client.call("getPack", { path: { packId: String(id) } }),
    client.whoami(),
    listVersions(client, id, MAX_VERSIONS + 1),
    findCurrentRelease(client, id),
  ]);
  return {
    id,
    name,
    user: loginId,
    versions: versions
      .slice(0, MAX_VERSIONS)
      .map((version) => ({ ...version, buildNotes: formatNotes(version.buildNotes) })),
    hasMore: versions.length > MAX_VERSIONS,
    released: release?.packVersion,
  };
}

/** The page has no form for a token: it would be another place that receives one. */
function commandsFor(
  error: unknown,
  { isDefault, origin }: RegistryAddress,
  file: string,
): string[] {
  const option = isDefault ? "" : ` --registry ${origin}`;
  if (isPackError(error, "REGISTRY_TOKEN_MISSING") || isPackError(error, "REGISTRY_TOKEN_REFUSED"))
    return [`packsmith login${option}`];
  if (isPackError(error, "PACK_ID_MISSING")) return [`packsmith create ${file}${option}`];
  return [];
}
