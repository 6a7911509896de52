import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { OWN_PACKAGES, typingPaths } from "../bundle/import-names.ts";
import { foldersUpFrom } from "../shared/find-up.ts";
import { builtFile } from "../shared/own-package.ts";
import { readRegularFile } from "../shared/regular-file.ts";

type Paths = Record<string, string[]>;

/**
 * Makes the `paths` with which TypeScript finds the types of this package, for the names that the project cannot resolve. They
 * include the project's own paths.
 * @returns `undefined` when the project resolves all names
 */
export function ownTypings(entries: readonly string[], config: string | undefined): Paths | undefined {
  const missing = OWN_PACKAGES.filter((name) => entries.some((entry) => !isResolvable(dirname(entry), name)));
  if (missing.length === 0) return undefined;
  const existing = config === undefined ? {} : pathsOf(config);
  return { ...Object.assign({}, ...missing.map((name) => typingPaths(name, builtFile(".")))), ...existing };
}

/**
 * Whether a package is installed in or above a folder, or is the package that the folder belongs to. This package under another name
 * (`npm:packsmith`) does not count: the types of that name are not at its root.
 */
function isResolvable(folder: string, name: string): boolean {
  if (ownPackage(folder) === name) return true;
  const manifest = foldersUpFrom(folder)
    .map((each) => join(each, "node_modules", name, "package.json"))
    .find((path) => existsSync(path));
  return manifest !== undefined && (name === "packsmith" || readJson(manifest)?.["name"] !== "packsmith");
}

/** The name of the nearest package, which the files of the folder belong to. */
function ownPackage(folder: string): unknown {
  const manifest = foldersUpFrom(folder)
    .map((each) => join(each, "package.json"))
    .find((path) => existsSync(path));
  return manifest === undefined ? undefined : readJson(manifest)?.["name"];
}

/** The `paths` that a tsconfig.json has or inherits, as absolute paths. Ours would replace them, so they are repeated. */
function pathsOf(config: string, depth = 0): Paths {
  const json = readJson(config);
  if (json === undefined || depth > 10) return {};
  const { paths, baseUrl } = (json["compilerOptions"] ?? {}) as { paths?: Paths; baseUrl?: string };
  if (typeof paths === "object" && paths !== null) {
    const base = resolve(dirname(config), baseUrl ?? ".");
    return Object.fromEntries(Object.entries(paths).map(([name, targets]) => [name, targets.map((target) => resolve(base, target))]));
  }
  const parents = [json["extends"] ?? []].flat().filter((parent) => typeof parent === "string");
  // The last one wins.
  return Object.assign({}, ...parents.map((parent) => pathsOf(parentOf(config, parent), depth + 1)));
}

function parentOf(config: string, specifier: string): string {
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    const path = resolve(dirname(config), specifier);
    return existsSync(path) ? path : `${path}.json`;
  }
  try {
    return createRequire(config).resolve(specifier);
  } catch {
    return specifier;
  }
}

/** Reads JSON with comments and trailing commas, as TypeScript does. */
function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const text = readRegularFile(path)
      .toString()
      .replace(/^\uFEFF/, "");
    const plain = text
      .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, (_, literal?: string) => literal ?? "")
      .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, literal?: string) => literal ?? "");
    const value: unknown = JSON.parse(plain);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
