import { type Dirent, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { isFile } from "../shared/files.ts";
import { isInside, projectBoundary, projectRoot, realPath } from "../shared/project-boundary.ts";
import { type FileLists, readCompilerOptions, readFileLists } from "../shared/typescript.ts";

const DECLARATION = /\.d\.[cm]?ts$/;
/** A pattern with `**` never finds anything in these. */
const OF_PACKAGES = ["node_modules", "bower_components", "jspm_packages"];
/** A project with more folders than this is not searched completely. */
const MAX_FOLDERS = 5000;

/**
 * The declaration files that a tsconfig.json covers with `files`, `include` and `exclude`: what they
 * declare for all files is true for Packs, too, which do not import them. The other files that it
 * covers are not the Packs' business. Links to folders are not followed.
 * @see https://www.typescriptlang.org/tsconfig/#include
 */
export function listDeclarations(config: string): string[] {
  const { files = [], include, exclude } = withDefaults(readFileLists(config), config);
  const root = realPath(projectRoot(dirname(config)));
  const patterns = include.map(toPattern).filter(({ base }) => isInside(root, realPath(base)));
  const isExcluded = createMatcher(
    exclude.flatMap((path) => [path, join(path, "**")]),
    true,
  );
  const isIncluded = createMatcher(patterns.map(({ pattern }) => pattern));
  const bases = [...new Set(patterns.map(({ base }) => base))];
  const starts = bases.filter(
    (base) => !bases.some((other) => other !== base && isInside(other, base)),
  );
  const found = walk(starts, isExcluded).filter(
    // Beside its source, a declaration file is an output.
    ({ path, sources }) => isIncluded(path) && !sources.some(isIncluded),
  );
  return [
    ...new Set([
      ...files.filter((path) => DECLARATION.test(path)),
      ...found.map(({ path }) => path).sort(),
    ]),
  ].filter((path) => isFile(path) && projectBoundary(path).includes(realPath(path)));
}

type KnownLists = FileLists & Required<Pick<FileLists, "include" | "exclude">>;

function withDefaults(lists: FileLists, config: string): KnownLists {
  const home = dirname(config);
  const { outDir, declarationDir } = readCompilerOptions(config);
  const outputs = [outDir, declarationDir].filter((path) => typeof path === "string");
  return {
    include: lists.files === undefined ? [join(home, "**/*")] : [],
    exclude: outputs.map((path) => resolve(home, path)),
    ...lists,
  };
}

/** The folder in which to search, and the pattern: that of a folder covers everything in it. */
function toPattern(path: string): { base: string; pattern: string } {
  const pattern = /[.*?]/.test(basename(path)) ? path : join(path, "**/*");
  const parts = pattern.split(sep);
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const base = fixed === -1 ? dirname(pattern) : parts.slice(0, fixed).join(sep);
  return { base: base === "" ? sep : base, pattern };
}

interface Declaration {
  path: string;
  /** The files beside it that it may have been made of. */
  sources: string[];
}

function walk(starts: readonly string[], isExcluded: (path: string) => boolean): Declaration[] {
  const found: Declaration[] = [];
  const folders = [...starts];
  for (const folder of folders) {
    const entries = readEntries(folder);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isSearched = !OF_PACKAGES.includes(entry.name) && !entry.name.startsWith(".");
        if (isSearched && folders.length < MAX_FOLDERS && !isExcluded(path)) folders.push(path);
      } else if (DECLARATION.test(path) && !isExcluded(path)) {
        const source = entry.name.replace(/\.d(\.[cm]?ts)$/, "$1");
        const sources = [source, `${source}x`].filter((name) => names.has(name));
        found.push({ path, sources: sources.map((name) => join(folder, name)) });
      }
    }
  }
  return found;
}

function readEntries(folder: string): Dirent[] {
  try {
    return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

/** Only `*`, `**` and `?` have a meaning. Names that begin with a dot match no wildcard. */
function createMatcher(patterns: readonly string[], dot = false): (path: string) => boolean {
  const toPosix = (path: string): string => path.split(sep).join("/");
  const escaped = patterns.map((each) => toPosix(each).replace(/[()[\]{}!+@$|]/g, "\\$&"));
  const matches = picomatch(escaped, { dot, windows: false });
  return (path) => matches(toPosix(path));
}
