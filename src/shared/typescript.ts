import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isFile, isPipeOrDevice, readRegularFile } from "./files.ts";
import { foldersUpFrom } from "./folders.ts";
import { isInPackage } from "./installed-packages.ts";
import { blankComments, readJsonWithComments } from "./json.ts";
import { findToolManifest, isMapped } from "./package-map.ts";
import { memoize, toMembers } from "./values.ts";

/** esbuild reads these in the folder of each file and in the folders above. */
export const CONFIGURATIONS = ["package.json", "tsconfig.json", "jsconfig.json"];

/**
 * Where Yarn has put packages. esbuild reads the first one in the working folder and the folders
 * above.
 */
const PACKAGE_MAPS = [".pnp.data.json", ".pnp.cjs", ".pnp.js"];

const NEVER_EXTEND: readonly string[] = ["package.json", ...PACKAGE_MAPS];

/**
 * @returns the configurations that esbuild would read in these folders, and the files that those
 * extend, whether they exist or not
 * @param isRead false for files that do not count. @default all count
 */
export function configurationsIn(
  folders: readonly string[],
  isRead: (path: string) => boolean = () => true,
): string[] {
  const paths = folders
    .flatMap((folder) => [...CONFIGURATIONS, ...PACKAGE_MAPS].map((name) => join(folder, name)))
    .filter(isRead);
  const all = new Set(paths);
  // Files that are added during the loop are visited, too, each once: a configuration may extend
  // itself.
  for (const path of all)
    if (!NEVER_EXTEND.includes(basename(path)))
      for (const { files, manifests } of extendedBy(path))
        for (const file of [...manifests, ...files]) all.add(file);
  return [...all];
}

/**
 * How often esbuild reads configurations because of one: it reads each again for each way that leads
 * to it, and 40 files that each name the next one twice have more ways than anyone can wait for.
 * @param most the answer is Infinity for a chain of more
 */
export function countReads(
  path: string,
  most: number,
  counts = new Map<string, number>(),
  depth = 0,
): number {
  if (depth > most) return Number.POSITIVE_INFINITY;
  const known = counts.get(path);
  if (known !== undefined) return known;
  // One in a circle is read once.
  counts.set(path, 0);
  const count = listParents(path).reduce(
    (sum, parent) => sum + countReads(parent, most, counts, depth + 1),
    1,
  );
  counts.set(path, count);
  return count;
}

/** The files that a configuration extends. */
function listParents(path: string): string[] {
  return extendedBy(path).flatMap(({ files }) => files.find(isFile) ?? []);
}

/** A configuration and those that it extends, each once: one replaces what the next ones say. */
function* walkParents(config: string): Generator<string> {
  const seen = new Set<string>();
  const waiting = [config];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    yield at;
    waiting.push(...listParents(at));
  }
}

/** Whether esbuild reads a configuration: of packages, it reads none of TypeScript. */
export function isReadByEsbuild(path: string): boolean {
  return NEVER_EXTEND.includes(basename(path)) || !isInPackage(path);
}

/** The `paths` of a tsconfig.json: what a type checker finds imported names in. */
export type TypePaths = Record<string, string[]>;

/** @returns the `paths` that a tsconfig.json has or inherits, with absolute targets */
export function readTypePaths(config: string): TypePaths {
  const home = dirname(config);
  const baseUrl = readBaseUrl(config);
  for (const path of walkParents(config)) {
    const { paths } = readOwnOptions(path);
    if (typeof paths !== "object" || paths === null) continue;
    // A base counts wherever it is, also for paths that are inherited.
    const base = baseUrl ?? dirname(path);
    const lists = Object.entries(paths).filter((entry): entry is [string, string[]] =>
      Array.isArray(entry[1]),
    );
    return Object.fromEntries(
      lists.map(([name, targets]) => [
        name,
        targets.map((target) => resolve(base, inFolder(String(target), home))),
      ]),
    );
  }
  return {};
}

/** @returns the `baseUrl` that a tsconfig.json has or inherits, as an absolute path */
export function readBaseUrl(config: string): string | undefined {
  const home = dirname(config);
  for (const path of walkParents(config)) {
    const { baseUrl } = readOwnOptions(path);
    if (typeof baseUrl === "string") return resolve(dirname(path), inFolder(baseUrl, home));
  }
  return undefined;
}

