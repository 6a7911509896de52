import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { sha256 } from "../shared/crypto.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { parseObjectWithComments } from "../shared/json.ts";
import { packageRoot } from "../shared/own-package.ts";
import { isInside } from "../shared/project-boundary.ts";
import { mappedTo, readMapping } from "../shared/typescript.ts";
import { memoize, toMembers } from "../shared/values.ts";
import type { Disk } from "./disk.ts";
import type { Question } from "./import-lookups.ts";

/** Answers a question about a path as text, which is the same in every clone of a repository. */
export type Answer = (question: Question, path: string, root: string) => string;

/** Locks are read once. */
export function createAnswers(disk: Disk): Answer {
  const locksOf = memoize((root) => readLocks(root, disk));
  const mappingOf = memoize(readMapping);
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
        const targets = mappedTo(specifier, mappingOf(folder));
        return targets.map((target) => relative(root, target).split(sep).join("/")).join();
      }
      case "names":
        return namesAnswer(path);
      case "lock":
        return locksOf(root)
          .map((lock) => lockedAs(path, lock))
          .join("");
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

function manifestAnswer(text: string): string {
  return membersAnswer(text, (manifest) => MEMBERS.map((name) => manifest[name] ?? null));
}

/** The options that change what esbuild writes. The paths of imports are questions of their own. */
const OPTIONS = [
  ...["jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "experimentalDecorators"],
  ...["useDefineForClassFields", "target", "verbatimModuleSyntax", "preserveValueImports"],
  ...["importsNotUsedAsValues", "alwaysStrict", "strict"],
];

function configAnswer(text: string): string {
  return membersAnswer(text, ({ extends: parents, compilerOptions }) => {
    const options = toMembers(compilerOptions);
    return [parents ?? null, ...OPTIONS.map((name) => options[name] ?? null)];
  });
}

/** A file without JSON counts as it is. */
function membersAnswer(
  text: string,
  select: (members: Readonly<Record<string, unknown>>) => unknown[],
): string {
  if (text === "") return "";
  const members = parseObjectWithComments(text);
  return sha256(members === undefined ? text : JSON.stringify(select(members)), "hex");
}

function namesAnswer(folder: string): string {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return sha256(names.sort().join("\0"), "hex");
  } catch {
    return "";
  }
}

const LOCK_FILES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

interface Lock {
  text: string;
  /** The entries of npm, by their paths. */
  packages: Readonly<Record<string, unknown>> | undefined;
}

function readLocks(root: string, disk: Disk): Lock[] {
  return LOCK_FILES.flatMap((name) => {
    const text = disk.readText(join(root, name));
    if (text === "") return [];
    const packages = name.endsWith(".json") ? parseObjectWithComments(text) : undefined;
    return [{ text, packages: packages?.["packages"] as Lock["packages"] }];
  });
}

/** The entries of a package, in every version that is installed. */
function lockedAs(name: string, { text, packages }: Lock): string {
  const entries =
    packages === undefined
      ? // Entries are paragraphs, or lines that begin with the name.
        text
          .split(/\n(?=\S|\n| {2}\S)/)
          .filter((part) => part.slice(0, part.indexOf("\n") + 1 || undefined).includes(`${name}@`))
      : Object.entries(packages)
          .filter(([path]) => path.endsWith(`node_modules/${name}`))
          .map((entry) => JSON.stringify(entry));
  return entries.length === 0 ? "" : sha256(entries.join("\n"), "hex");
}
