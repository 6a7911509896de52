import { randomBytes } from "node:crypto";
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ownFolder } from "../bundle/own-modules.ts";
import type { PackBundle } from "../bundle/pack-bundle.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { decodeSnapshot, encodeSnapshot } from "../define/snapshot.ts";
import type { CheckedPack } from "../load/load-pack.ts";
import { memoized } from "../shared/memoized.ts";
import { packageVersion } from "../shared/own-package.ts";
import { sha256 } from "../shared/sha256.ts";

/**
 * Keeps built Packs below `node_modules/.cache`. A cached Pack is used as long as nothing that it depends on has changed: the content
 * of each input, the names in each folder that was searched for an import, and the configuration files above.
 */
export interface PackCache {
  read(entry: string): CheckedPack | undefined;
  write(entry: string, pack: CheckedPack): void;
}

interface CacheRecord {
  /** The version of this package, and the options. */
  version: string;
  /** Everything that the result depends on, by path. */
  fingerprints: [path: string, fingerprint: string][];
  bundle: Omit<PackBundle, "imports" | "sources"> & { imports: [string, readonly string[]][]; sources: string[] };
  definition: string;
  /** The same in the form that the service loads. */
  compiled: string;
  issues: CheckedPack["issues"];
}

/** esbuild reads these in the folder of each file and in the folders above. */
const CONFIGURATIONS = ["package.json", "tsconfig.json", "jsconfig.json"];

/**
 * @param cwd the cache is in the nearest folder above it that has a package.json
 * @param options everything that changes the result of a build
 * @param outDir absolute; the build creates it, so its name does not count as a change
 * @returns undefined when no folder above has a package.json
 */
export function openPackCache(cwd: string, options: object, outDir: string): PackCache | undefined {
  const folder = cacheFolder(cwd);
  if (folder === undefined) return undefined;
  // Create the folder before fingerprints are taken, or the second build would see a new folder and start from nothing.
  prepare(folder);
  const made = new Set(foldersAbove(outDir));
  const version = JSON.stringify([packageVersion(), statSync(join(ownFolder(), "index.js")).mtimeMs, process.versions.node, cwd, options]);
  const makeFingerprint = createFingerprinter(made);
  const fingerprintOf = memoized(makeFingerprint);
  const fileOf = (entry: string) => join(folder, `${sha256(entry, "hex")}.json`);
  return {
    read(entry) {
      const record = readRecord(fileOf(entry));
      if (record?.version !== version || record.fingerprints.some(([path, fingerprint]) => fingerprintOf(path) !== fingerprint))
        return undefined;
      const { bundle, definition, compiled, issues } = record;
      return {
        bundle: { ...bundle, imports: new Map(bundle.imports), sources: bundle.sources.map((path) => ({ path, text: "" })) },
        definition: decodeSnapshot(definition) as PackVersionDefinition,
        compiled: decodeSnapshot(compiled) as CheckedPack["compiled"],
        issues,
      };
    },
    write(entry, { bundle, definition, compiled, issues }) {
      // Take the fingerprints again: a file may have changed while another Pack was built.
      const fingerprints = dependenciesOf(bundle.inputPaths).map((path): [string, string] => [path, makeFingerprint(path)]);
      // An input that changed during the build must not get into the cache.
      if (isOutdated(bundle, new Map(fingerprints))) return;
      const record: CacheRecord = {
        version,
        fingerprints,
        bundle: { ...bundle, imports: [...bundle.imports], sources: bundle.sources.map(({ path }) => path) },
        definition: encodeSnapshot(definition),
        compiled: encodeSnapshot(compiled),
        issues,
      };
      save(fileOf(entry), JSON.stringify(record));
    },
  };
}

/** The definition of a Pack in the last build, even when something has changed since. */
export function cachedDefinition(entry: string, cwd: string): PackVersionDefinition | undefined {
  const folder = cacheFolder(cwd);
  const record = folder === undefined ? undefined : readRecord(join(folder, `${sha256(entry, "hex")}.json`));
  return record === undefined ? undefined : (decodeSnapshot(record.definition) as PackVersionDefinition);
}

