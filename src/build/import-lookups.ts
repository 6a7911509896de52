import { basename, dirname, extname, join, resolve, sep } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { isInjected, isOfEsbuild } from "../bundle/import-graph.ts";
import { isInOwnFolder } from "../bundle/own-modules.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { isInPackage, readPackageName } from "../shared/installed-packages.ts";
import { isInside } from "../shared/project-boundary.ts";
import { type Mapping, mappedTo } from "../shared/typescript.ts";
import { memoize, toMembers } from "../shared/values.ts";
import type { Disk } from "./disk.ts";

/** What the resolution of imports asked about a path. */
export type Question =
  /** Whether it is a file. */
  | "file?"
  /** Whether something is there. */
  | "there?"
  /** Where it is behind links. */
  | "real"
  /** What its package.json says about imports. */
  | "manifest"
  /** What a tsconfig.json says about the output. */
  | "config"
  /** What the `paths` above a folder make of an import. The path is that of `mappedPath`. */
  | "mapped"
  /** Which files are in it. */
  | "names"
  /**
   * Which of them match a pattern, for `require("./" + name + ".json")`. The path is the folder, a
   * line break, and the pattern.
   */
  | "matching"
  /** Which parts of packsmith the texts of a Pack may need. */
  | "parts"
  /** The entry in the lock file of the package in a folder. */
  | "lock"
  /** Where a package is, of the folders above the root of the project. */
  | "above";

export interface Lookup {
  question: Question;
  /** An absolute path; the name of a package for `above`. */
  path: string;
}

const EXTENSIONS = [".tsx", ".ts", ".jsx", ".js", ".css", ".json"];
/** In packages, JavaScript comes first. */
const EXTENSIONS_OF_PACKAGES = [".jsx", ".js", ".tsx", ".ts", ".css", ".json"];
/** In TypeScript an import names the file that the compiler would write. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".ts", ".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};
/** The files that come before one of TypeScript, which an import names by what is written. */
const WRITTEN_FROM: Readonly<Record<string, readonly string[]>> = {
  ".ts": [".js", ".jsx"],
  ".tsx": [".js", ".jsx", ".ts"],
  ".mts": [".mjs"],
  ".cts": [".cjs"],
};
const MAIN_FIELDS = ["browser", "module", "main"];

/**
 * What the imports of a bundle could have meant: per import, the paths that come before the file
 * that was found, links on the way to it, and the manifests that decide. Each is a path where a
 * change changes the bundle, or may do so; other paths do not matter.
 * @param folder absolute path of the folder that the paths of the metafile are relative to
 * @param root the root of the project
 */
