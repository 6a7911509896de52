import { existsSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { Loader, OnResolveResult, Plugin } from "esbuild";
import type { BuildProblem } from "../errors.ts";
import { MAX_FILE_BYTES, readStats } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { isInside, realPath } from "../shared/project-boundary.ts";
import {
  CONFIGURATIONS,
  configurationsIn,
  countReads,
  createMappingReader,
  isReadByEsbuild,
  mappedTo,
} from "../shared/typescript.ts";
import { memoize } from "../shared/values.ts";
import { findSourceMaps, hideSourceMaps, listMissingSources } from "./named-source-maps.ts";
import { isInOwnFolder } from "./own-modules.ts";

// A pipe waits for a writer, and some devices never end: esbuild would read /dev/zero until the
// memory is full.

/** How esbuild reads files of source text. */
export const LOADERS: Readonly<Record<string, Loader>> = {
  "": "js",
  ".js": "js",
  ".cjs": "js",
  ".mjs": "js",
  ".jsx": "jsx",
  ".ts": "ts",
  ".cts": "ts",
  ".mts": "ts",
  ".tsx": "tsx",
};
/** Styles can also name a source map. */
function findStyleLoader(path: string): Loader | undefined {
  if (!path.endsWith(".css")) return undefined;
  return path.endsWith(".module.css") ? "local-css" : "css";
}

const PIPE_OR_DEVICE = "a pipe or a device, not a file";
const TOO_LARGE = "larger than 64 MiB";
const MAX_CONFIGURATION_BYTES = 1024 * 1024;
/**
 * esbuild and TypeScript need more than 1 kB of memory for each list or object in another one. No
 * smaller file can be a problem.
 */
const MAX_UNSEARCHED_BYTES = 32 * 1024;
const MAX_LEVELS = 200;
/** No person writes as many, and no tool does for a program that can run. */
const MAX_SOURCE_LEVELS = 20_000;
/** An import by a path that names a folder, which can be another one than the importer's. */
const INNER_PATH = /^[./\\]+[^./\\][^/\\]*[/\\]/;
const OF_YARN = /\.zip[\\/]|[\\/](?:__virtual__|\$\$virtual)[\\/]/;
/** esbuild needs several times as much memory to read one. */
const MAX_MAP_BYTES = 16 * 1024 * 1024;

/**
 * Keeps esbuild from reading what is not a file on a disk: as a module, which counts as empty until
 * `filesOutside` refuses it, as a source map, and as a source of one. A source map outside of the
 * module's package is not read either.
 */
export const specialFilesPlugin: Plugin = {
  name: "special-files",
  setup({ onLoad, onResolve, onStart }) {
    let checks = createImportChecks();
    // A build that is repeated looks again.
    onStart(() => {
      checks = createImportChecks();
    });
    onResolve({ filter: INNER_PATH }, ({ path, resolveDir }) => {
      const pipe = checks.findPipe(resolveDir, path);
      return pipe === undefined ? undefined : refusePipe(basename(pipe));
    });
    onResolve({ filter: /^[^./\\]/ }, ({ path, resolveDir }) => checks.check(path, resolveDir));
    onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
      if (isInOwnFolder(path)) return undefined;
      if (isMadeUp(path)) return { contents: "", loader: "empty" };
      // esbuild finds files where there are none, in archives and virtual folders of Yarn. Where
      // Yarn runs Node, Node does, too. Elsewhere, a path without a file is one that a package
      // leaves out: esbuild reads nothing.
      if (OF_YARN.test(path) && !existsSync(path))
        return { errors: [{ text: `${basename(path)} is not a file.` }] };
      const special = describeSpecial(path);
      if (special !== undefined) return { errors: [{ text: `${basename(path)} is ${special}.` }] };
      const loader = LOADERS[extname(path)] ?? findStyleLoader(path);
      // One character for each byte, which is faster than to decode the text, and finds the same.
      const text = loader === undefined ? "" : readText(path, "latin1");
      if (hasManyBrackets(text) && countLevels(text) > MAX_SOURCE_LEVELS)
        return { errors: [{ text: `${basename(path)} has too many nested brackets.` }] };
      if (
        loader === undefined ||
        !text.includes("sourceMappingURL") ||
        !namesForeignMap(text, path)
      )
        return undefined;
      return { contents: hideSourceMaps(readText(path, "utf8")), loader };
    });
  },
};

