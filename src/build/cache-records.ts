import { randomBytes } from "node:crypto";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { ownFolder } from "../bundle/own-modules.ts";
import { sha256 } from "../shared/crypto.ts";
import { isOwn, readRegularFile } from "../shared/files.ts";
import { makeFolder } from "../shared/folders.ts";
import { packageVersion } from "../shared/own-package.ts";

/** Records of one subject: its content on other branches is worth keeping, too. */
const RECORDS_PER_SUBJECT = 8;

/** A path in a record: relative to the root of the repository, with forward slashes. */
export function toPortable(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

export function readText(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    return "";
  }
}

let maker: readonly unknown[] | undefined;

/** What makes records: this build of the package, and the main version of the engine. */
export function recordMaker(): readonly unknown[] {
  maker ??= [packageVersion(), ...describeOwnBuild(), nodeRelease()];
  return maker;
}

/**
 * Another build of this package may give another result, even with the same version. The build
 * wrote a hash of the modules that Packs import; their sizes show a patch. A patch of the same size
 * is not noticed: times differ between installations, which share a cache.
 */
function describeOwnBuild(): unknown[] {
  const authoring = join(ownFolder(), "authoring");
  const sizes = readdirSync(authoring, { recursive: true, encoding: "utf8" }).map(
    (path) => statSync(join(authoring, path)).size,
  );
  // The names of the scripts with all commands have hashes of their contents.
  const commands = readdirSync(join(ownFolder(), "bin")).filter((name) =>
    name.startsWith("commands-"),
  );
  return [readText(join(authoring, "hash.txt")), ...sizes, ...commands];
}

/** Packs run in this program's engine, and its main version decides what that can do. */
function nodeRelease(): string | undefined {
  return process.versions.node.split(".")[0];
}

/**
 * The place of a result. The same content can have several: another branch has other dependencies.
 */
export function recordFor(subject: RecordSubject, dependencies: readonly unknown[]): string {
  const name = `${subject.start}-${sha256(JSON.stringify(dependencies), "hex").slice(0, 32)}`;
  return join(subject.folder, `${name}.json`);
}

/** The records of one content. */
export interface RecordSubject {
  folder: string;
  /** How their names start. */
  start: string;
}

/** The records in a folder whose names have this start, the newest first. */
export function listRecords({ folder, start }: RecordSubject): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && name.endsWith(".json"))
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

/** @returns what the first record that counts gives: the newest is read first */
export function findRecord<Result>(
  subject: RecordSubject,
  read: (path: string) => Result | undefined,
): Result | undefined {
  for (const path of listRecords(subject)) {
    const found = read(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A record that was cut off, changed or moved is none. */
export function readRecord<CacheRecord>(path: string): CacheRecord | undefined {
  const text = readRecordText(path);
  return text === undefined ? undefined : (JSON.parse(text) as CacheRecord);
}

/**
 * @returns what `saveRecord` was given; undefined for a record that was cut off or changed, or is of
 *   another place
 */
export function readRecordText(path: string): string | undefined {
  try {
    if (!isOwnFolder(dirname(path)) || !isOurs(path, (stats) => stats.isFile())) return undefined;
    const content = readFileSync(path);
    const end = content.indexOf("\n");
    const body = content.subarray(end + 1);
    return checksum(path, body) === content.toString("latin1", 0, end)
      ? body.toString()
      : undefined;
  } catch {
    return undefined;
  }
}

/** One record in place of another would be a result of something else. */
function checksum(path: string, body: Buffer): string {
  return sha256(`${basename(dirname(path))}/${basename(path)} ${sha256(body, "hex")}`, "hex");
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
export function saveRecord(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    makeFolder(dirname(path), 0o700);
    if (!isOwnFolder(dirname(path))) return;
  } catch {
    return;
  }
  try {
    const body = Buffer.from(text);
    const content = Buffer.concat([Buffer.from(`${checksum(path, body)}\n`), body]);
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
    for (const old of listRecords({ folder: dirname(path), start: "" }).slice(RECORDS_PER_SUBJECT))
      rmSync(old, { force: true });
  } catch {
    rmSync(temporary, { force: true });
  }
}
