import { dirname, join } from "node:path";
import { sha256 } from "../shared/crypto.ts";
import { readRegularFile, readStats } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { configurationsIn } from "../shared/typescript.ts";

/**
 * Everything that a build of these files depends on: the files, the folders in which a new file
 * could take precedence over another, and the configurations above.
 * @param files absolute paths
 */
export function listDependencies(files: readonly string[]): string[] {
  const folders = [...new Set(files.flatMap((file) => foldersUpFrom(dirname(file))))];
  return [
    ...new Set([
      ...files,
      ...folders.filter((folder) => !isShared(folder)),
      ...configurationsIn(folders),
      ...folders.map((folder) => join(folder, "node_modules")),
    ]),
  ];
}

/** The root and the folders right below it, such as /tmp, where names change all the time. */
function isShared(folder: string): boolean {
  return dirname(dirname(folder)) === dirname(folder);
}

/**
 * Two changes within this time can have the same file time, because the clock of some file systems
 * is coarse.
 */
const FILE_CLOCK_MS = 1_000;

/**
 * Makes fingerprints of the contents of files; the empty text when the path does not exist. A file
 * is read again only when its times have changed, because many Packs share most of them.
 */
export function createFingerprinter(): (path: string) => string {
  const known = new Map<string, { times: string; fingerprint: string }>();
  return (path) => {
    const stats = readStats(path);
    if (stats === undefined) return "";
    const times = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const before = known.get(path);
    if (before?.times === times) return before.fingerprint;
    const fingerprint = sha256(readContent(path), "hex");
    if (Date.now() - stats.ctimeMs > FILE_CLOCK_MS) known.set(path, { times, fingerprint });
    return fingerprint;
  };
}

function readContent(path: string): Uint8Array {
  try {
    return readRegularFile(path);
  } catch {
    return new Uint8Array();
  }
}

/**
 * Names of folders, and of files that an import without an extension could mean. Other names do not
 * matter.
 */
export const COULD_BE_MEANT = /^[^.]*$|^\.[^.]+$|\.(?:[cm]?[jt]sx?|json|css)$/;