/** The options that a configuration has, without those that it inherits. */
export function readOwnOptions(config: string): Record<string, unknown> {
  return toMembers(readJsonWithComments(config)?.["compilerOptions"]);
}

/** Since TypeScript 5.5, the folder of the configuration that is used, also in those it extends. */
const CONFIG_FOLDER = /\$\{configDir\}/g;

/** @param home the folder to put in place of `${configDir}` */
export function inFolder(text: string, home: string): string {
  return text.replace(CONFIG_FOLDER, () => home);
}

export interface Mapping {
  paths: TypePaths;
  baseUrl: string | undefined;
}

/**
 * Reads the mapping of imports in a folder: that of the nearest configuration, a tsconfig.json
 * before a jsconfig.json. Each folder and each configuration is looked at once.
 */
export function createMappingReader(): (folder: string) => Mapping {
  const read = memoize(
    (config): Mapping => ({ paths: readTypePaths(config), baseUrl: readBaseUrl(config) }),
  );
  const findHere = memoize((folder) =>
    ["tsconfig.json", "jsconfig.json"].map((name) => join(folder, name)).find(existsSync),
  );
  return memoize((folder) => {
    const config = foldersUpFrom(folder).map(findHere).find(Boolean);
    return config === undefined ? { paths: {}, baseUrl: undefined } : read(config);
  });
}

/** The paths that a configuration gives an import, in their order. */
export function mappedTo(specifier: string, { paths, baseUrl }: Mapping): string[] {
  const mapped = Object.entries(paths).flatMap(([pattern, targets]) => {
    const [start = "", end] = pattern.split("*");
    if (end === undefined) return pattern === specifier ? targets : [];
    if (!specifier.startsWith(start) || !specifier.endsWith(end)) return [];
    const middle = specifier.slice(start.length, specifier.length - end.length);
    return targets.map((target) => target.replace("*", () => middle));
  });
  return [...mapped, ...(baseUrl === undefined ? [] : [join(baseUrl, specifier)])];
}

/**
 * The options that a tsconfig.json has or inherits and that name its folder as `${configDir}`, with
 * the folder in its place: a configuration elsewhere that extends it would give them another.
 */
export function configFolderOptions(config: string): Record<string, unknown> {
  const home = dirname(config).split(sep).join("/");
  const named = Object.entries(readCompilerOptions(config)).flatMap(([name, value]) => {
    const text = JSON.stringify(value);
    const changed = inFolder(text, home);
    return changed === text ? [] : [[name, JSON.parse(changed) as unknown]];
  });
  return Object.fromEntries(named) as Record<string, unknown>;
}

/** The options that a tsconfig.json has or inherits. */
export function readCompilerOptions(config: string): Record<string, unknown> {
  const layers = [...walkParents(config)].map(readOwnOptions);
  return Object.assign({}, ...layers.reverse());
}

/** The files that a tsconfig.json covers: absolute paths, and patterns of such. */
export interface FileLists {
  files?: string[];
  include?: string[];
  exclude?: string[];
}

/** @returns the lists that a tsconfig.json has or inherits, each from the configuration that counts */
export function readFileLists(config: string): FileLists {
  const home = dirname(config);
  const lists: FileLists = {};
  for (const path of walkParents(config)) {
    const content = readJsonWithComments(path);
    for (const name of ["files", "include", "exclude"] as const) {
      const own = content?.[name];
      if (Array.isArray(own))
        lists[name] ??= own.map((each) => resolve(dirname(path), inFolder(String(each), home)));
    }
  }
  return lists;
}

interface Extended {
  /** The files that a name can mean. The first that exists counts. */
  files: readonly string[];
  /** The manifests of packages that say so. */
  manifests: readonly string[];
}