function cacheFolder(cwd: string): string | undefined {
  const project = foldersAbove(cwd).find((folder) => existsSync(join(folder, "package.json")));
  return project === undefined ? undefined : join(project, "node_modules", ".cache", "packsmith");
}

/** Whether one of the files has changed since the build read it. */
function isOutdated({ entry, inputs, inputPaths }: PackBundle, fingerprints: ReadonlyMap<string, string>): boolean {
  const hashes = new Map(inputs.map(({ path, sha256 }) => [resolve(dirname(entry), path), sha256]));
  return inputPaths.some((path) => fingerprints.get(path) !== hashes.get(path));
}

/**
 * Everything that a build of these files depends on: the files, the folders in which a new file could take precedence over
 * another, and the configurations above.
 * @param files absolute paths
 */
export function dependenciesOf(files: readonly string[]): string[] {
  const folders = new Set(files.flatMap((file) => foldersAbove(dirname(file))));
  const configurations = [...folders].flatMap((folder) => [
    ...CONFIGURATIONS.map((name) => join(folder, name)),
    join(folder, "node_modules"),
  ]);
  const extended = configurations.filter((path) => path.endsWith("config.json")).flatMap(extendedBy);
  return [...new Set([...files, ...[...folders].filter((folder) => !isShared(folder)), ...configurations, ...extended])];
}

/** The root and the folders right below it, such as /tmp, where names change all the time. */
function isShared(folder: string): boolean {
  return dirname(dirname(folder)) === dirname(folder);
}

/** Two changes within this time can have the same file time, because the clock of some file systems is coarse. */
const FILE_CLOCK_MS = 1_000;

/**
 * Makes fingerprints: of the content of a file, or of the names in a folder; the empty text when the path does not exist. A path is
 * read again only when its times have changed, because many Packs share most of them.
 * @param made folders that the build creates; their names do not count
 */
function createFingerprinter(made: ReadonlySet<string>): (path: string) => string {
  const known = new Map<string, { times: string; fingerprint: string }>();
  return (path) => {
    const stats = statsOf(path);
    if (stats === undefined) return "";
    const times = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const before = known.get(path);
    if (before?.times === times) return before.fingerprint;
    const names = stats.isDirectory() ? namesIn(path, made) : undefined;
    const fingerprint = sha256(names === undefined ? contentOf(path) : names.join("\0"), "hex");
    // The times of a folder do not change with the names in a scope (@name) below it.
    const isComplete = names === undefined || !names.some((name) => name.startsWith("@"));
    if (isComplete && Date.now() - stats.ctimeMs > FILE_CLOCK_MS) known.set(path, { times, fingerprint });
    return fingerprint;
  };
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function contentOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}

/** Names of folders, and of files that an import without an extension could mean. Other names do not matter. */
export const COULD_BE_MEANT = /^[^.]*$|^\.[^.]+$|\.(?:[cm]?[jt]sx?|json|css)$/;

/** The names in a folder, with the targets of links and the packages of each scope: some package managers change only those. */
function namesIn(folder: string, made: ReadonlySet<string>): string[] {
  const entries = entriesOf(folder).filter(({ name }) => COULD_BE_MEANT.test(name) && name !== ".cache" && !made.has(join(folder, name)));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [entry.name, linkOf(path)];
      return entry.name.startsWith("@") ? [entry.name, ...namesIn(path, made)] : [entry.name];
    });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The files that a configuration extends. */
function extendedBy(path: string): string[] {
  const [, list = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readText(path)) ?? [];
  const files = [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => {
    if (/^\.{1,2}\//.test(name) || isAbsolute(name)) return resolve(dirname(path), name.endsWith(".json") ? name : `${name}.json`);
    try {
      return createRequire(path).resolve(name);
    } catch {
      return join(dirname(path), "node_modules", name);
    }
  });
  return files.flatMap((file) => (file === path ? [] : [file, ...extendedBy(file)]));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function readRecord(path: string): CacheRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as CacheRecord;
  } catch {
    return undefined;
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Then there is no cache.
  }
}

/** Saves a record. A build does not fail because its cache cannot be written. */
function save(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx" });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
