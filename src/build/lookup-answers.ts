import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { linkedParts } from "../bundle/linked-parts.ts";
import { sha256 } from "../shared/crypto.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { findInstalledPackage } from "../shared/installed-packages.ts";
import { parseJson, parseObjectWithComments } from "../shared/json.ts";
import { packageRoot } from "../shared/own-package.ts";
import { isInside, projectBoundary } from "../shared/project-boundary.ts";
import { createMappingReader, mappedTo } from "../shared/typescript.ts";
import { isRecord, type Members, memoize, toList, toMembers, toText } from "../shared/values.ts";
import type { Disk } from "./disk.ts";
import type { Question } from "./import-lookups.ts";

/** Answers a question about a path as text, which is the same in every clone of a repository. */
export type Answer = (question: Question, path: string, root: string) => string;

/**
 * Locks are read once.
 * @param getMapping what the configurations above a folder make of imports
 */
export function createAnswers(disk: Disk, getMapping = createMappingReader()): Answer {
  const locksOf = memoize((root) => readLocks(root, disk));
  const inRoot = memoize((root) => projectBoundary(root, { root }));
  /** A link to another project has the files of both. */
  const boundaryOf = (path: string, root: string) =>
    inRoot(root).includes(disk.realPath(path)) ? inRoot(root) : projectBoundary(path);
  return (question, path, root) => {
    switch (question) {
      case "file?":
        return disk.isFile(path) ? "file" : "";
      case "there?":
        return disk.exists(path) ? "there" : "";
      case "real":
        return describePlace(disk.realPath(path), root);
      case "manifest":
        return manifestAnswer(disk.readText(path));
      case "config":
        return configAnswer(disk.readText(path));
      case "mapped": {
        const [folder = "", specifier = ""] = path.split("\n");
        const targets = mappedTo(specifier, getMapping(folder));
        return targets.map((target) => relative(root, target).split(sep).join("/")).join();
      }
      case "names":
        return namesAnswer(path);
      case "matching": {
        const [folder = "", pattern = ""] = path.split("\n");
        return namesAnswer(folder, pattern);
      }
      case "parts":
        return linkedParts(path, disk.readText(path) ?? "", boundaryOf(path, root)).join();
      case "lock": {
        const { version } = disk.readManifest(join(path, "package.json"));
        const name = findInstalledPackage(path)?.name ?? "";
        const place = relative(root, path).split(sep).join("/");
        return locksOf(root)
          .map((lock) => lockedAs({ name, place, version: toText(version) }, lock))
          .join("");
      }
      case "above":
        return foldersUpFrom(root)
          .slice(1)
          .map((folder) => join(folder, "node_modules", path))
          .filter((place) => disk.exists(place))
          .map((place) => describePlace(disk.realPath(place), root))
          .join();
    }
  };
}

/** This package may be installed elsewhere, and then counts the same for every clone. */
function describePlace(path: string, root: string): string {
  const isOwn = isInside(packageRoot(), path) && !isInside(root, path);
  const place = isOwn ? join("packsmith:", relative(packageRoot(), path)) : relative(root, path);
  return place.split(sep).join("/");
}

/** What a package.json or `.coda-pack.json` says to a build or to a compiler. */
const MEMBERS = [
  ...["name", "type", "main", "module", "browser", "exports", "imports", "sideEffects"],
  ...["types", "typings", "typesVersions"],
  ...["tsconfig", "options"],
];

/** Its readers accept no comments: with them it says something else. */
function manifestAnswer(text: string | undefined): string {
  const manifest = parseJson(text ?? "");
  return membersAnswer(text, isRecord(manifest) ? manifest : undefined, (members) =>
    MEMBERS.map((name) => members[name] ?? null),
  );
}