/** What each name can mean that a configuration extends. */
function extendedBy(path: string): Extended[] {
  const text = readText(path).replace(/\\u([\da-f]{4})|\\\//gi, (_, code?: string) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
  const lists = [...text.matchAll(/"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/g)].map(
    ([, list = ""]) => list,
  );
  return [...lists.join().matchAll(/"([^"]+)"/g)].map(([, name = ""]) =>
    /^\.{1,2}(?:\/|$)/.test(name) || isAbsolute(name)
      ? { files: filesFor(resolve(dirname(path), name)), manifests: [] }
      : filesInPackages(name, path),
  );
}

function filesFor(file: string): string[] {
  return file.endsWith(".json") ? [file] : [file, `${file}.json`];
}

function filesInPackages(name: string, importer: string): Extended {
  const homes = foldersUpFrom(dirname(importer)).map((folder) => join(folder, "node_modules"));
  const installed = homes.map((home) => join(home, name));
  const [, pack = name] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name) ?? [];
  // esbuild and the search of Node read them.
  const manifests = homes.map((home) => join(home, pack, "package.json"));
  if (manifests.some(isPipeOrDevice)) return { files: manifests, manifests: [] };
  const nearest = manifests.findIndex(isFile);
  return {
    files: [
      ...exportedFile(name, importer),
      ...(pack === name ? manifests.flatMap(fileNamedBy) : []),
      ...installed.flatMap((path) => [...filesFor(path), join(path, "tsconfig.json")]),
    ],
    manifests: nearest < 0 ? [] : manifests.slice(0, nearest + 1),
  };
}

/** The `tsconfig` of a package.json: what extends the package by its name extends this file. */
function fileNamedBy(manifest: string): string[] {
  const { tsconfig } = toMembers(isFile(manifest) ? readJsonWithComments(manifest) : undefined);
  return typeof tsconfig === "string" ? filesFor(resolve(dirname(manifest), tsconfig)) : [];
}

/** What a package exports, also where Yarn keeps packages in archives. */
function exportedFile(name: string, importer: string): string[] {
  try {
    const file = createRequire(importer).resolve(name);
    return file.endsWith(".json") ? [file] : [];
  } catch {
    return [];
  }
}

function readText(path: string): string {
  // To look is faster than to fail, and most of these files do not exist.
  if (!isFile(path)) return "";
  try {
    return blankComments(readRegularFile(path).toString());
  } catch {
    return "";
  }
}

/** A TypeScript that a project has installed. */
export interface InstalledTypeScript {
  version: string;
  /** The compiler's script; undefined for a version that is not used. */
  compiler: string | undefined;
  refusal: Refusal | undefined;
}

/** Why a version is not used, and what to do. */
export interface Refusal {
  message: string;
  hint: string;
}

/**
 * The nearest TypeScript, from a folder upwards; undefined where none is installed, or what is
 * there cannot be read.
 */
export function findTypeScript(from: string): InstalledTypeScript | undefined {
  return createTypeScriptFinder()(from);
}

/** The same for many folders, which must stay as they are meanwhile. */
export function createTypeScriptFinder(): (from: string) => InstalledTypeScript | undefined {
  const exists = memoize(existsSync);
  const readOnce = memoize(readTypeScript);
  return (from) => {
    const manifest = findToolManifest("typescript", from, exists);
    return manifest === undefined ? undefined : readOnce(manifest);
  };
}

function readTypeScript(manifest: string): InstalledTypeScript | undefined {
  try {
    const { version, bin } = JSON.parse(readRegularFile(manifest).toString()) as {
      version: string;
      bin: { tsc: string };
    };
    const compiler = join(dirname(manifest), bin.tsc);
    // A script outside of the package is not its compiler.
    if (!compiler.startsWith(dirname(manifest) + sep)) return undefined;
    const refusal = refuse(version);
    return { version, compiler: refusal === undefined ? compiler : undefined, refusal };
  } catch {
    return undefined;
  }
}

/** Of other versions, the options and the output are not known. */
function refuse(version: string): Refusal | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 7 || major < 4 || (major === 4 && minor < 9))
    return {
      message: `packsmith checks types with TypeScript 4.9 to 7, but TypeScript ${version} is installed.`,
      hint: "Install a supported version: npm install --save-dev typescript@latest.",
    };
  // A native program cannot ask Yarn.
  if (major === 7 && isMapped())
    return {
      message: `TypeScript ${version} does not find packages with Yarn's Plug'n'Play, so types are not checked.`,
      hint: 'Install another version: yarn add --dev "typescript@<7". Or set nodeLinker: node-modules in .yarnrc.yml.',
    };
  return undefined;
}
