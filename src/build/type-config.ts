import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, parse } from "node:path";
import { OWN_PACKAGES, typingPaths } from "../bundle/import-names.ts";
import { findUp, foldersUpFrom } from "../shared/folders.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { builtFile } from "../shared/own-package.ts";
import { findManifest } from "../shared/package-map.ts";
import { isInside, projectRoot, realPath } from "../shared/project-boundary.ts";
import { configFolderOptions, readTypePaths, type TypePaths } from "../shared/typescript.ts";
import { memoize } from "../shared/values.ts";
import { listDeclarations } from "./declaration-files.ts";

/** Entries that one run of a compiler checks. */
export interface TypeProject {
  /** Path of the compiler's script. */
  compiler: string;
  version: string;
  /** Whether the folder is trusted. Otherwise the compiler is not one of the folder. */
  isTrusted: boolean;
  config: string | undefined;
  /** The Packs import `@codahq/packs-sdk`. */
  isLegacy: boolean;
  entries: string[];
}

/** A tsconfig.json. */
export interface TypeConfiguration {
  extends?: string;
  compilerOptions: Readonly<Record<string, unknown>>;
  files: readonly string[];
  include?: readonly string[];
}

export interface TemporaryFolder extends Disposable {
  path: string;
}

/**
 * Makes a folder for a configuration that extends the project's. It is in the project's
 * node_modules, because TypeScript looks for
 * `@types` from there upwards, or in the system's temporary folder when node_modules is not writable
 * or leads out of the project.
 */
export function makeConfigFolder(project: string): TemporaryFolder {
  return removedAtExit(makeCacheFolder(findUp(project, "node_modules")) ?? makeFolderIn(tmpdir()));
}

/** Makes a folder that only this user can read, outside of the project. */
export function makeOwnFolder(): TemporaryFolder {
  return removedAtExit(makeFolderIn(tmpdir()));
}

function removedAtExit(path: string): TemporaryFolder {
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    path,
    [Symbol.dispose]() {
      process.removeListener("exit", remove);
      remove();
    },
  };
}

function makeCacheFolder(modules: string | undefined): string | undefined {
  if (modules === undefined) return undefined;
  const cache = join(modules, ".cache");
  // A folder that someone else made can have a link there, to anywhere.
  if (!isInside(realPath(projectRoot(dirname(modules))), realPath(cache))) return undefined;
  try {
    mkdirSync(cache, { recursive: true });
    return makeFolderIn(cache);
  } catch {
    return undefined;
  }
}

function makeFolderIn(parent: string): string {
  return mkdtempSync(join(parent, "packsmith-types-"));
}

/** The configuration that the compiler gets: the project's, without what writes or emits. */
export function makeConfiguration(project: TypeProject): TypeConfiguration {
  const { config, entries, isLegacy } = project;
  const paths = ownTypings(entries, config);
  const mapped = paths === undefined ? {} : { paths };
  const files = [...entries, globalTypes(config ?? entries[0] ?? "", isLegacy)];
  if (config === undefined) {
    return {
      compilerOptions: {
        // Packs for `@codahq/packs-sdk` were built without a type check.
        strict: !isLegacy,
        target: "ES2022",
        lib: ["ES2022"],
        module: "ESNext",
        ...(project.version.startsWith("4.")
          ? { moduleResolution: "Node" }
          : { moduleResolution: "Bundler", allowImportingTsExtensions: true }),
        ...withoutLibraryLookups(project),
        ...(isLegacy ? { allowSyntheticDefaultImports: true, noImplicitAny: false } : {}),
        resolveJsonModule: true,
        types: [],
        noEmit: true,
        skipLibCheck: true,
        ...mapped,
      },
      files,
    };
  }
  return {
    extends: config,
    compilerOptions: {
      ...configFolderOptions(config),
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      tsBuildInfoFile: null,
      // Each of these writes where the folder says.
      generateTrace: null,
      generateCpuProfile: null,
      outFile: null,
      // With it, errors of files that depend on a change through others would be missed.
      assumeChangesOnlyAffectDirectDependencies: false,
      ...withoutLibraryLookups(project),
      // Sources may be anywhere. The default, the folder of this configuration, would not contain
      // them.
      rootDir: parse(config).root,
      ...mapped,
    },
    files: [...files, ...listDeclarations(config)],
    include: [],
  };
}

/**
 * The file with the types of the globals. Packs for `@codahq/packs-sdk` were written with the types
 * of Node, which that package
 * brings along; other Packs see what the Pack runtime has.
 */
function globalTypes(from: string, isLegacy: boolean): string {
  const node = isLegacy
    ? findUp(dirname(from), join("node_modules", "@types", "node", "index.d.ts"))
    : undefined;
  return node ?? builtFile("pack-globals.d.ts");
}

/**
 * From 5.8 to 5.9 the compiler looks for a replacement of each of its libraries in every folder
 * above, unless it is told not to.
 */
function withoutLibraryLookups({ version, config, entries }: TypeProject): object {
  if (!/^5\.[89]\./.test(version)) return {};
  const folders = foldersUpFrom(dirname(config ?? entries[0] ?? "."));
  const isReplaced = [...folders, ...foldersUpFrom(tmpdir())].some((folder) =>
    namesIn(join(folder, "node_modules/@typescript")).some((name) => name.startsWith("lib-")),
  );
  return isReplaced ? {} : { libReplacement: false };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Makes the `paths` with which TypeScript finds the types of this package, for the names that the
 * project cannot resolve. They
 * include the project's own paths.
 * @returns `undefined` when the project resolves all names
 */
function ownTypings(entries: readonly string[], config: string | undefined): TypePaths | undefined {
  const folders = [...new Set(entries.map((entry) => dirname(entry)))];
  const isResolvable = createResolver();
  const missing = OWN_PACKAGES.filter((name) =>
    folders.some((folder) => !isResolvable(folder, name)),
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
 * (`npm:packsmith`) does not count: the types of that name are not at its root. Each manifest is
 * read once.
 */
function createResolver(): (folder: string, name: string) => boolean {
  const exists = memoize(existsSync);
  const readName = memoize((manifest) => readJsonWithComments(manifest)?.["name"]);
  return (folder, name) => {
    const own = findUp(folder, "package.json", exists);
    if (own !== undefined && readName(own) === name) return true;
    const installed = findManifest(name, folder, exists);
    return installed !== undefined && (name === "packsmith" || readName(installed) !== "packsmith");
  };
}