/** The options that change what esbuild writes. The paths of imports are questions of their own. */
const OPTIONS = [
  ...["jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "experimentalDecorators"],
  ...["useDefineForClassFields", "target", "verbatimModuleSyntax", "preserveValueImports"],
  ...["importsNotUsedAsValues", "alwaysStrict", "strict"],
];

function configAnswer(text: string | undefined): string {
  const config = parseObjectWithComments(text ?? "");
  return membersAnswer(text, config, ({ extends: parents, compilerOptions }) => {
    const options = toMembers(compilerOptions);
    const selected = OPTIONS.map((name) => options[name] ?? null);
    return [parents ?? null, ...selected, ...listBaseless(options)];
  });
}

/** The paths about which esbuild warns: without a base they have to be relative. */
function listBaseless({ baseUrl, paths }: Members): unknown[] {
  if (baseUrl !== undefined) return [];
  const targets = Object.values(toMembers(paths)).flatMap((list) => toList(list));
  return targets.filter((target) => !/^(?:\.{1,2}(?:\/|$)|\/|[a-z]:|\$\{)/i.test(String(target)));
}

/** A file without JSON counts as it is. */
function membersAnswer(
  text: string | undefined,
  members: Members | undefined,
  select: (members: Members) => unknown[],
): string {
  if (text === undefined) return "";
  return sha256(members === undefined ? text : JSON.stringify(select(members)), "hex");
}

/** @param pattern the start and the end of the names that count, with a star between them */
function namesAnswer(folder: string, pattern = "*"): string {
  const [start = "", end = ""] = pattern.split("*");
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.startsWith(start) && name.endsWith(end),
    );
    return sha256(names.sort().join("\0"), "hex");
  } catch {
    return "";
  }
}

/** Each lock file, with what comes before an entry if it is not JSON. */
const LOCK_FILES: Readonly<Record<string, RegExp | undefined>> = {
  "package-lock.json": undefined,
  "pnpm-lock.yaml": /\n(?=\S|\n| {2}\S)/,
  "yarn.lock": /\n(?=\S)/,
  "bun.lock": undefined,
};

interface Lock {
  /** The entries of npm, by their paths, or those of Bun, by names. */
  packages: Readonly<Record<string, unknown>>;
  /** Those of the others: each begins with a line of names. */
  entries: readonly string[];
}

function readLocks(root: string, disk: Disk): Lock[] {
  return Object.entries(LOCK_FILES).flatMap(([name, start]) => {
    const text = disk.readText(join(root, name)) ?? "";
    if (text === "") return [];
    return start === undefined
      ? [{ packages: toMembers(parseObjectWithComments(text)?.["packages"]), entries: [] }]
      : [{ packages: {}, entries: text.split(start) }];
  });
}

interface LockedPackage {
  name: string;
  /** The path of its folder in the project. */
  place: string;
  /** The version that is there. */
  version: string | undefined;
}

/** The members of an entry of npm that say what is installed, not for whom. */
const NPM_MEMBERS = ["version", "resolved", "integrity", "link"];

/**
 * What a lock says about an installed package: its own entry, not those of other versions that
 * other packages need.
 */
function lockedAs({ name, place, version }: LockedPackage, { packages, entries }: Lock): string {
  const ofNpm = toMembers(packages[place]);
  const ofBun = Object.values(packages).flatMap((entry) =>
    Array.isArray(entry) && String(entry[0]).startsWith(`${name}@`) ? [JSON.stringify(entry)] : [],
  );
  const texts = entries.filter((entry) =>
    isHeadOf(name, entry.slice(0, entry.indexOf("\n") + 1 || undefined)),
  );
  const all = [...ofBun, ...texts];
  const own = all.filter((entry) => version !== undefined && entry.includes(version));
  const found = [
    ...NPM_MEMBERS.flatMap((member) => (member in ofNpm ? [JSON.stringify(ofNpm[member])] : [])),
    ...(own.length > 0 ? own : all).map(withoutRanges),
  ];
  return found.length === 0 ? "" : sha256(found.join("\n"), "hex");
}

/** An entry of Yarn begins with the ranges of those who need the package. */
function withoutRanges(entry: string): string {
  return entry.replace(/^.*:\n(?= {2}"?version"?:? )/, "");
}

/**
 * Whether the first line of an entry names a package. After a scope or a part of a name, it is
 * another package; in parentheses, pnpm lists what the package needs.
 */
function isHeadOf(name: string, line: string): boolean {
  for (let at = line.indexOf(`${name}@`); at >= 0; at = line.indexOf(`${name}@`, at + 1))
    if (!/[\w.~(-]\/?$/.test(line.slice(0, at))) return true;
  return false;
}
