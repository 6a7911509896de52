import { basename, dirname, join, resolve, sep } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { PACK_OPTIONS_FILE } from "../bundle/pack-options.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { configurationsIn } from "../shared/typescript.ts";
import { memoized } from "../shared/values.ts";
import { toPortable } from "./cache-records.ts";
import {
  importLookups,
  isAbove,
  type Lookup,
  mappedPath,
  type Question,
} from "./import-lookups.ts";
import { createAnswers } from "./lookup-answers.ts";

/** A path relative to the root of the project, what matters of it, and what it was. */
export type CacheKey = [path: string, question: Question | "content", answer: string];

/** A bundle that did not come from the cache. */
type BuiltBundle = Bundle & { metafile: NonNullable<Bundle["metafile"]> };

export interface CacheKeys {
  /**
   * Everything that a bundle depends on.
   * @returns undefined when an input has changed since it was bundled
   */
  make(bundle: BuiltBundle, root: string): CacheKey[] | undefined;
  /** The keys of what a result depends on, as it is now. */
  answer(dependencies: readonly Dependency[], root: string): CacheKey[];
  /** @returns the path of the first key that has another answer now */
  findChanged(keys: readonly CacheKey[], root: string): string | undefined;
}

/** @param contentOf makes the fingerprint of the content of a file */
export function createCacheKeys(contentOf: (path: string) => string): CacheKeys {
  const answer = createAnswers();
  const answerNow = (question: CacheKey[1], path: string, root: string): string =>
    question === "content" ? contentOf(path) : answer(question, path, root);
  // The first build of a command asks about all paths, and packages stay the same while it runs.
  const known = memoized((key: string) => {
    const [question = "", path = "", root = ""] = key.split("\0");
    return answerNow(question as CacheKey[1], path, root);
  });
  const answerOnce = (...key: Parameters<typeof answerNow>): string => known(key.join("\0"));
  return {
    make(bundle, root) {
      if (isOutdated(bundle, contentOf)) return undefined;
      return dependenciesOf(bundle, root).map(({ question, path }) => {
        const isInPackage = path.split(sep).includes("node_modules");
        const value = (isInPackage ? answerOnce : answerNow)(question, path, root);
        return [question === "lock" ? path : toPortable(root, path), question, value];
      });
    },
    answer: (dependencies, root) =>
      dependencies.map(({ question, path }) => [
        toPortable(root, path),
        question,
        answerNow(question, path, root),
      ]),
    findChanged: (keys, root) =>
      keys.find(([path, question, before]) => {
        const where = question === "lock" ? path : resolve(root, path);
        return answerOnce(question, where, root) !== before;
      })?.[0],
  };
}

export type Dependency = Omit<Lookup, "question"> & { question: CacheKey[1] };

function dependenciesOf(bundle: BuiltBundle, root: string): Dependency[] {
  const { entry, inputPaths, metafile, sources } = bundle;
  const folders = [...new Set(inputPaths.flatMap((path) => foldersUpFrom(dirname(path))))].filter(
    (folder) => !isAbove(root, folder),
  );
  const typings = sources.some(({ text }) => importsLegacyPackage(text))
    ? foldersUpFrom(dirname(entry)).filter((folder) => !isAbove(root, folder))
    : [];
  return [
    ...inputPaths.map((path): Dependency => ({ question: "content", path })),
    ...configurationsIn(folders).map(
      (path): Dependency => ({ question: questionAbout(path), path }),
    ),
    { question: "manifest", path: join(dirname(entry), PACK_OPTIONS_FILE) },
    { question: "real", path: entry },
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
    ...importLookups(metafile, dirname(entry), root),
  ];
}

function questionAbout(configuration: string): Dependency["question"] {
  if (basename(configuration) === "package.json") return "manifest";
  return configuration.endsWith(".json") && !basename(configuration).startsWith(".pnp")
    ? "config"
    : "content";
}

/** Whether one of the files has changed since the build read it. */
function isOutdated(
  { entry, inputs, inputPaths }: Bundle,
  contentOf: (path: string) => string,
): boolean {
  const hashes = new Map(inputs.map(({ path, sha256 }) => [resolve(dirname(entry), path), sha256]));
  return inputPaths.some((path) => contentOf(path) !== hashes.get(path));
}