export function importLookups(
  metafile: NonNullable<Bundle["metafile"]>,
  folder: string,
  root: string,
  readers: LookupReaders,
): Lookup[] {
  const all = new Map<string, Lookup>();
  const add: Add = (question, path) => {
    all.set(`${question} ${path}`, { question, path });
  };
  // Each import of a folder asks for the same ones.
  const search: Search = { add, ...readers, findManifest: createManifestFinder(readers) };
  for (const [input, { imports }] of Object.entries(metafile.inputs)) {
    const importer = resolve(folder, input.replace(SUFFIX, ""));
    if (isOfEsbuild(input, folder) || isInOwnFolder(importer)) continue;
    add("real", importer);
    for (const { path, original, external } of imports) {
      if (external === true && path.includes("*")) {
        addPattern(path, importer, add);
        continue;
      }
      if (isInjected(path)) continue;
      const specifier = original ?? (external === true ? path : undefined);
      if (specifier === undefined) continue;
      const target = external === true ? undefined : resolve(folder, path.replace(SUFFIX, ""));
      if (target !== undefined && isInOwnFolder(target)) {
        // A module of Node, unless the project has a file for it.
        add("mapped", mappedPath(dirname(importer), specifier));
        continue;
      }
      const found = target === undefined ? undefined : readers.disk.realPath(target);
      const request = { specifier: specifier.replace(/[?#].*$/, "") || specifier, importer, found };
      if (/^\.{0,2}(?:\/|$)/.test(specifier))
        addFile(resolve(dirname(importer), request.specifier), found, search);
      else if (specifier.startsWith("#")) addNamed({ ...request, specifier }, root, search);
      else if (!/^[a-z]+:/.test(specifier)) addPackage(request, root, search);
      addReplaced(request, root, search);
    }
  }
  return [...all.values()];
}

type Add = (question: Question, path: string) => void;

export interface LookupReaders {
  disk: Disk;
  /** What the configurations above a folder make of imports. */
  getMapping(folder: string): Mapping;
}

interface Search extends LookupReaders {
  add: Add;
  findManifest: FindManifest;
}

/** Finds the nearest manifest of a folder that has a map, without those of packages around it. */
type FindManifest = (
  folder: string,
  member: "browser" | "imports",
) => { path: string; value: unknown } | undefined;

/** esbuild marks files that are empty, and adds attributes of imports, to the paths of inputs. */
const SUFFIX = /^\(disabled\):| with \{[^{}]*\}$/g;

interface Request {
  specifier: string;
  importer: string;
  /** Real path of what was found. */
  found: string | undefined;
}

/** The files of an import such as `require("./" + name + ".json")`. */
function addPattern(path: string, importer: string, add: Add): void {
  const [start = ""] = path.split("*");
  const end = path.slice(path.lastIndexOf("*") + 1);
  const pattern = resolve(dirname(importer), `${start}*`);
  add("matching", `${dirname(pattern)}\n${basename(pattern)}${end}`);
}

/** A name of the `imports` of the nearest manifest, such as `#lib/text`. */
function addNamed({ specifier, importer, found }: Request, root: string, search: Search): void {
  const manifest = search.findManifest(dirname(importer), "imports");
  if (manifest === undefined) return;
  for (const target of listTargets(manifest.value, specifier)) {
    if (!target.startsWith("."))
      addPackage({ specifier: target, importer: manifest.path, found }, root, search);
  }
  addWritten(found, search);
}

/** The texts that a map of exports or imports has for a name, under every condition. */
function listTargets(imports: unknown, specifier: string): string[] {
  const listTexts = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(listTexts)
        : [];
  return Object.entries(toMembers(imports)).flatMap(([name, value]) => {
    const [start = "", end] = name.split("*");
    if (end === undefined) return name === specifier ? listTexts(value) : [];
    if (!specifier.startsWith(start) || !specifier.endsWith(end)) return [];
    const middle = specifier.slice(start.length, specifier.length - end.length);
    return listTexts(value).map((target) => target.replaceAll("*", () => middle));
  });
}

function createManifestFinder({ disk }: LookupReaders): FindManifest {
  const readOnce = memoize(disk.readManifest);
  return (folder, member) => {
    for (const each of foldersUpFrom(folder)) {
      if (basename(each) === "node_modules") return undefined;
      const path = join(each, "package.json");
      const value = readOnce(path)[member];
      if (typeof value === "object" && value !== null) return { path, value };
    }
    return undefined;
  };
}

/**
 * What the `browser` of a manifest puts in place of files and packages, if what was found may be
 * that: the importer's manifest, and that of the file that was found.
 */
function addReplaced({ importer, found }: Request, root: string, search: Search): void {
  if (found === undefined) return;
  const manifests = [importer, found].flatMap(
    (file) => search.findManifest(dirname(file), "browser") ?? [],
  );
  for (const { path, value } of new Map(manifests.map((each) => [each.path, each])).values()) {
    for (const target of Object.values(toMembers(value))) {
      if (typeof target !== "string") continue;
      const place = resolve(dirname(path), target);
      const leadsToIt = (file: string): boolean =>
        search.disk.isFile(file) && search.disk.realPath(file) === found;
      if (withEndings(place).some(leadsToIt)) addFile(place, found, search);
      const name = readPackageName(target);
      if (!target.startsWith(".") && found.includes(`${sep}node_modules${sep}${join(name)}${sep}`))
        addPackage({ specifier: target, importer: path, found }, root, search);
    }
  }
}

/** The files before one of TypeScript that a manifest names exactly. */
function addWritten(found: string | undefined, { add }: Search): void {
  const end = extname(found ?? "");
  for (const each of WRITTEN_FROM[end] ?? []) add("file?", found?.slice(0, -end.length) + each);
}

/** A path with or without extension, or a folder. @returns whether it is what was found */
function addFile(path: string, found: string | undefined, search: Search): boolean {
  const end = Object.keys(WRITTEN_AS).find((each) => path.endsWith(each));
  const written = (end === undefined ? [] : (WRITTEN_AS[end] ?? [])).map(
    (each) => path.slice(0, -(end?.length ?? 0)) + each,
  );
  const files = [path, ...extensionsAt(path).map((each) => path + each), ...written];
  if (addUntilFound(files, found, search)) return true;
  const manifest = join(path, "package.json");
  search.add("manifest", manifest);
  const mains = listMainFiles(search.disk.readManifest(manifest)).map((main) => join(path, main));
  if (mains.some((main) => addUntilFound(withEndings(main), found, search))) return true;
  return addUntilFound(withEndings(path).slice(EXTENSIONS.length + 1), found, search);
}

function withEndings(path: string): string[] {
  const extensions = extensionsAt(path);
  const files = extensions.map((each) => path + each);
  return [path, ...files, ...extensions.map((each) => join(path, `index${each}`))];
}

function extensionsAt(path: string): readonly string[] {
  return isInPackage(path) ? EXTENSIONS_OF_PACKAGES : EXTENSIONS;
}

function listMainFiles(manifest: Readonly<Record<string, unknown>>): string[] {
  return MAIN_FIELDS.flatMap((name) => {
    const main = manifest[name];
    return typeof main === "string" ? [main] : [];
  });
}

function addUntilFound(
  files: readonly string[],
  found: string | undefined,
  { add, disk }: Search,
): boolean {
  for (const file of files) {
    add("file?", file);
    if (found === undefined || !disk.isFile(file) || disk.realPath(file) !== found) continue;
    add("real", file);
    return true;
  }
  return false;
}

function addPackage({ specifier, importer, found }: Request, root: string, search: Search): void {
  const { add, disk, getMapping } = search;
  const isOfProject = !isInPackage(importer);
  if (isOfProject) {
    add("mapped", mappedPath(dirname(importer), specifier));
    for (const path of mappedTo(specifier, getMapping(dirname(importer))))
      if (addFile(path, found, search)) return;
  }
  const name = readPackageName(specifier);
  for (const folder of foldersUpFrom(dirname(importer))) {
    if (basename(folder) === "node_modules") continue;
    const home = join(folder, "node_modules", name);
    const isThere = disk.exists(home);
    if (isAbove(root, folder)) {
      // Not a path for each folder: a clone may be at another depth.
      for (const each of [name, ...EXTENSIONS.map((end) => specifier + end)]) add("above", each);
    } else {
      add("there?", home);
      if (isThere) for (const question of ["real", "lock"] as const) add(question, home);
      else
        for (const end of EXTENSIONS) add("file?", join(folder, "node_modules", specifier) + end);
    }
    if (!isThere) continue;
    add("manifest", join(home, "package.json"));
    if (disk.readManifest(join(home, "package.json"))["exports"] === undefined)
      addFile(join(folder, "node_modules", specifier), found, search);
    else addWritten(found, search);
    // A folder without what is imported does not end the search.
    if (found === undefined || isInside(disk.realPath(home), found)) return;
  }
}

/** Build systems link sources from elsewhere, so a folder need not be below the root. */
export function isAbove(root: string, folder: string): boolean {
  return folder !== root && isInside(folder, root);
}

/** The path of the question `mapped`. */
export function mappedPath(folder: string, specifier: string): string {
  return `${folder}\n${specifier}`;
}
