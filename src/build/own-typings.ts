import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { foldersUpFrom } from "../shared/find-up.ts";
import { packageRoot } from "../shared/own-package.ts";

type Paths = Record<string, string[]>;

/** For each package name, the modules that an author can import and the files of their types. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  packsmith: {
    packsmith: "index",
    "packsmith/service": "service",
    "packsmith/testing": "testing",
    "packsmith/vitest": "vitest",
    "packsmith/node": "node",
  },
  "@codahq/packs-sdk": {
    "@codahq/packs-sdk": "index",
    "@codahq/packs-sdk/dist/development": "legacy-testing",
    "@codahq/packs-sdk/dist/*": "legacy",
  },
};

/**
 * Makes the `paths` with which TypeScript finds the types of this package, for the names that the project cannot resolve. They
 * include the project's own paths.
 * @returns `undefined` when the project resolves all names
 */
export function ownTypings(entries: readonly string[], config: string | undefined): Paths | undefined {
  const missing = Object.keys(ENTRIES).filter((name) => entries.some((entry) => !isResolvable(dirname(entry), name)));
  if (missing.length === 0) return undefined;
  const existing = config === undefined ? {} : pathsOf(config);
  return { ...Object.assign({}, ...missing.map((name) => mapped(ENTRIES[name] ?? {}))), ...existing };
}

function mapped(names: Readonly<Record<string, string>>): Paths {
  const typings = (entry: string): string => join(packageRoot(), "dist", `${entry}.d.ts`);
  return Object.fromEntries(
    Object.entries(names).map(([name, entry]) => [name, [existsSync(typings(entry)) ? typings(entry) : typings("index")]]),
  );
}

/** Whether a package is installed in or above a folder, or is the package that the folder belongs to. */
function isResolvable(folder: string, name: string): boolean {
  return ownPackage(folder) === name || foldersUpFrom(folder).some((each) => existsSync(join(each, "node_modules", name, "package.json")));
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
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    const plain = text
      .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, (_, literal?: string) => literal ?? "")
      .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, literal?: string) => literal ?? "");
    const value: unknown = JSON.parse(plain);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
