import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularFile } from "../shared/files.ts";
import { type ProjectBoundary, realPath } from "../shared/project-boundary.ts";
import { findOwnEntry } from "./own-modules.ts";

/**
 * Modules of packsmith that a bundle has only when the Pack may need them, by the words that every
 * use of them contains. Methods of
 * the builder call them, and a bundler cannot leave out a method that is not called.
 * `.ci/bundle-authoring.mjs` prepares them.
 */
const WORDS = {
  "compile-table": /synctable/i,
  "compile-authentication": /authentication/i,
  "normalize-schema": /synctable|schema|items|array/i,
} as const satisfies Readonly<Record<string, RegExp>>;

export type LinkedPart = keyof typeof WORDS;

export const ALL_PARTS = Object.keys(WORDS) as readonly LinkedPart[];

/**
 * Code that may use a method or an import without its name in the text: a computed member (also
 * after a comment), a computed import,
 * reflection, and names that contain escapes. Indexes that are literals, and lists after a keyword,
 * are none of these.
 */
const COMPUTED = new RegExp(
  [
    /(?<!\b(?:as|await|case|const|default|else|extends|in|let|new|of|return|typeof|var|yield))(?<=[\w$)\]!.]|\*\/)\s*\[(?!\s*(?:"[^"\\]*"|'[^'\\]*'|\d*)\s*\])/,
    /[{,]\s*\[[^\]]*\]\s*:/,
    /\b(?:import|require)\s*\((?!\s*(?:"[^"\n]*"|'[^'\n]*')\s*[,)])/,
    /\bReflect\b|\bprototype\b|\bgetPrototypeOf\b|\bgetOwnProperty|__proto__|\bconstructor\b|\\u/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** The text after which a specifier follows, however the file imports. */
const SPECIFIER = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"'\n]+)["']/g;

const ENDINGS = ["", ".tsx", ".ts", ".mts", ".cts", ".jsx", ".js", ".mjs", ".cjs", ".json"];

/**
 * A Pack of more files, or with a longer one, is so large that the parts do not matter, and reading
 * its files twice would.
 */
const MAX_FILES = 30;
const MAX_CHARACTERS = 200_000;

/**
 * Finds the parts that a Pack may need, from the text of its own files. When in doubt these are
 * all: for a Pack that imports other
 * packages, computes the names of members, or has many files.
 * @param entry absolute path
 * @param text the content of the entry
 * @param boundary no file outside of it is read
 * @returns in the order of `ALL_PARTS`
 */
export function linkedParts(
  entry: string,
  text: string,
  boundary: ProjectBoundary,
): readonly LinkedPart[] {
  const found = new Set<LinkedPart>();
  const files = new Map([[entry, text]]);
  for (const [file, content] of files) {
    if (content.length > MAX_CHARACTERS || COMPUTED.test(content)) return ALL_PARTS;
    for (const part of ALL_PARTS) if (WORDS[part].test(content)) found.add(part);
    if (found.size === ALL_PARTS.length) return ALL_PARTS;
    for (const [, specifier = ""] of content.matchAll(SPECIFIER)) {
      if (findOwnEntry(specifier) !== undefined) continue;
      const imported = isRelative(specifier)
        ? filesAt(resolve(dirname(file), specifier), boundary)
        : [];
      if (imported.length === 0) return ALL_PARTS;
      for (const [path, importedText] of imported)
        if (!files.has(path)) files.set(path, importedText);
    }
    if (files.size > MAX_FILES) return ALL_PARTS;
  }
  return ALL_PARTS.filter((part) => found.has(part));
}

/** Whether the parts of a Pack depend on other files than its entry. */
export function importsOwnFiles(text: string): boolean {
  return [...text.matchAll(SPECIFIER)].some(([, specifier = ""]) => isRelative(specifier));
}

const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier);

/**
 * The paths and texts of every file that a relative import could mean; which of them it does mean
 * is not decided here.
 */
function filesAt(path: string, boundary: ProjectBoundary): [path: string, text: string][] {
  const names = namesIn(dirname(path));
  const mayBeFolder = names.has(basename(path));
  // The package.json of a folder may name any file.
  if (mayBeFolder && existsSync(join(path, "package.json"))) return [];
  const stems = [path, path.replace(/\.([cm]?)jsx?$/, ".$1ts"), path.replace(/\.jsx?$/, ".tsx")];
  const beside = stems
    .flatMap((stem) => ENDINGS.map((ending) => stem + ending))
    .filter((each) => names.has(basename(each)));
  const inside = mayBeFolder ? ENDINGS.map((ending) => join(path, `index${ending}`)) : [];
  const candidates = new Set([...beside, ...inside.filter((each) => existsSync(each))]);
  return [...candidates].flatMap((candidate): [string, string][] => {
    if (!boundary.includes(realPath(candidate))) return [];
    try {
      return [[candidate, readRegularFile(candidate).toString()]];
    } catch {
      // A folder, or a file that cannot be read, which esbuild reports.
      return [];
    }
  });
}

/** To list a folder is faster than to look for each file that could be in it. */
function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
