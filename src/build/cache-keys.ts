import { basename, dirname, join, resolve } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { importsOwnFiles } from "../bundle/linked-parts.ts";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { PACK_OPTIONS_FILE } from "../bundle/pack-options.ts";
import { isFile } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { isInside } from "../shared/project-boundary.ts";
import { configurationsIn, createMappingReader, isReadByEsbuild } from "../shared/typescript.ts";
import { memoize } from "../shared/values.ts";
import { createFingerprinter } from "./build-inputs.ts";
import { toPortable } from "./cache-records.ts";
import { createDisk } from "./disk.ts";
import {
  importLookups,
  isAbove,
  type Lookup,
  type LookupReaders,
  mappedPath,
  type Question,
} from "./import-lookups.ts";
import { createAnswers } from "./lookup-answers.ts";

/** A path relative to the root of the project, what matters of it, and what it was. */
export type CacheKey = [path: string, question: Question | "content", answer: string];

/** A bundle that did not come from the cache. */
type BuiltBundle = Bundle & { [Member in "metafile" | "made"]: NonNullable<Bundle[Member]> };

export interface CacheKeys {
  /** Everything that a bundle depends on. Its inputs count as they were when it was made. */
  make(bundle: BuiltBundle, root: string): CacheKey[];
  /** The keys of what a result depends on, as it is now. */
  answer(dependencies: readonly Dependency[], root: string): CacheKey[];
  /**
   * The configurations above the root of a project, wherever they are.
   * @returns a text that is the same below every folder without any
   */
  describeSurroundings(root: string): string;
  /** @returns the path of the first key that has another answer now */
  findChanged(keys: readonly CacheKey[], root: string): string | undefined;
  /** The fingerprint of the content of a file. */
  contentOf(path: string): string;
}

