import { join } from "node:path";
import { PACK_OPTIONS_FILE } from "../../bundle/pack-options.ts";
import { PackError } from "../../errors.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { systemReason } from "../../shared/failures.ts";
import { readRegularFile } from "../../shared/files.ts";
import { isRecord, toMembers } from "../../shared/values.ts";
import type { RegistryAddress } from "./registry-address.ts";

/** The file next to a Pack that names it in each registry. */
export const PACK_ID_FILE = PACK_OPTIONS_FILE;

interface PackOptions {
  timerStrategy?: string | undefined;
  gitTag?: boolean | undefined;
  apiEndpoint?: string | undefined;
}

interface PackIdFile {
  packId?: number | undefined;
  /** Ids in other registries, by host. */
  environmentPackIds?: Record<string, number> | undefined;
  options?: PackOptions | undefined;
}

/** An absent file is empty. @throws {PackError} PACK_ID_FILE_INVALID */
export function readPackIdFile(folder: string): PackIdFile {
  const path = join(folder, PACK_ID_FILE);
  let text: string;
  try {
    text = readRegularFile(path).toString();
  } catch (cause) {
    if (
      (cause as NodeJS.ErrnoException).code === "ENOENT" ||
      (cause as NodeJS.ErrnoException).code === "ENOTDIR"
    )
      return {};
    // Without the id that the file holds, a second Pack would be created.
    throw new PackError(
      "PACK_ID_FILE_INVALID",
      `${path} cannot be read: ${systemReason(cause) ?? "the system refused it"}.`,
      {
        details: { path },
        hint: "Check the permissions of the file.",
        cause,
      },
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return withRenamedOptions(value as PackIdFile);
  } catch {
    // Reported below, like every other text that is not an object.
  }
  throw new PackError("PACK_ID_FILE_INVALID", `${path} is not a JSON object.`, {
    details: { path },
    hint: "Restore the file from version control, or remove it and run packsmith link.",
  });
}

/** `enableGitTags` is what older versions of `@codahq/packs-sdk` wrote. */
function withRenamedOptions(file: PackIdFile): PackIdFile {
  const { enableGitTags, ...options } = toMembers(file.options);
  if (enableGitTags === undefined) return file;
  return { ...file, options: { gitTag: enableGitTags === true, ...options } };
}

/** Everything else in the file stays. @throws as `writePackId` */
export async function writePackOptions(folder: string, options: PackOptions): Promise<string> {
  const before = readPackIdFile(folder);
  const content = { packId: -1, ...before, options: { ...before.options, ...options } };
  return await writePackIdFile(
    folder,
    content,
    "cannot be written.",
    "Check the permissions of the folder.",
  );
}

/**
 * The id of the Pack in a folder; undefined when it is not linked to this registry. @throws
 * {PackError} PACK_ID_FILE_INVALID
 */
export function readPackId(
  folder: string,
  { isDefault, host }: RegistryAddress,
): number | undefined {
  const { packId, environmentPackIds } = readPackIdFile(folder);
  const id = isDefault ? packId : environmentPackIds?.[host];
  // The file of a Pack that is only in another registry has the id -1 here.
  return typeof id === "number" && Number.isInteger(id) && id > 0 ? id : undefined;
}

/** @throws {PackError} PACK_ID_MISSING, PACK_ID_FILE_INVALID */
export function requirePackId(folder: string, registry: RegistryAddress): number {
  const id = readPackId(folder, registry);
  if (id !== undefined) return id;
  throw new PackError(
    "PACK_ID_MISSING",
    `The folder is not linked to a Pack on ${registry.host}.`,
    {
      details: { folder },
      hint: "To create a Pack, run packsmith create. To use an existing Pack, run packsmith link.",
    },
  );
}

/**
 * Everything else in the file stays. @throws {PackError} PACK_ID_FILE_INVALID, OUTPUT_NOT_WRITABLE
 */
export async function writePackId(
  folder: string,
  { isDefault, host }: RegistryAddress,
  id: number,
): Promise<string> {
  const before = readPackIdFile(folder);
  const ids = { ...before.environmentPackIds, [host]: id };
  const content = isDefault
    ? { ...before, packId: id }
    : { packId: -1, ...before, environmentPackIds: ids };
  return await writePackIdFile(
    folder,
    content,
    `cannot be written. The ID of the Pack is ${id}.`,
    `Check the permissions of the folder, then run packsmith link ${id} ${folder}.`,
  );
}

async function writePackIdFile(
  folder: string,
  content: PackIdFile,
  problem: string,
  hint: string,
): Promise<string> {
  const path = join(folder, PACK_ID_FILE);
  try {
    await writeAtomically(path, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (cause) {
    throw new PackError("OUTPUT_NOT_WRITABLE", `${path} ${problem}`, {
      details: { path },
      hint,
      cause,
    });
  }
  return path;
}

/**
 * The id in a number or in the address of a Pack's page.
 * @throws {PackError} PACK_ID_INVALID
 */
export function parsePackId(text: string): number {
  const id = findPackId(text);
  if (id > 0) return id;
  throw new PackError(
    "PACK_ID_INVALID",
    `"${text.slice(0, 100)}" is neither the ID nor the URL of a Pack.`,
    {
      details: { text: text.slice(0, 100) },
      hint: "Pass the ID of the Pack, or the URL of its page.",
    },
  );
}

/** Whether a text is the id or the address of a Pack. */
export function isPackId(text: string): boolean {
  return findPackId(text) > 0;
}

/** @returns 0 when the text has none */
function findPackId(text: string): number {
  const [, plain, edit, gallery] =
    /^(?:(\d{1,9})|https?:\/\/[^/]+\/p\/(\d{1,9})(?:[/?#].*)?|https?:\/\/[^/]+\/packs\/(?:[^/?#]*-)?(\d{1,9})(?:[/?#].*)?)$/.exec(
      text.trim(),
    ) ?? [];
  return Number(plain ?? edit ?? gallery ?? 0);
}
