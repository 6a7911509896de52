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
 * Keeps what was made of a Pack below `node_modules/.cache`, for as long as nothing that it was made of has changed: the content
 * of each input, the names in each folder where an import was looked for, and the configuration files above.
 */
export interface PackCache {
  read(entry: string): CheckedPack | undefined;
  write(entry: string, pack: CheckedPack): void;
}

interface CacheRecord {
  /** Of this package and of the options. */
  version: string;
  /** What the result depends on, by path. */
  stamps: [path: string, stamp: string][];
  bundle: Omit<PackBundle, "imports" | "sources"> & { imports: [string, readonly string[]][]; sources: string[] };
  definition: string;
  issues: CheckedPack["issues"];
}

/** Read by the bundler beside each file, or on the way up from it. */
const CONFIGURATIONS = ["package.json", "tsconfig.json", "jsconfig.json"];

/**
 * @param cwd the cache lies in the nearest folder above that has a package.json
 * @param options everything that changes what is made of a Pack
 * @param outDir absolute; the build makes it, so that its name counts as one that was always there
 * @returns undefined where there is no such folder
 */
export function openPackCache(cwd: string, options: object, outDir: string): PackCache | undefined {
  const folder = cacheFolder(cwd);
  if (folder === undefined) return undefined;
  // Before anything is stamped: a folder that comes with the first build would make the second one start anew.
  prepare(folder);
  const made = new Set(foldersAbove(outDir));
  const version = JSON.stringify([packageVersion(), statSync(join(ownFolder(), "index.js")).mtimeMs, process.versions.node, cwd, options]);
  const makeStamp = createStamper(made);
  const stampOf = memoized(makeStamp);
  const fileOf = (entry: string) => join(folder, `${sha256(entry, "hex")}.json`);
  return {
    read(entry) {
      const record = readRecord(fileOf(entry));
      if (record?.version !== version || record.stamps.some(([path, stamp]) => stampOf(path) !== stamp)) return undefined;
      const { bundle, definition, issues } = record;
      return {
        bundle: { ...bundle, imports: new Map(bundle.imports), sources: bundle.sources.map((path) => ({ path, text: "" })) },
        definition: decodeSnapshot(definition) as PackVersionDefinition,
        issues,
      };
    },
    write(entry, { bundle, definition, issues }) {
      // Stamped anew: another Pack may have been built while a file changed.
      const stamps = dependenciesOf(bundle.inputPaths).map((path): [string, string] => [path, makeStamp(path)]);
      // Whoever changed an input while it was built gets nothing from the cache.
      if (isOutdated(bundle, new Map(stamps))) return;
      const record: CacheRecord = {
        version,
        stamps,
        bundle: { ...bundle, imports: [...bundle.imports], sources: bundle.sources.map(({ path }) => path) },
        definition: encodeSnapshot(definition),
        issues,
      };
      save(fileOf(entry), JSON.stringify(record));
    },
  };
}

/** The definition of a Pack as the last build kept it, whatever has changed since. */
export function cachedDefinition(entry: string, cwd: string): PackVersionDefinition | undefined {
  const folder = cacheFolder(cwd);
  const record = folder === undefined ? undefined : readRecord(join(folder, `${sha256(entry, "hex")}.json`));
  return record === undefined ? undefined : (decodeSnapshot(record.definition) as PackVersionDefinition);
}

function cacheFolder(cwd: string): string | undefined {
  const project = foldersAbove(cwd).find((folder) => existsSync(join(folder, "package.json")));
  return project === undefined ? undefined : join(project, "node_modules", ".cache", "packsmith");
}

/** The author's files as they were read; the result is worth nothing when one of them is another by now. */
function isOutdated({ entry, inputs, inputPaths }: PackBundle, stamps: ReadonlyMap<string, string>): boolean {
  const hashes = new Map(inputs.map(({ path, sha256 }) => [resolve(dirname(entry), path), sha256]));
  return inputPaths.some((path) => stamps.get(path) !== hashes.get(path));
}

/**
 * Everything that a build which reads these files depends on: the files, the folders in which a new file could take the place
 * of another, and the configurations above.
 * @param files absolute paths
 */
export function dependenciesOf(files: readonly string[]): string[] {
  const folders = new Set(files.flatMap((file) => foldersAbove(dirname(file))));
  const beside = [...folders].flatMap((folder) => [...CONFIGURATIONS.map((name) => join(folder, name)), join(folder, "node_modules")]);
  const extended = beside.filter((path) => path.endsWith("config.json")).flatMap(extendedBy);
  return [...new Set([...files, ...[...folders].filter((folder) => !isShared(folder)), ...beside, ...extended])];
}

/** The root and the folders right below it, such as /tmp: names there come and go. */
function isShared(folder: string): boolean {
  return dirname(dirname(folder)) === dirname(folder);
}

/** The clock of files may be this coarse: two changes within it can have the same time. */
const FILE_CLOCK_MS = 1_000;

/**
 * Tells the content of a file, the names of a folder, or that there is nothing. What many Packs share is read once, and again when
 * its times say that it has changed.
 * @param made folders that count as ones that were always there
 */
function createStamper(made: ReadonlySet<string>): (path: string) => string {
  const known = new Map<string, { times: string; stamp: string }>();
  return (path) => {
    const stats = statsOf(path);
    if (stats === undefined) return "";
    const times = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const before = known.get(path);
    if (before?.times === times) return before.stamp;
    const names = stats.isDirectory() ? namesIn(path, made) : undefined;
    const stamp = sha256(names === undefined ? contentOf(path) : names.join("\0"), "hex");
    // The names of a scope are no part of the folder's own times.
    const isWhole = names === undefined || !names.some((name) => name.startsWith("@"));
    if (isWhole && Date.now() - stats.ctimeMs > FILE_CLOCK_MS) known.set(path, { times, stamp });
    return stamp;
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

/** Folders, and files that an import without an ending could mean; others come and go. */
export const COULD_BE_MEANT = /^[^.]*$|^\.[^.]+$|\.(?:[cm]?[jt]sx?|json|css)$/;

/** With where links lead to, and the packages of each scope: some package managers change nothing else. */
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

/** The files that a configuration takes the rest of itself from. */
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
    // Nothing will be kept.
  }
}

/** A cache that cannot be written changes nothing about the build. */
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
