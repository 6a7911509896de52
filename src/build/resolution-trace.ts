import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isFile } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { readPackageName } from "../shared/installed-packages.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { type Mapping, mappedTo } from "../shared/typescript.ts";
import type { Dependency } from "./cache-keys.ts";

/** What a run of the compiler with `--traceResolution --listFiles` has read and looked for. */
export interface ResolutionTrace {
  /** The files that it read. */
  files: string[];
  /** The paths that decided what it read. */
  lookups: Dependency[];
  /** Paths at which it found nothing. */
  absent: string[];
}

export interface TraceOptions {
  mapping: Mapping;
  /** Paths in this folder, which exists during the run only, are left out. */
  configFolder: string;
}

/**
 * Reads what the compiler has read and looked for. The compiler is silent about paths in folders
 * that do not exist, so the folders of all paths that an import or a package names count, too.
 * @returns undefined when an import was not found for a reason that the output does not show
 */
export function readTrace(
  output: string,
  { mapping, configFolder }: TraceOptions,
): ResolutionTrace | undefined {
  const all = new Map<string, Dependency>();
  const files = new Set<string>();
  const absent = new Set<string>();
  const add = (question: Dependency["question"], path: string): void => {
    // The run also makes the folder that contains this one.
    if (!path.startsWith(configFolder) && path !== dirname(configFolder))
      all.set(`${question} ${path}`, { question, path });
  };
  const addPlace = (path: string): void => {
    // Not the folder of all packages: the place of each that an import could mean is added.
    for (const place of [path, dirname(path)]) if (!ALL_PACKAGES.test(place)) add("there?", place);
  };
  let request: Request | undefined;
  for (const line of new Set(output.split(/\r?\n/))) {
    if (LISTED_FILE.test(line)) {
      files.add(resolve(line));
      continue;
    }
    const [, name, from] = /^=+ Resolving module '(.+)' from '(.+)'\. =+$/.exec(line) ?? [];
    if (name !== undefined && from !== undefined) {
      request = { name, folder: dirname(from) };
      for (const path of [...listPlaces(request), ...mappedTo(name, mapping)]) addPlace(path);
    }
    const [, types, user] = TYPES_REQUEST.exec(line) ?? [];
    if (types !== undefined && user !== undefined)
      for (const path of listPlaces({ name: types, folder: dirname(user) })) addPlace(path);
    if (/^=+ .*was not resolved\. =+$/.test(line) && !isExplained(request, line)) return undefined;
    const [, missing] = /^File '(.+)' does not exist/.exec(line) ?? [];
    if (missing !== undefined && !missing.startsWith(configFolder)) absent.add(missing);
    for (const [, path = ""] of line.matchAll(/'([^']+)'/g)) {
      if (!isAbsolute(path)) continue;
      addPlace(path);
      add("file?", path);
      if (line.startsWith("Resolving real path for")) add("real", path);
      if (path.endsWith("package.json")) add("content", path);
    }
  }
  for (const { question, path } of [...all.values()])
    if (question === "content") for (const target of targetsIn(path)) addPlace(target);
  for (const path of files) {
    add("content", path);
    // A reference without an extension finds these first.
    for (const end of [".ts", ".tsx"]) add("file?", path.replace(/(?:\.d\.ts|\.tsx)$/, end));
  }
  return { files: [...files], lookups: [...all.values()], absent: [...absent] };
}

/** The files that the compiler read. */
export function listFiles(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => LISTED_FILE.test(line));
}

/** The files that the compiler found for imports and did not read, such as untyped code. */
export function listUnread(output: string): string[] {
  const found = [...output.matchAll(/ was successfully resolved to '(.+?)'/g)];
  const read = new Set(listFiles(output));
  return [...new Set(found.map(([, path = ""]) => path))].filter((path) => !read.has(path)).sort();
}

const LISTED_FILE = /^(?:\/|[A-Za-z]:[\\/])[^']*\.(?:[cm]?[jt]sx?|json)$/;

const ALL_PACKAGES = /[\\/]node_modules(?:[\\/]@types)?$/;

const TYPES_REQUEST = /^=+ Resolving type reference directive '(.+)', containing file '(.+?)'/;

interface Request {
  name: string;
  folder: string;
}

/** Where an import could be found: a path, or packages and their types in the folders above. */
function listPlaces({ name, folder }: Request): string[] {
  if (/^\.{0,2}(?:\/|$)/.test(name)) return [resolve(folder, name)];
  return foldersUpFrom(folder).flatMap((each) => [
    join(each, "node_modules", name),
    ...packagesIn(each, name),
  ]);
}

function packagesIn(folder: string, name: string): string[] {
  const packageName = readPackageName(name);
  const types = packageName.replace(/^@([^/]+)\//, "$1__");
  return [packageName, `@types/${types}`].map((each) => join(folder, "node_modules", each));
}

/**
 * Whether an import was not found because nothing of that name is installed, or because it names a
 * file such as a text, whose types an ambient declaration may give.
 */
function isExplained(request: Request | undefined, line: string): boolean {
  if (request === undefined || !line.includes(`Module name '${request.name}'`)) return false;
  if (/^\.{1,2}\//.test(request.name)) return isFile(resolve(request.folder, request.name));
  if (/^(?:[./#]|[A-Za-z]:)/.test(request.name)) return false;
  return !foldersUpFrom(request.folder).some((folder) =>
    packagesIn(folder, request.name).some((path) => existsSync(path)),
  );
}

/** The paths that a package.json names. Of a pattern, its folder. */
function targetsIn(manifest: string): string[] {
  const { exports, imports, types, typings, main, typesVersions } =
    readJsonWithComments(manifest) ?? {};
  return textsIn([exports, imports, types, typings, main, typesVersions]).map((target) =>
    resolve(dirname(manifest), target.replace(/\*.*$/, "x")),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