interface ImportChecks {
  /** The first pipe or device in place of a folder of a path. esbuild would open it, and wait. */
  findPipe(folder: string, path: string): string | undefined;
  /** Checks what esbuild reads to resolve an import by name. */
  check(path: string, resolveDir: string): OnResolveResult | undefined;
}

/**
 * Finds the first special configuration in a folder, or in those above it. It looks at each folder
 * once.
 * @param describe undefined for a configuration that is not special
 */
function createSpecialFinder(
  describe: (path: string) => string | undefined,
  isRead?: (path: string) => boolean,
): (folder: string) => string | undefined {
  const find: (folder: string) => string | undefined = memoize((folder) => {
    const here = configurationsIn([folder], isRead);
    const special = here.find((each) => describe(each) !== undefined);
    const parent = dirname(folder);
    return special ?? (parent === folder ? undefined : find(parent));
  });
  return find;
}

/** Asks the disk once about each path. */
function createImportChecks(): ImportChecks {
  const describeOnce = createDescriber();
  const readStatsOnce = memoize(readStats);
  const mappingOnce = createMappingReader();
  const findSpecialOnce = createSpecialFinder(describeOnce, isReadByEsbuild);
  /** The same for a package, by its manifest. */
  const findSpecialOfPackageOnce = memoize((manifest: string) =>
    // A link leads to another folder, whose configurations and those above it are read, too.
    describeOnce(manifest) === undefined ? findSpecialOnce(dirname(realPath(manifest))) : manifest,
  );
  /** The folders in which an import finds packages, the nearest first. */
  const listHomesOnce: (folder: string) => string[] = memoize((folder) => {
    const home = join(folder, "node_modules");
    const parent = dirname(folder);
    return [
      ...(readStatsOnce(home) === undefined ? [] : [home]),
      ...(parent === folder ? [] : listHomesOnce(parent)),
    ];
  });
  const findPipe = (folder: string, path: string): string | undefined => {
    const names = path.split(/[\\/]/).slice(0, -1);
    return names
      .map((_, index) => resolve(folder, names.slice(0, index + 1).join("/") || "/"))
      .find((each) => describeStats(readStatsOnce(each)) === PIPE_OR_DEVICE);
  };
  return {
    findPipe,
    check(path, resolveDir) {
      const mapped = isReadByEsbuild(join(resolveDir, "tsconfig.json"))
        ? mappedTo(path, mappingOnce(resolveDir))
        : [];
      const target = mapped.map((each) => findPipe(resolveDir, each)).find(Boolean);
      if (target !== undefined) return refusePipe(basename(target));
      const [name = "", inner = ""] = path.split("/");
      const pack = name.startsWith("@") ? join(name, inner) : name;
      const homes = listHomesOnce(resolveDir);
      const nearest = homes.findIndex((home) => readStatsOnce(join(home, pack))?.isDirectory());
      for (const home of nearest === -1 ? homes : homes.slice(0, nearest + 1)) {
        const pipe = findPipe(home, `${path}/`);
        if (pipe === undefined) continue;
        const isOfPackage = join(home, pack).startsWith(pipe);
        return refusePipe(isOfPackage ? `The package ${pack}` : basename(pipe));
      }
      const file = homes
        .map((home) => join(home, pack, "package.json"))
        .filter((manifest) => readStatsOnce(manifest) !== undefined)
        .map(findSpecialOfPackageOnce)
        .find((each) => each !== undefined);
      if (file === undefined) return undefined;
      const what = `${describeOnce(file)}. packsmith reads this file for the package ${pack}.`;
      return { errors: [{ text: `${basename(file)} is ${what}` }] };
    },
  };
}

function refusePipe(what: string): OnResolveResult {
  return { errors: [{ text: `${what} is ${PIPE_OR_DEVICE}.` }] };
}

