import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { builtFile, builtSinonFile } from "../shared/own-package.ts";
import { findOwnModule, IMPORT_NAMES, type OwnEntry } from "./import-names.ts";

/**
 * The folder with the modules that authors import, which the build of this package prepares for
 * Packs.
 */
const AUTHORING = "authoring";
const AUTHORING_FOLDER = new RegExp(`^${AUTHORING}/`);

/** The entries that a Pack may import: the others need Node. */
const AUTHORING_ENTRIES = ["index", "legacy", "service"] as const satisfies readonly OwnEntry[];

export type AuthoringEntry = (typeof AUTHORING_ENTRIES)[number];

/**
 * Finds the entry of this package for an import. An existing Pack that imports `@codahq/packs-sdk`
 * works unchanged: that name and
 * its published files resolve to the legacy entry.
 * @returns undefined for every other module
 */
export function findOwnEntry(specifier: string): OwnEntry | undefined {
  return findOwnModule(specifier)?.code;
}

/**
 * Finds the entry for a file of types of this package. Test runners that follow the `paths` of a
 * tsconfig.json, as type checkers do, look for the code there.
 * @param file absolute path
 * @returns undefined for every other file
 */
export function ownEntryOfTypes(file: string): OwnEntry | undefined {
  if (!isInOwnFolder(file)) return undefined;
  const name = relative(ownFolder(), file).split(sep).join("/");
  return Object.values(IMPORT_NAMES).find(({ types }) => name === `${types}.d.ts`)?.code;
}

/** @returns whether a Pack may import this entry. */
export function isAuthoringEntry(entry: OwnEntry): entry is AuthoringEntry {
  return (AUTHORING_ENTRIES as readonly OwnEntry[]).includes(entry);
}

let folder: string | undefined;

/** @returns the folder of this package's built files. */
export function ownFolder(): string {
  folder ??= builtFile(".");
  return folder;
}

/** @returns whether an absolute path is in the folder of this package's built files */
export function isInOwnFolder(path: string): boolean {
  return path.startsWith(ownFolder() + sep);
}

/** @returns absolute path of the built file of an entry. */
export function ownEntryFile(entry: OwnEntry): string {
  return join(ownFolder(), `${entry}.js`);
}

/**
 * Finds the file for a module that a suite imports and its project does not have. Projects got
 * sinon with `@codahq/packs-sdk`.
 * @param error why the module was not found
 * @returns absolute path of the sinon that this package contains; undefined for other modules
 */
export function replaceMissingModule(specifier: string, error: unknown): string | undefined {
  const code = String((error as NodeJS.ErrnoException).code);
  const isMissing = /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code);
  return specifier === "sinon" && isMissing ? builtSinonFile() : undefined;
}

/** @returns absolute path of the file that a Pack gets for an entry */
export function authoringFile(entry: AuthoringEntry): string {
  return join(ownFolder(), AUTHORING, `${entry}.js`);
}

/**
 * @returns absolute path of the file that a Pack gets for a module of the compiler, such as
 * `compile-table`
 */
export function compilerFile(name: string): string {
  return join(ownFolder(), AUTHORING, "define", "compile", `${name}.js`);
}

/** @returns whether an absolute path is the file that a Pack gets for an entry */
export function isAuthoringFile(path: string): boolean {
  return AUTHORING_ENTRIES.some((entry) => path === authoringFile(entry));
}

/** @returns whether a source imports `@codahq/packs-sdk`, also when it imports only types */
export function importsLegacyPackage(text: string): boolean {
  return /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']@codahq\/packs-sdk["'/]/.test(text);
}

/**
 * @returns a function that names a file of this package by the package
 * (`packsmith/define/pack.js`), wherever it is installed.
 */
export function createOwnPathNamer(folder: string): (path: string) => string {
  const dist = `${relative(folder, ownFolder()).split(sep).join("/")}/`;
  return (path) =>
    path.startsWith(dist)
      ? `packsmith/${path.slice(dist.length).replace(AUTHORING_FOLDER, "")}`
      : path;
}

/**
 * Resolves imports of files of this package, such as `packsmith/service`, and keeps modules that
 * need Node out of Packs. The names of
 * the package itself are aliases in the options of esbuild, which is faster.
 */
export const ownModulesPlugin: Plugin = {
  name: "own-modules",
  setup(build) {
    build.onResolve({ filter: /^(packsmith|@codahq\/packs-sdk)\// }, ({ path }) => {
      const entry = findOwnEntry(path);
      if (entry === undefined) return { errors: [{ text: `packsmith has no module "${path}".` }] };
      if (!isAuthoringEntry(entry))
        return {
          errors: [
            {
              text: `A Pack cannot import ${path}, because this module is only for tests and tools.`,
            },
          ],
        };
      return { path: authoringFile(entry), sideEffects: false };
    });
  },
};
