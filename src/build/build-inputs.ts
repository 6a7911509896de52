import { type Dirent, readdirSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../shared/crypto.ts";
import { readRegularFile, readStats } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { configurationsIn } from "../shared/typescript.ts";

/**
 * Everything that a build of these files depends on: the files, the folders in which a new file
 * could take precedence over
 * another, and the configurations above.
 * @param files absolute paths
 * @param root the folders above it are left out: `surroundings` has what matters of them
 */
export function listDependencies(files: readonly string[], root?: string): string[] {
  const above = new Set(root === undefined ? [] : foldersUpFrom(dirname(root)));
  const folders = [...new Set(files.flatMap((file) => foldersUpFrom(dirname(file))))].filter(
    (folder) => !above.has(folder),
  );
  return [
    ...new Set([
      ...files,
      ...folders.filter((folder) => !isShared(folder)),
      ...listConfigurations(folders),
    ]),
  ];
}

/**
 * What a build depends on above the root of its project: the configurations there, wherever they
 * are.
 * @returns a fingerprint that is the same below every folder without any
 */
export function surroundings(root: string, fingerprintOf: (path: string) => string): string {
  const above = foldersUpFrom(dirname(root)).filter((folder) => folder !== root);
  return listConfigurations(above)
    .map((path) => [basename(path), fingerprintOf(path)])
    .filter(([, fingerprint]) => fingerprint !== "")
    .join(" ");
}

/** What esbuild reads in these folders, and what that extends. */
function listConfigurations(folders: readonly string[]): string[] {
  return [...configurationsIn(folders), ...folders.map((folder) => join(folder, "node_modules"))];
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
 * Makes fingerprints: of the content of a file, or of the names in a folder; the empty text when
 * the path does not exist. A path is
 * read again only when its times have changed, because many Packs share most of them.
 * @param made folders that the build creates; their names do not count
 */
export function createFingerprinter(made: ReadonlySet<string>): (path: string) => string {
  const known = new Map<string, { times: string; fingerprint: string }>();
  return (path) => {
    const stats = readStats(path);
    if (stats === undefined) return "";
    const times = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const before = known.get(path);
    if (before?.times === times) return before.fingerprint;
    const names = stats.isDirectory() ? namesIn(path, made) : undefined;
    const fingerprint = sha256(names === undefined ? readContent(path) : names.join("\0"), "hex");
    // The times of a folder do not change with the names in a scope (@name) below it.
    const isComplete = names === undefined || !names.some((name) => name.startsWith("@"));
    if (isComplete && Date.now() - stats.ctimeMs > FILE_CLOCK_MS)
      known.set(path, { times, fingerprint });
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

/**
 * The names in a folder, with the targets of links and the packages of each scope: some package
 * managers change only those.
 */
function namesIn(folder: string, made: ReadonlySet<string>): string[] {
  const entries = readEntries(folder).filter(
    ({ name }) => COULD_BE_MEANT.test(name) && name !== ".cache" && !made.has(join(folder, name)),
  );
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [entry.name, readTarget(path)];
      return entry.name.startsWith("@") ? [entry.name, ...namesIn(path, made)] : [entry.name];
    });
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