/** Whether a module names a source map that esbuild must not read, or cannot read to its end. */
function namesForeignMap(text: string, path: string): boolean {
  const home = findPackageHome(path);
  return findSourceMaps(text, path).some(({ file, text: inner, base }) => {
    if (file === undefined) return readsTooMuch(inner ?? "", base);
    if (isSpecial(file) || !isInside(home, realPath(file))) return true;
    const size = readStats(file)?.size ?? 0;
    return size > MAX_MAP_BYTES || readsTooMuch(readText(file, "utf8"), base);
  });
}

/**
 * The files of a module's package that esbuild reads for the source map of the module, whether they
 * exist or not.
 */
export function listMapFiles(text: string, path: string): string[] {
  if (namesForeignMap(text, path)) return [];
  const home = findPackageHome(path);
  return findSourceMaps(text, path)
    .flatMap(({ file, text: inner = "", base }) =>
      file === undefined
        ? (listMissingSources(inner, base) ?? [])
        : [file, ...(listMissingSources(readText(file, "utf8"), base) ?? [])],
    )
    .filter((file) => isInside(home, realPath(file)));
}

function findPackageHome(path: string): string {
  const folders = foldersUpFrom(dirname(realPath(path)));
  return folders.find((folder) => existsSync(join(folder, "package.json"))) ?? folders[0] ?? path;
}

/** esbuild also reads each source that a map names without its text. */
function readsTooMuch(map: string, base: string): boolean {
  const sources = listMissingSources(map, base);
  if (sources === undefined || sources.some(isSpecial)) return true;
  const sizes = sources.map((path) => readStats(path)?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) > MAX_FILE_BYTES;
}

function isMadeUp(path: string): boolean {
  return /^\/(?:dev|proc|sys)\//.test(path) && !path.startsWith("/dev/shm/");
}

/**
 * What a path is, if it is neither a file on a disk nor a folder, or too large to have been written
 * by a person: esbuild would read all of it.
 */
function describeSpecial(path: string): string | undefined {
  // What the system makes up looks like a file.
  if (isMadeUp(path)) return existsSync(path) ? PIPE_OR_DEVICE : undefined;
  return describeStats(readStats(path));
}

function describeStats(stats: Stats | undefined): string | undefined {
  if (stats === undefined || stats.isDirectory()) return undefined;
  if (!stats.isFile()) return PIPE_OR_DEVICE;
  return stats.size > MAX_FILE_BYTES ? TOO_LARGE : undefined;
}

/** No project has as many. */
const MAX_READS = 1000;
const TOO_MANY_READS = `the start of more than ${MAX_READS} configurations that extend others`;

/** @param reads how many each configuration causes that was looked at before */
function describeConfiguration(path: string, reads: Map<string, number>): string | undefined {
  if (isMadeUp(path)) return describeSpecial(path);
  const stats = readStats(path);
  const special = describeStats(stats);
  if (special !== undefined) return special;
  // A configuration that extends a manifest counts what that extends.
  const isManifest = basename(path) === "package.json";
  if (stats?.isFile() === true && !isManifest && countReads(path, MAX_READS, reads) > MAX_READS)
    return TOO_MANY_READS;
  if (stats?.isFile() !== true || stats.size <= MAX_UNSEARCHED_BYTES) return undefined;
  if (stats.size > MAX_CONFIGURATION_BYTES) return "larger than 1 MiB";
  return countLevels(readText(path, "latin1")) > MAX_LEVELS
    ? `nested in more than ${MAX_LEVELS} levels`
    : undefined;
}

/** Describes each configuration once. */
function createDescriber(): (path: string) => string | undefined {
  const reads = new Map<string, number>();
  return memoize((path) => describeConfiguration(path, reads));
}

