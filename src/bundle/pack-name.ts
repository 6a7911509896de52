import { basename, dirname, extname, join, resolve } from "node:path";
import { readJsonWithComments } from "../shared/json.ts";
import { PACK_OPTIONS_FILE } from "./pack-options.ts";

const GENERIC_STEMS = new Set(["pack", "index", "manifest"]);

/** Folders for sources. The folder above them has the name of the project. */
export const SOURCE_FOLDERS = new Set(["src", "source", "sources", "lib", "code"]);

/**
 * The name of a Pack's output folder: the name of its entry file without the extension. For a
 * generic name (`pack`, `index`, `manifest`) it is the `name` in the package.json or
 * `.coda-pack.json` next to it, without the scope, or else the name of the folder. A folder for
 * sources, such as `src`, does not count: the one above it does.
 * @param entry path of the entry file
 * @returns a name of letters and digits of any script, and `. _ -`
 */
export function getPackName(entry: string): string {
  return findPackName(entry).name;
}

export interface PackName {
  name: string;
  /** What a package.json has in front of the name: `acme` for `@acme/tasks`. */
  scope?: string | undefined;
  /** The folder that contains the package, folder or file with this name. */
  parent: string;
  /** The package.json or `.coda-pack.json` that gives the name. */
  givenBy?: string | undefined;
  /** The folder that gives the name. If neither this nor a file does, it is that of the entry. */
  folder?: string | undefined;
}

/** Like `getPackName`, and where the name is from. */
export function findPackName(entry: string): PackName {
  const path = resolve(entry);
  const stem = basename(path, extname(path));
  if (!GENERIC_STEMS.has(stem)) return { name: cleanName(stem), parent: dirname(path) };
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const parent = dirname(folder);
    const given =
      readName(join(folder, "package.json")) ?? readName(join(folder, PACK_OPTIONS_FILE));
    if (given !== undefined) return { ...given, parent };
    if (!SOURCE_FOLDERS.has(basename(folder)) || dirname(parent) === parent)
      return { name: cleanName(basename(folder)), parent, folder };
  }
}

function readName(path: string): Pick<PackName, "name" | "scope" | "givenBy"> | undefined {
  const text = readJsonWithComments(path)?.["name"];
  if (typeof text !== "string" || text === "") return undefined;
  const [, scope, name = ""] = /^(?:@([^/]*)\/)?(.*)$/s.exec(text) ?? [];
  return { name: cleanName(name), scope, givenBy: path };
}

/** A name without what the name of a folder cannot contain on every system. */
export function cleanName(name: string): string {
  const clean = name
    // Some systems write "ü" as two characters.
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    // A name of only dots would be a folder above.
    .replace(/^[.-]+|-+$/g, "");
  return clean === "" ? "pack" : clean;
}
