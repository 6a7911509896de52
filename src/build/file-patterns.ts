import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { PackError } from "../errors.ts";

/** Names and patterns of files: what they find now, and where to look for what they would find later. */
export interface FilePatterns {
  /**
   * Names as they were given and the files that patterns match, in the order of both, each once; those of a pattern sorted.
   * @throws {PackError} USAGE_INVALID, the first time, when a pattern matches nothing
   */
  find(): string[];
  /** Whether a file was named, and stays whether it is there or not. */
  isNamed(file: string): boolean;
  /** The folders in which something may appear that changes what patterns match, as they were when they were last looked for. */
  folders(): string[];
  /** Whether what happened at this absolute path may change what patterns match. */
  isAbout(path: string): boolean;
}

const MAGIC = /[*?{[]/;
const ANY_DEPTH = "**";

/**
 * `*` and `?` stand for something within a name, `**` for any folders, `{a,b}` for either. A text without them, or one that a
 * file has as its name, stays as it is. Folders named node_modules, and those whose name begins with a dot, are left out.
 * @throws {PackError} USAGE_INVALID for braces that do not match
 */
export function createFilePatterns(texts: readonly string[], cwd: string): FilePatterns {
  const parts = texts.map((text) => (MAGIC.test(text) && statsOf(resolve(cwd, text)) === undefined ? createPattern(text, cwd) : text));
  const patterns = parts.filter((part) => typeof part !== "string");
  const named = new Set(parts.filter((part) => typeof part === "string"));
  let isFirst = true;
  return {
    find() {
      const found = parts.map((part) => (typeof part === "string" ? [part] : part.find()));
      const missing = isFirst ? found.findIndex((files) => files.length === 0) : -1;
      isFirst = false;
      if (missing < 0) return [...new Set(found.flat())];
      throw new PackError("USAGE_INVALID", `No file matches ${texts[missing]}.`, {
        details: undefined,
        hint: "Check the pattern, and quote it so that your shell does not expand it.",
      });
    },
    isNamed: (file) => named.has(file),
    folders: () => [...new Set(patterns.flatMap((pattern) => pattern.folders()))],
    isAbout: (path) => patterns.some((pattern) => pattern.isAbout(path)),
  };
}

type Pattern = Pick<FilePatterns, "find" | "folders" | "isAbout">;

function createPattern(text: string, cwd: string): Pattern {
  const parts = text.replaceAll("\\", "/").split("/");
  const fixed = parts.findIndex((part) => MAGIC.test(part));
  const prefix = parts.slice(0, fixed).join("/");
  const isRooted = prefix === "" && text.startsWith("/");
  const base = resolve(cwd, isRooted ? "/" : prefix);
  const matches = matcherOf(parts.slice(fixed).join("/"), text);
  const mayHold = folderMatcherOf(parts.slice(fixed));
  let files = new Set<string>();
  let folders = new Set<string>();

  const search = (path: string): string[] => {
    folders.add(join(base, path));
    return entriesOf(join(base, path)).flatMap((entry) => {
      const inner = posix.join(path, entry.name);
      if (entry.isFile()) return matches(inner) ? [inner] : [];
      return entry.isDirectory() && mayHold(inner) ? search(inner) : [];
    });
  };

  return {
    find() {
      folders = new Set(foldersBetween(cwd, base));
      const found = search("").sort();
      files = new Set(found.map((path) => join(base, path)));
      return found.map((path) => (isRooted ? `/${path}` : posix.join(prefix, path)));
    },
    folders: () => [...folders],
    isAbout(path) {
      const stats = statsOf(path);
      if (files.has(path)) return stats?.isFile() !== true;
      if (folders.has(path)) return true;
      const below = relative(base, path).split(sep).join("/");
      return stats?.isDirectory() ? mayHold(below) : stats?.isFile() === true && matches(below);
    },
  };
}

/** The folders from one to another below it, which may all go and come again; none when the other is elsewhere. */
function foldersBetween(top: string, folder: string): string[] {
  const way = relative(top, folder);
  if (way === "" || way.startsWith("..") || isAbsolute(way)) return [];
  const names = way.split(sep);
  return names.map((_, index) => join(top, ...names.slice(0, index)));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** @returns whether a folder of this path, relative to the first pattern's, may hold a match at any depth */
function folderMatcherOf(patterns: readonly string[]): (path: string) => boolean {
  // Braces around a slash make parts of which none is a pattern.
  const isPlain = patterns.every((pattern) => pattern.split("{").length === pattern.split("}").length);
  const matchers = patterns.map((pattern) => (isPlain && !pattern.includes(ANY_DEPTH) ? matcherOf(pattern, pattern) : undefined));
  return (path) => {
    const names = path.split("/");
    if (names.some((name) => name === "node_modules" || name.startsWith("."))) return false;
    for (const [index, name] of names.entries()) {
      if (index >= matchers.length - 1 && !patterns[index]?.includes(ANY_DEPTH) && isPlain) return false;
      const matches = matchers[index];
      if (matches === undefined) return true;
      if (!matches(name)) return false;
    }
    return true;
  };
}

function matcherOf(pattern: string, text: string): (path: string) => boolean {
  let depth = 0;
  const source = pattern.replace(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/g, (part) => {
    switch (part) {
      case "**/":
        return "(?:[^/]+/)*";
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      case "{":
        depth++;
        return "(?:";
      case "}":
        depth--;
        return ")";
      case ",":
        return depth > 0 ? "|" : ",";
      default:
        return part.replace(/[.+^$()|[\]\\]/g, "\\$&");
    }
  });
  if (depth === 0) {
    const regExp = new RegExp(`^${source}$`);
    return (path) => regExp.test(path);
  }
  throw new PackError("USAGE_INVALID", `The braces of ${text} do not match.`, {
    details: undefined,
    hint: "Write {a,b} for either of two names.",
  });
}
