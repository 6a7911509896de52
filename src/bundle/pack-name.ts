import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { commonFolder } from "../shared/folders.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { PACK_OPTIONS_FILE } from "./pack-options.ts";

const GENERIC_STEMS = new Set(["pack", "index", "manifest"]);

/** Folders for sources. The folder above them has the name of the project. */
const SOURCE_FOLDERS = new Set(["src", "source", "sources", "lib", "code"]);

/**
 * The name of a Pack's output folder: the name of its entry file without the extension. For a
 * generic name (`pack`, `index`, `manifest`) it is the `name` in the package.json or
 * `.coda-pack.json` next to it, without the scope, or else the name of the folder. A folder for
 * sources, such as `src`, does not count: the one above it does.
 * @param entry path of the entry file
 * @returns a name of letters and digits of any script, and `. _ -`
 */
export function getPackName(entry: string): string {
  return findName(entry).name;
}

/**
 * The names of Packs that are built together. Where files or folders give several Packs one name,
 * each gets as many folders above it in front as make it unique: `sales-tasks`. Names that a
 * package.json gives stay as they are.
 * @param entries absolute paths
 * @returns a name for each entry; those that nothing distinguishes have the same one
 */
export function packNames(entries: readonly string[]): Map<string, string> {
  const found = [...new Set(entries)].map((entry) => ({ entry, ...findName(entry) }));
  const names = new Map(found.map(({ entry, name }) => [entry, name]));
  for (const name of new Set(names.values())) {
    const group = found.filter((each) => each.name === name);
    if (group.length === 1) continue;
    for (const [entry, unique] of tellApart(group, names)) names.set(entry, unique);
  }
  return names;
}

interface PackName {
  name: string;
  /** The folder that the name is in. */
  parent: string;
  /** A file says it. */
  isGiven: boolean;
}

function findName(entry: string): PackName {
  const path = resolve(entry);
  const stem = basename(path, extname(path));
  if (!GENERIC_STEMS.has(stem))
    return { name: sanitize(stem), parent: dirname(path), isGiven: false };
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const parent = dirname(folder);
    const given =
      readName(join(folder, "package.json")) ?? readName(join(folder, PACK_OPTIONS_FILE));
    if (given !== undefined) return { name: sanitize(given), parent, isGiven: true };
    if (!SOURCE_FOLDERS.has(basename(folder)) || dirname(parent) === parent)
      return { name: sanitize(basename(folder)), parent, isGiven: false };
  }
}

function readName(path: string): string | undefined {
  const name = readJsonWithComments(path)?.["name"];
  return typeof name === "string" && name !== "" ? name.replace(/^@[^/]*\//, "") : undefined;
}

/** @returns the new names; none if the folders do not distinguish the Packs */
function tellApart(
  group: readonly (PackName & { entry: string })[],
  taken: ReadonlyMap<string, string>,
): [entry: string, name: string][] {
  // What is above all of them does not count: a clone in another folder gives the same names.
  const root = commonFolder(group.map(({ parent }) => parent)) ?? "";
  const members = group
    .filter(({ isGiven }) => !isGiven)
    .map(({ entry, name, parent }) => {
      const folders = relative(root, parent).split(sep);
      return { entry, name, folders: folders.filter((each) => !SOURCE_FOLDERS.has(each)) };
    });
  const others = group.filter(({ isGiven }) => isGiven).map(({ name }) => name);
  const entries = new Set(group.map(({ entry }) => entry));
  const outside = [...taken].flatMap(([entry, name]) => (entries.has(entry) ? [] : [name]));
  const deepest = Math.max(0, ...members.map(({ folders }) => folders.length));
  for (let depth = 1; depth <= deepest; depth += 1) {
    const names = members.map(({ entry, name, folders }): [string, string] => [
      entry,
      sanitize([...folders.slice(-depth), name].filter((part) => part !== "").join("-")),
    ]);
    const all = [...names.map(([, name]) => name), ...others];
    if (new Set(all).size === all.length && !names.some(([, name]) => outside.includes(name)))
      return names;
  }
  return [];
}

function sanitize(name: string): string {
  const clean = name
    // Some systems write "ü" as two characters.
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    // A name of only dots would be a folder above.
    .replace(/^[.-]+|-+$/g, "");
  return clean === "" ? "pack" : clean;
}
