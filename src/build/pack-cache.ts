import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { ownFolder } from "../bundle/own-modules.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { decodeSnapshot, encodeSnapshot } from "../define/snapshot.ts";
import type { Pack } from "../execute/open-pack.ts";
import { placeIssues } from "../execute/pack-issues.ts";
import { sha256 } from "../shared/crypto.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { isOwn, readRegularFile } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { packageVersion } from "../shared/own-package.ts";
import { projectRoot } from "../shared/project-boundary.ts";
import { memoized } from "../shared/values.ts";
import { createFingerprinter, surroundings } from "./build-inputs.ts";
import { type CacheKey, createCacheKeys } from "./cache-keys.ts";

const debug = createDebugLog("build");

/**
 * Keeps built Packs. A cached Pack is used as long as nothing that it depends on has changed: the
 * content of each input, what each import could have meant, and the configuration files above. All
 * other files do not matter. Records contain no absolute path, so they serve in every checkout of a
 * repository, and on other machines. Those of another user of this machine are not used.
 */
export interface PackCache {
  /** @param entry absolute path */
  read(entry: string): Pick<Pack, "bundle" | "definition" | "compiled" | "issues"> | undefined;
  write(entry: string, pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">): void;
}

export interface PackCacheOptions {
  cwd: string;
  /** Where the records are. Many projects can share it. */
  folder: string;
  /** Everything that changes the result of a build, and can be written as JSON. */
  options: object;
  /**
   * Absolute. The build creates it, as it creates `folder`, so their names do not count as changes.
   */
  outDir: string;
}

/** All paths are relative to the root of the repository, with forward slashes. */
interface CacheRecord {
  /** The builds of this package, the options, and where the command ran. */
  version: string;
  /** Everything that the result depends on. */
  keys: CacheKey[];
  /** The configuration above the root. */
  surroundings: string;
  bundle: Omit<Bundle, "imports" | "metafile" | "sources"> & {
    imports: [string, readonly string[]][];
    sources: string[];
  };
  definition: string;
  /** The same in the form that the service loads. */
  compiled: string;
  issues: Pack["issues"];
}

/** Records of one entry file: its content on other branches is worth keeping, too. */
const RECORDS_PER_ENTRY = 8;

export function openPackCache({ cwd, folder, options, outDir }: PackCacheOptions): PackCache {
  const rootOf = memoized(projectRoot);
  const own = ownBuild();
  const makeFingerprint = createFingerprinter(
    new Set([...foldersUpFrom(outDir), ...foldersUpFrom(folder)]),
  );
  const fingerprintOf = memoized(makeFingerprint);
  const keys = createCacheKeys(makeFingerprint);
  const surroundingsOf = memoized((root) => surroundings(root, fingerprintOf));
  const versionOf = memoized((root) =>
    JSON.stringify([packageVersion(), own, nodeRelease(), toPortable(root, cwd), options]),
  );
  return {
    read(entry) {
      const root = rootOf(dirname(entry));
      const record = readRecord(recordFile(folder, root, entry));
      const miss = (reason: string): undefined => {
        debug(() => `cache: ${entry} missed: ${reason}`);
        return undefined;
      };
      if (record === undefined) return miss("there is no build of this content");
      if (record.version !== versionOf(root)) return miss("other options, or another packsmith");
      if (record.surroundings !== surroundingsOf(root))
        return miss("the configuration above the project has changed");
      const changed = keys.findChanged(record.keys, root);
      if (changed !== undefined) return miss(`${changed} has changed`);
      debug(() => `cache: ${entry} hit`);
      const { bundle, definition, compiled, issues } = record;
      return {
        bundle: {
          ...bundle,
          entry,
          inputPaths: bundle.inputPaths.map((path) => resolve(root, path)),
          metafile: undefined,
          imports: new Map(bundle.imports),
          sources: bundle.sources.map((path) => ({ path, text: "" })),
        },
        definition: decodeSnapshot(definition) as PackVersionDefinition,
        compiled: decodeSnapshot(compiled) as Pack["compiled"],
        issues: placeIssues(issues, root, cwd),
      };
    },
    write(entry, { bundle, definition, compiled, issues }) {
      const root = rootOf(dirname(entry));
      if (bundle.metafile === undefined) return;
      const made = keys.make({ ...bundle, metafile: bundle.metafile }, root);
      // An input that changed during the build must not get into the cache.
      if (made === undefined) return;
      const portable = (path: string): string => toPortable(root, path);
      const { metafile: _, ...kept } = bundle;
      const record: CacheRecord = {
        version: versionOf(root),
        keys: made,
        surroundings: surroundingsOf(root),
        bundle: {
          ...kept,
          entry: portable(entry),
          inputPaths: bundle.inputPaths.map(portable),
          imports: [...bundle.imports],
          sources: bundle.sources.map(({ path }) => path),
        },
        definition: encodeSnapshot(definition),
        compiled: encodeSnapshot(compiled),
        issues: placeIssues(issues, cwd, root),
      };
      save(recordFile(folder, root, entry), JSON.stringify(record));
    },
  };
}

/** The definition of a Pack in its last build, even when something has changed since. */
export function cachedDefinition(entry: string, folder: string): PackVersionDefinition | undefined {
  const [newest] = recordsOf(dirname(recordFile(folder, projectRoot(dirname(entry)), entry)));
  const record = newest === undefined ? undefined : readRecord(newest);
  return record === undefined
    ? undefined
    : (decodeSnapshot(record.definition) as PackVersionDefinition);
}

/** A folder for each entry file, and in it a record for each content of that file. */
function recordFile(folder: string, root: string, entry: string): string {
  const name = sha256(
    JSON.stringify([
      readJsonWithComments(join(root, "package.json"))?.["name"],
      toPortable(root, entry),
    ]),
    "hex",
  );
  return join(folder, name, `${sha256(textOf(entry), "hex")}.json`);
}

function recordsOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => ({
        path: join(folder, name),
        writtenAtMs: statSync(join(folder, name)).mtimeMs,
      }))
      .sort((a, b) => b.writtenAtMs - a.writtenAtMs)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

