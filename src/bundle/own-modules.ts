import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";

const require = createRequire(import.meta.url);

/** A module of this package that other programs import, by the name of its file. */
export type OwnEntry = "index" | "legacy" | "testing" | "legacy-testing" | "service" | "node" | "vitest";

const ENTRIES: Readonly<Record<string, OwnEntry>> = {
  packsmith: "index",
  "packsmith/testing": "testing",
  "packsmith/service": "service",
  "packsmith/node": "node",
  "packsmith/vitest": "vitest",
};

/** What a Pack may carry: the other entries need Node. */
const AUTHORING_ENTRIES: readonly OwnEntry[] = ["index", "legacy", "service"];

/** Every specifier that names this package, its older name included; beginning and end are those of a whole name. */
export const OWN_SPECIFIER = /^(packsmith|@codahq\/packs-sdk)(\/|$)/;

/**
 * The entry that an import names. An existing Pack that imports `@codahq/packs-sdk` works unchanged: that name and
 * its published files are one entry, the authoring entry with the names of older Packs.
 * @returns undefined for every other module
 */
export function ownEntryOf(specifier: string): OwnEntry | undefined {
  const name = specifier.replace(/\.js$/, "");
  if (Object.hasOwn(ENTRIES, name)) return ENTRIES[name];
  const file = /^@codahq\/packs-sdk(?:\/dist(?:\/(.+))?)?$/.exec(name);
  if (file === null) return undefined;
  return /^(development|testing)(\/|$)/.test(file[1] ?? "") ? "legacy-testing" : "legacy";
}

/** @returns whether a Pack may import this entry. */
export function isAuthoringEntry(entry: OwnEntry): boolean {
  return AUTHORING_ENTRIES.includes(entry);
}

let folder: string | undefined;

/** @returns the folder of this package's built files. */
export function ownFolder(): string {
  folder ??= dirname(require.resolve("packsmith"));
  return folder;
}

/** @returns whether an absolute path lies in the folder of this package's built files. */
export function isInOwnFolder(path: string): boolean {
  return path.startsWith(ownFolder() + sep);
}

/** @returns absolute path of the built file of an entry. */
export function ownEntryFile(entry: OwnEntry): string {
  return join(ownFolder(), `${entry}.js`);
}

/** @returns whether an absolute path is the built file of an entry. */
export function isOwnFile(path: string): boolean {
  return path === ownEntryFile(basename(path, ".js") as OwnEntry);
}

/** @returns whether an absolute path is a built file of the room that Packs are made of. */
export function isDefineFile(path: string): boolean {
  return dirname(path) === join(ownFolder(), "define");
}

/** @returns whether a source text imports this package under its older name, types included. */
export function importsOlderName(text: string): boolean {
  return /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']@codahq\/packs-sdk["'/]/.test(text);
}

let version: string | undefined;

/** @returns the version of this package. */
export function ownVersion(): string {
  version ??= (JSON.parse(readFileSync(require.resolve("packsmith/package.json"), "utf8")) as { version: string }).version;
  return version;
}

/** @returns a function that names a file of this package by the package (`packsmith/define/pack.js`), wherever it is installed. */
export function createOwnPathNamer(folder: string): (path: string) => string {
  const dist = `${relative(folder, ownFolder()).split(sep).join("/")}/`;
  return (path) => (path.startsWith(dist) ? `packsmith/${path.slice(dist.length)}` : path);
}
