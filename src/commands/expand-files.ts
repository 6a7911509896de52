import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { PackError } from "../errors.ts";

const MAGIC = /[*?{[]/;

/**
 * Turns patterns into files: `*` and `?` within a name, `**` for any folders, `{a,b}` for either. A text without them stays as
 * it is. Folders named node_modules, and those whose name begins with a dot, are left out.
 * @returns the files in the order of the patterns, each once; those of a pattern sorted
 * @throws {PackError} USAGE_INVALID when a pattern matches nothing
 */
export async function expandFiles(patterns: readonly string[], cwd: string): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    if (!MAGIC.test(pattern)) {
      files.add(pattern);
      continue;
    }
    const found = await filesLike(pattern, cwd);
    if (found.length === 0) {
      throw new PackError("USAGE_INVALID", `No file matches ${pattern}.`, {
        details: undefined,
        hint: "Check the pattern, and quote it where the shell would expand it.",
      });
    }
    for (const file of found) files.add(file);
  }
  return [...files];
}

async function filesLike(pattern: string, cwd: string): Promise<string[]> {
  const parts = pattern.replaceAll("\\", "/").split("/");
  const fixed = parts.findIndex((part) => MAGIC.test(part));
  const base = parts.slice(0, fixed).join("/");
  const matcher = matcherOf(parts.slice(fixed).join("/"));
  const root = base === "" && pattern.startsWith("/") ? "/" : join(cwd, base === "" ? "." : base);
  const all = await filesBelow(base.startsWith("/") || pattern.startsWith("/") ? base || "/" : root, "");
  return all
    .filter((path) => matcher.test(path))
    .map((path) => (base === "" ? path : posix.join(base, path)))
    .sort();
}

async function filesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = posix.join(prefix, entry.name);
      if (entry.isFile()) return [path];
      return entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".") ? await filesBelow(folder, path) : [];
    }),
  );
  return found.flat();
}

function matcherOf(pattern: string): RegExp {
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
  if (depth === 0) return new RegExp(`^${source}$`);
  throw new PackError("USAGE_INVALID", `The braces of ${pattern} do not match.`, {
    details: undefined,
    hint: "Write {a,b} for either of two names.",
  });
}
