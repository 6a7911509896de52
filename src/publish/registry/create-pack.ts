import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPackError, PackError } from "../../errors.ts";
import type { PackSummary } from "../../service/contract/registry/registry-models.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { systemReason } from "../../shared/failures.ts";
import { readRegularFile } from "../../shared/files.ts";
import { PACK_ID_FILE, readPackId, writePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";

export interface NewPack {
  name: string;
  description?: string | undefined;
  workspaceId?: string | undefined;
}

export interface CreatedPack {
  packId: number;
  /** The file that names the Pack now. */
  path: string;
  /** It was created by an earlier run, whose answer was lost. */
  isFound: boolean;
}

/** What was about to be created. It is there only while it is not known whether that happened. */
interface Intent {
  host: string;
  name: string;
  /** No Pack of the user had a higher id before. */
  newestId: number;
}

const INTENT_FILE = ".coda-pack.creating.json";

/**
 * Creates a Pack and names it in the folder. When the answer is lost, or the process ends before
 * the id is written, the next run finds
 * the Pack instead of creating a second one.
 * @throws {PackError} PACK_ID_PRESENT, PACK_ID_FILE_INVALID, OUTPUT_NOT_WRITABLE and those of the
 *   client
 */
export async function createPack(
  client: RegistryClient,
  folder: string,
  wanted: NewPack,
): Promise<CreatedPack> {
  const { registry } = client;
  const present = readPackId(folder, registry);
  if (present !== undefined) throw packPresent(folder, present);
  const { name, description, workspaceId } = wanted;
  const intentPath = join(folder, INTENT_FILE);
  const intent = readIntent(intentPath);
  const packs = await listOwnPacks(client);
  const isSame = intent?.host === registry.host && intent.name === name;
  const found = isSame
    ? packs.find((pack) => pack.id > intent.newestId && pack.name === name)
    : undefined;
  let packId = found?.id;
  if (packId === undefined) {
    const newestId = Math.max(0, ...packs.map(({ id }) => id));
    await writeIntent(intentPath, { host: registry.host, name, newestId });
    packId = await client.call("createPack", { body: { name, description, workspaceId } }).then(
      (created) => created.packId,
      async (error: unknown) => {
        if (isRefusal(error)) await rm(intentPath, { force: true });
        throw error;
      },
    );
  }
  const path = await writePackId(folder, registry, packId);
  await rm(intentPath, { force: true });
  return { packId, path, isFound: found !== undefined };
}

/**
 * @throws {PackError} PACK_ID_PRESENT unless the folder has no other Pack, or `force` is set, and
 * those of the client
 */
export async function linkPack(
  client: RegistryClient,
  folder: string,
  packId: number,
  force: boolean,
): Promise<{ name: string; path: string }> {
  const { name } = await client.call("getPack", { path: { packId: String(packId) } });
  const present = readPackId(folder, client.registry);
  if (present !== undefined && present !== packId && !force) throw packPresent(folder, present);
  return { name, path: await writePackId(folder, client.registry, packId) };
}

const MAX_PACKS = 1_000;

async function listOwnPacks(client: RegistryClient): Promise<PackSummary[]> {
  const packs: PackSummary[] = [];
  let pageToken: string | undefined;
  do {
    const page = await client.call("listPacks", {
      query:
        pageToken === undefined ? { accessTypes: ["edit", "admin"], limit: 100 } : { pageToken },
    });
    packs.push(...page.items);
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined && packs.length < MAX_PACKS);
  return packs;
}

/** A folder that cannot name the Pack gets none. @throws {PackError} OUTPUT_NOT_WRITABLE */
async function writeIntent(path: string, intent: Intent): Promise<void> {
  try {
    await writeAtomically(path, JSON.stringify(intent));
  } catch (cause) {
    const folder = dirname(path);
    throw new PackError(
      "OUTPUT_NOT_WRITABLE",
      `${folder} cannot be written: ${systemReason(cause) ?? "the system refused it"}.`,
      {
        details: { path: folder },
        hint: "Check the permissions of the folder. No Pack was created.",
        cause,
      },
    );
  }
}

/** Nothing was created, for sure. */
function isRefusal(error: unknown): boolean {
  if (isPackError(error, "REGISTRY_FAILED"))
    return error.details.status >= 400 && error.details.status < 500;
  return isPackError(error, "REGISTRY_TOKEN_REFUSED") || isPackError(error, "REGISTRY_FORBIDDEN");
}

function readIntent(path: string): Intent | undefined {
  try {
    return JSON.parse(readRegularFile(path).toString()) as Intent;
  } catch {
    return undefined;
  }
}

function packPresent(folder: string, packId: number): PackError<"PACK_ID_PRESENT"> {
  const path = join(folder, PACK_ID_FILE);
  return new PackError("PACK_ID_PRESENT", `${path} links the folder to Pack ${packId}.`, {
    details: { path, packId },
    hint: "Put another Pack into a separate folder. To link this folder to another Pack, run packsmith link with --force.",
  });
}