export function createCacheKeys(): CacheKeys {
  const contentOf = createFingerprinter();
  const disk = createDisk();
  const getMapping = createMappingReader();
  const answer = createAnswers(disk, getMapping);
  const answerNow = (question: CacheKey[1], path: string, root: string): string =>
    question === "content" ? contentOf(path) : answer(question, path, root);
  const known = new Map<string, string>();
  // The first build of a command asks about all paths, and packages stay the same while it runs.
  const answerOnce: typeof answerNow = (question, path, root) => {
    const key = `${question}\0${path}\0${root}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const now = answerNow(question, path, root);
    known.set(key, now);
    return now;
  };
  // Projects beside each other have the same folders above.
  const describeFrom = memoize((folder) =>
    configurationsIn(foldersUpFrom(folder), isRead)
      .map((path) => [basename(path), answerNow(questionAbout(path), path, folder)])
      .filter(([, now]) => now !== "")
      .join(" "),
  );
  return {
    make(bundle, root) {
      const hashes = collectHashes(bundle);
      const keys = listDependencies(bundle, root, { disk, getMapping }).map(
        ({ question, path }): CacheKey => {
          const isInput = question === "content" && hashes.has(path);
          const value = isInput ? hashes.get(path) : answerNow(question, path, root);
          return [keyPath(question, path, (each) => toPortable(root, each)), question, value ?? ""];
        },
      );
      return withoutImplied(keys);
    },
    answer: (dependencies, root) =>
      dependencies.map(({ question, path }) => [
        keyPath(question, path, (each) => toPortable(root, each)),
        question,
        answerNow(question, path, root),
      ]),
    describeSurroundings: (root) => (dirname(root) === root ? "" : describeFrom(dirname(root))),
    findChanged: (keys, root) =>
      keys.find(([path, question, before]) => {
        const where = keyPath(question, path, (each) => resolve(root, each));
        return answerOnce(question, where, root) !== before;
      })?.[0],
    contentOf,
  };
}

/** The path of a key. The path of some questions is the name of a package, or has a second line. */
function keyPath(question: CacheKey[1], path: string, convert: (path: string) => string): string {
  if (question === "above") return path;
  if (question !== "mapped" && question !== "matching") return convert(path);
  const end = path.indexOf("\n");
  return convert(path.slice(0, end)) + path.slice(end);
}

/**
 * Leaves out the keys that others imply, because a build that changes nothing looks at each of
 * them: a file that is read is there, its folders are, and nothing is below a path that is not
 * there.
 */
export function withoutImplied(keys: readonly CacheKey[]): CacheKey[] {
  const listPaths = (question: CacheKey[1], isAbsent: boolean): Set<string> =>
    new Set(
      keys.flatMap(([path, asked, answer]) =>
        asked === question && (answer === "") === isAbsent ? [path] : [],
      ),
    );
  const read = listPaths("content", false);
  const files = new Set([...read, ...listPaths("file?", false)]);
  const homes = new Set([...files].map((path) => dirname(path)));
  const folders = new Set([...homes].flatMap(foldersUpFrom));
  const absent = listPaths("there?", true);
  return keys.filter(([path, question, answer]) => {
    if (absent.has(dirname(path))) return false;
    if (question === "file?") return answer === "" ? !absent.has(path) : !read.has(path);
    return question !== "there?" || answer === "" || !(files.has(path) || folders.has(path));
  });
}

export type Dependency = Omit<Lookup, "question"> & { question: CacheKey[1] };

function listDependencies(bundle: BuiltBundle, root: string, readers: LookupReaders): Dependency[] {
  const { entry, inputPaths, issues, made, metafile, sources } = bundle;
  const homes = [...new Set(inputPaths.map((path) => dirname(path)))];
  const folders = [...new Set(homes.flatMap(foldersUpFrom))].filter(
    (folder) => !isAbove(root, folder),
  );
  const reported = new Set(issues.map(({ file = "" }) => resolve(dirname(entry), file)));
  const typings = sources.some(({ text }) => importsLegacyPackage(text))
    ? foldersUpFrom(dirname(entry)).filter((folder) => !isAbove(root, folder))
    : [];
  return [
    ...inputPaths.map((path): Dependency => ({ question: "content", path })),
    ...configurationsIn(folders, (path) => isRead(path) && isForEntry(path, entry)).map(
      (path): Dependency => ({
        // What is said about a configuration has its line in it.
        question: reported.has(path) ? "content" : questionAbout(path),
        path,
      }),
    ),
    { question: "manifest", path: join(dirname(entry), PACK_OPTIONS_FILE) },
    { question: "real", path: entry },
    ...(importsOwnFiles(sources[0]?.text ?? "")
      ? [{ question: "parts", path: entry } satisfies Dependency]
      : []),
    ...made.sourceMaps.map((path): Dependency => ({ question: "content", path })),
    ...typings.slice(0, 1).map(
      (folder): Dependency => ({
        question: "mapped",
        path: mappedPath(folder, "@codahq/packs-sdk"),
      }),
    ),
    ...typings.map(
      (folder): Dependency => ({
        question: "there?",
        path: join(folder, "node_modules/@codahq/packs-sdk/package.json"),
      }),
    ),
    ...importLookups(metafile, dirname(entry), root, readers),
  ];
}

/** Next to a tsconfig.json, esbuild does not read a jsconfig.json. */
function isRead(path: string): boolean {
  if (!isReadByEsbuild(path)) return false;
  return basename(path) !== "jsconfig.json" || !isFile(join(dirname(path), "tsconfig.json"));
}

/** esbuild looks for a map of packages only in the folder where it works, and above. */
function isForEntry(configuration: string, entry: string): boolean {
  return !isPackageMap(configuration) || isInside(dirname(configuration), entry);
}

function isPackageMap(configuration: string): boolean {
  return basename(configuration).startsWith(".pnp");
}

function questionAbout(configuration: string): Dependency["question"] {
  if (basename(configuration) === "package.json") return "manifest";
  return configuration.endsWith(".json") && !isPackageMap(configuration) ? "config" : "content";
}

/** The hash of each input, by its absolute path. */
function collectHashes({ entry, inputs }: Bundle): Map<string, string> {
  return new Map(inputs.map(({ path, sha256 }) => [resolve(dirname(entry), path), sha256]));
}
