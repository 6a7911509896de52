import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { OWN_PACKAGES, typingPaths } from "../bundle/import-names.ts";
import { readInstalledName } from "../bundle/type-resolution.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { builtFile } from "../shared/own-package.ts";
import { readTypePaths, type TypePaths } from "../shared/typescript.ts";

/**
 * Makes the `paths` with which TypeScript finds the types of this package, for the names that the
 * project cannot resolve. They
 * include the project's own paths.
 * @returns `undefined` when the project resolves all names
 */
export function ownTypings(
  entries: readonly string[],
  config: string | undefined,
): TypePaths | undefined {
  const missing = OWN_PACKAGES.filter((name) =>
    entries.some((entry) => !isResolvable(dirname(entry), name)),
  );
  if (missing.length === 0) return undefined;
  const existing = config === undefined ? {} : readTypePaths(config);
  return {
    ...Object.assign({}, ...missing.map((name) => typingPaths(name, builtFile(".")))),
    ...existing,
  };
}

/**
 * Whether a package is installed in or above a folder, or is the package that the folder belongs
 * to. This package under another name
 * (`npm:packsmith`) does not count: the types of that name are not at its root.
 */
function isResolvable(folder: string, name: string): boolean {
  if (ownPackage(folder) === name) return true;
  const installed = readInstalledName(folder, name);
  return installed !== undefined && (name === "packsmith" || installed !== "packsmith");
}

/** The name of the nearest package, which the files of the folder belong to. */
function ownPackage(folder: string): unknown {
  const manifest = foldersUpFrom(folder)
    .map((each) => join(each, "package.json"))
    .find((path) => existsSync(path));
  return manifest === undefined ? undefined : readJsonWithComments(manifest)?.["name"];
}