/** Whether there are enough brackets for too many levels. This is faster than to count levels. */
function hasManyBrackets(text: string): boolean {
  if (text.length <= MAX_SOURCE_LEVELS) return false;
  return text.split(/[([{]/, MAX_SOURCE_LEVELS + 2).length > MAX_SOURCE_LEVELS + 1;
}

/**
 * How many brackets are in one another, at most. Regular expressions are read as other code, which
 * adds a few.
 */
function countLevels(text: string): number {
  let [level, most] = [0, 0];
  let at = 0;
  while (at < text.length) {
    const kind = KINDS[text.charCodeAt(at)];
    if (kind === START) {
      at = endOfPart(text, at);
      continue;
    }
    if (kind === OPEN) most = Math.max(most, ++level);
    else if (kind === CLOSE) level = Math.max(0, level - 1);
    at += 1;
  }
  return most;
}

const [OPEN, CLOSE, START] = [1, 2, 3];
/** What each byte does to the level. A comment or a string can start at `START`. */
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if ("([{".includes(character)) return OPEN;
  if (")]}".includes(character)) return CLOSE;
  return "/\"'`".includes(character) ? START : 0;
});

/** Where a comment, a string or a single character ends, as compilers read them. */
function endOfPart(text: string, start: number): number {
  const findEnd = (end: string): number => {
    const at = text.indexOf(end, start + 2);
    return at === -1 ? text.length : at + end.length;
  };
  if (text.startsWith("//", start)) return findEnd("\n");
  if (text.startsWith("/*", start)) return findEnd("*/");
  const quote = text[start] as string;
  if (!"\"'`".includes(quote)) return start + 1;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote || (text[at] === "\n" && quote !== "`")) return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}

const isSpecial = (path: string): boolean => describeSpecial(path) !== undefined;

function readText(path: string, encoding: "latin1" | "utf8"): string {
  try {
    return readFileSync(path, encoding);
  } catch {
    // esbuild reports it.
    return "";
  }
}

/**
 * Finds the configurations that esbuild or a type checker would read and that are not files on a
 * disk: in the folder of a Pack, in
 * those above and below it, and what they extend.
 * @param entry absolute path
 */
export function specialConfigurations(entry: string): BuildProblem[] {
  const folder = dirname(entry);
  const { links, configured } = lookBelow(folder);
  const below = links.filter((path) => CONFIGURATIONS.includes(basename(path)));
  const paths = [...configurationsIn([...foldersUpFrom(folder), ...configured]), ...below];
  const reads = new Map<string, number>();
  return [...new Set(paths)].flatMap((path): BuildProblem[] => {
    // Not those that another one extends, too.
    const isStart = !reads.has(path);
    const special = describeConfiguration(path, reads);
    if (special === undefined || (special === TOO_MANY_READS && !isStart)) return [];
    return [
      {
        message: `${relative(folder, path)} is ${special}${orLink(special)}. packsmith does not read this path.`,
        code: "FILE_OUTSIDE_PROJECT",
        hint: "Replace the path with a regular file, or remove it. If another file extends this one, change the file that extends it.",
        file: undefined,
        line: undefined,
        column: undefined,
      },
    ];
  });
}

const orLink = (special: string): string =>
  special === PIPE_OR_DEVICE ? ", or a link to one" : "";

/**
 * Whether a type checker could come across anything that is not a file on a disk. Unlike esbuild it
 * cannot be told what not to read. Folders above several entries are looked at once.
 * @returns takes the absolute path of an entry
 */
export function createSpecialFilesCheck(): (entry: string) => boolean {
  const describeOnce = createDescriber();
  const findSpecialOnce = createSpecialFinder(describeOnce);
  return (entry) => {
    const folder = dirname(entry);
    const { links, configured } = lookBelow(folder);
    return (
      [entry, ...links].some(isSpecial) ||
      findSpecialOnce(folder) !== undefined ||
      configurationsIn(configured).some((path) => describeOnce(path) !== undefined)
    );
  };
}

/** A project with more folders than this is not searched completely. */
const MAX_FOLDERS = 200;

interface Below {
  /** What is neither a plain file nor a folder. */
  links: string[];
  /** Folders with a configuration of TypeScript, which may extend anything. */
  configured: string[];
}

/** Packages are left out: package managers install neither pipes nor links to devices. */
function lookBelow(folder: string): Below {
  const links: string[] = [];
  const configured = new Set<string>();
  const folders = [folder];
  for (const at of folders) {
    for (const entry of readEntries(at)) {
      if (entry.isDirectory()) {
        if (
          folders.length < MAX_FOLDERS &&
          entry.name !== "node_modules" &&
          !entry.name.startsWith(".")
        )
          folders.push(join(at, entry.name));
      } else if (!entry.isFile()) links.push(join(at, entry.name));
      else if (/^[jt]sconfig\.json$/.test(entry.name)) configured.add(at);
    }
  }
  return { links, configured: [...configured] };
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
