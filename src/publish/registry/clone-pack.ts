import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { PackError } from "../../errors.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { makeFolder } from "../../shared/folders.ts";
import { writePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions, unknownVersion } from "./registry-versions.ts";

export interface ClonedPack {
  name: string;
  version: string;
  /** Absolute paths of the files that were written. */
  files: string[];
}

/**
 * Writes the source of a Pack's newest version into a folder, and links the folder to the Pack. No
 * file is overwritten.
 * @throws {PackError} VERSION_UNKNOWN, SOURCE_MISSING, TARGET_NOT_EMPTY and those of the client
 */
export async function clonePack(
  client: RegistryClient,
  folder: string,
  packId: number,
): Promise<ClonedPack> {
  const path = { packId: String(packId) };
  const { name } = await client.call("getPack", { path });
  const [newest] = await listVersions(client, packId, 1);
  if (newest === undefined) throw unknownVersion(packId, undefined, []);
  const { packVersion } = newest;
  const { files } = await client.call("getPackSourceCode", { path: { ...path, packVersion } });
  const [only] = files;
  if (only === undefined) throw noSource(packId, packVersion);
  const targets = files.map(({ filename, url }) => ({
    path: join(
      folder,
      files.length === 1 && isTypeScript(filename) ? "pack.ts" : safeName(filename),
    ),
    url,
  }));
  const present = targets.find((target) => existsSync(target.path));
  if (present !== undefined) throw notEmpty(present.path);
  // All of them first, so that a failure leaves no half of a Pack.
  const contents = await Promise.all(targets.map(({ url }) => client.download(url)));
  for (const [at, target] of targets.entries()) {
    makeFolder(dirname(target.path));
    await writeAtomically(target.path, contents[at] ?? "");
  }
  await writePackId(folder, client.registry, packId);
  return { name, version: packVersion, files: targets.map((target) => target.path) };
}

function isTypeScript(filename: unknown): boolean {
  return typeof filename === "string" && filename.endsWith(".ts");
}

/**
 * A name from a server must not leave the folder, or be of a file that other programs act on: of
 * git, of an editor, of a package.
 */
function safeName(filename: unknown): string {
  const path = typeof filename === "string" ? normalize(filename) : ".";
  const isHidden = path
    .split(sep)
    .some((part) => part.startsWith(".") || part.toLowerCase() === "node_modules");
  if (!isAbsolute(path) && !isHidden && !/[\\\0:]/.test(path)) return path;
  throw new PackError(
    "REGISTRY_FAILED",
    "The registry returned the path of a file that is hidden or outside of the folder.",
    {
      details: { operation: "getPackSourceCode", status: 200 },
      hint: "Check the address of the registry.",
    },
  );
}

function noSource(packId: number, version: string): PackError<"SOURCE_MISSING"> {
  return new PackError(
    "SOURCE_MISSING",
    `The registry does not have the source of version ${version} of Pack ${packId}.`,
    {
      details: { packId, version },
      hint: `If a version was uploaded with a command, the registry usually does not have its source. Get the source from version control, then run packsmith link ${packId}.`,
    },
  );
}

function notEmpty(path: string): PackError<"TARGET_NOT_EMPTY"> {
  return new PackError("TARGET_NOT_EMPTY", `${path} already exists.`, {
    details: { directory: dirname(path) },
    hint: "Clone into an empty folder.",
  });
}