function toPortable(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    return "";
  }
}

/** Another build of this package may give another result, even with the same version. */
function ownBuild(): string {
  const authoring = join(ownFolder(), "authoring");
  const texts = readdirSync(authoring, { recursive: true, encoding: "utf8" }).map((path) =>
    textOf(join(authoring, path)),
  );
  // The name of the script with all commands has a hash of its content.
  const commands = readdirSync(join(ownFolder(), "bin")).filter((name) =>
    name.startsWith("commands-"),
  );
  return sha256([...commands, ...texts].join("\0"), "hex");
}

/** Packs run in this program's engine, and its main version decides what that can do. */
function nodeRelease(): string | undefined {
  return process.versions.node.split(".")[0];
}

/** A record that was cut off or changed is none. */
function readRecord(path: string): CacheRecord | undefined {
  try {
    if (!isOwnFolder(dirname(path)) || !isOurs(path, (stats) => stats.isFile())) return undefined;
    const [digest = "", text = ""] = splitOnce(readFileSync(path, "utf8"));
    return sha256(text, "hex") === digest ? (JSON.parse(text) as CacheRecord) : undefined;
  } catch {
    return undefined;
  }
}

function splitOnce(text: string): [first: string, rest: string] {
  const end = text.indexOf("\n");
  return [text.slice(0, end), text.slice(end + 1)];
}

function isOwnFolder(path: string): boolean {
  return isOurs(path, (stats) => stats.isDirectory());
}

/**
 * No link, and of this user: in a cache that several users share, another one could forge records,
 * or have files deleted through a link.
 */
function isOurs(path: string, isKind: (stats: Stats) => boolean): boolean {
  const stats = lstatSync(path);
  return isKind(stats) && isOwn(stats);
}

/**
 * Saves a record, and removes the oldest ones beside it. A build does not fail because its cache
 * cannot be written.
 */
function save(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!isOwnFolder(dirname(path))) return;
    writeFileSync(temporary, `${sha256(text, "hex")}\n${text}`, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
    for (const old of recordsOf(dirname(path)).slice(RECORDS_PER_ENTRY))
      rmSync(old, { force: true });
  } catch {
    rmSync(temporary, { force: true });
  }
}
