import { type Dirent, readdirSync } from "node:fs";
import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { PackError } from "../errors.ts";
import { isFile, readStats } from "../shared/files.ts";

/**
 * Names and patterns of files: the files that they match now, and the folders to watch for later
 * matches.
 */
export interface FilePatterns {
  /**
   * Lists the names as they were given, and the files that the patterns match: in the order of
   * names and patterns, the files of a pattern sorted, each file once.
   * @throws {PackError} USAGE_INVALID, the first time, when a pattern matches nothing
   */
  find(): string[];
  /** Whether a file was given by name: it stays in the list even when it does not exist. */
  isNamed(file: string): boolean;
  /** The folders in which new names may match a pattern, as of the last call of `find`. */
  folders(): string[];
  /** Whether a change of this absolute path may change the matches. */
  isAbout(path: string): boolean;
}

const MAGIC = /[*?{]/;

/**
 * In a pattern, `*` matches any part of a name and `?` one character, `**` matches any folders, and
 * `{a,b}` matches a or b. A text without these, or one that is the name of an existing file, is not
 * a pattern. Folders named node_modules, and names that begin with a dot, are left out.
 */
export function createFilePatterns(texts: readonly string[], cwd: string): FilePatterns {
  const parts = texts.map((text) =>
    MAGIC.test(text) && readStats(resolve(cwd, text)) === undefined
      ? createPattern(text, cwd)
      : text,
  );
  const patterns = parts.filter((part) => typeof part !== "string");
  const named = new Set(parts.filter((part) => typeof part === "string"));
  let isFirst = true;
  return {
    find() {
      const found = parts.map((part) => (typeof part === "string" ? [part] : part.find()));
      const missing = isFirst ? found.findIndex((files) => files.length === 0) : -1;
      isFirst = false;
      if (missing < 0) return withoutRepeated(found.flat(), cwd);
      throw new PackError("USAGE_INVALID", `No file matches ${texts[missing]}.`, {
        details: undefined,
        hint: "Check the pattern. Write quotes around the pattern, so that your shell does not expand it.",
      });
    },
    isNamed: (file) => named.has(file),
    folders: () => [...new Set(patterns.flatMap((pattern) => pattern.folders()))],
    isAbout: (path) => patterns.some((pattern) => pattern.isAbout(path)),
  };
}

/** `pack.ts` and `./pack.ts` are one file. */
function withoutRepeated(files: readonly string[], cwd: string): string[] {
  const byPath = new Map<string, string>();
  for (const file of files)
    if (!byPath.has(resolve(cwd, file))) byPath.set(resolve(cwd, file), file);
  return [...byPath.values()];
}

type Pattern = Pick<FilePatterns, "find" | "folders" | "isAbout">;

function createPattern(text: string, cwd: string): Pattern {
  const parts = text.replaceAll("\\", "/").split("/");
  const fixed = parts.findIndex((part) => MAGIC.test(part));
  const prefix = parts.slice(0, fixed).join("/");
  const isRooted = prefix === "" && text.startsWith("/");
  const base = resolve(cwd, isRooted ? "/" : prefix);
  const matches = createMatcher([parts.slice(fixed).join("/")]);
  const mayHold = createMatcher(listFolderPatterns(parts.slice(fixed)));
  let files = new Set<string>();
  let folders = new Set<string>();

  const search = (): string[] => {
    const found: string[] = [];
    const waiting = [""];
    // A loop, because folders of others may be in one another more often than a stack has room for.
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      folders.add(join(base, path));
      for (const entry of readEntries(join(base, path))) {
        const inner = posix.join(path, entry.name);
        // A tree of links to files is how build systems lay out sources. Folders may link in
        // circles.
        const isLinked = entry.isSymbolicLink() && matches(inner) && isFile(join(base, inner));
        if (entry.isFile() ? matches(inner) : isLinked) found.push(inner);
        else if (entry.isDirectory() && mayHold(inner)) waiting.push(inner);
      }
    }
    return found;
  };

  return {
    find() {
      folders = new Set(foldersBetween(cwd, base));
      const found = search().sort();
      files = new Set(found.map((path) => join(base, path)));
      return found.map((path) => (isRooted ? `/${path}` : posix.join(prefix, path)));
    },
    folders: () => [...folders],
    isAbout(path) {
      const stats = readStats(path);
      if (files.has(path)) return stats?.isFile() !== true;
      if (folders.has(path)) return true;
      const below = relative(base, path).split(sep).join("/");
      return stats?.isDirectory() ? mayHold(below) : stats?.isFile() === true && matches(below);
    },
  };
}

/**
 * The folders from `top` down to `folder`, which may all be removed and created again; none when
 * `folder` is not below `top`.
 */
function foldersBetween(top: string, folder: string): string[] {
  const way = relative(top, folder);
  if (way === "" || way.startsWith("..") || isAbsolute(way)) return [];
  const names = way.split(sep);
  return names.map((_, index) => join(top, ...names.slice(0, index)));
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Patterns of the folders that may contain a match, at any depth. */
function listFolderPatterns(parts: readonly string[]): string[] {
  // With a slash inside braces, the single parts are not patterns.
  const open = parts.findIndex((part) => part.includes("**") || /\{[^}]*$/.test(part));
  const folders = parts.slice(0, open).map((_, index) => parts.slice(0, index + 1).join("/"));
  return open === -1 ? folders : [...folders, [...parts.slice(0, open), "**"].join("/")];
}

function createMatcher(patterns: readonly string[]): (path: string) => boolean {
  // Only what the documentation of `createFilePatterns` names has a meaning.
  const escaped = patterns.map((pattern) => pattern.replace(/[()[\]!+@]/g, "\\$&"));
  return picomatch(escaped, { ignore: "**/node_modules/**", windows: false });
}
