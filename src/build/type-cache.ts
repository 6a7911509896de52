import { existsSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { sha256 } from "../shared/crypto.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { readStats } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { findInstalledPackage, isInPackage } from "../shared/installed-packages.ts";
import { parseJson, readJsonWithComments } from "../shared/json.ts";
import { packageRoot } from "../shared/own-package.ts";
import { createRootFinder, isInside, realPath } from "../shared/project-boundary.ts";
import {
  configurationsIn,
  createMappingReader,
  inFolder,
  readCompilerOptions,
  readOwnOptions,
} from "../shared/typescript.ts";
import { toList } from "../shared/values.ts";
import type { Issue } from "../validate/issue.ts";
import { type BuildInfo, openBuildInfo } from "./build-info.ts";
import {
  type CacheKey,
  type CacheKeys,
  createCacheKeys,
  type Dependency,
  withoutImplied,
} from "./cache-keys.ts";
import {
  findRecord,
  type RecordSubject,
  readRecord,
  readText,
  recordFor,
  recordMaker,
  saveRecord,
  toPortable,
} from "./cache-records.ts";
import { isAbove } from "./import-lookups.ts";
import { listFiles, listUnread, readTrace } from "./resolution-trace.ts";

const debug = createDebugLog("build");

/** One run of a compiler. */
export interface TypeCheck {
  /** Path of the compiler's script. */
  compiler: string;
  version: string;
  /** Path of the tsconfig.json of the project. */
  config: string | undefined;
  entries: readonly string[];
  /** The configuration that the compiler gets. */
  configuration: object;
}

/** A run that found what it could, with `--traceResolution --listFiles`. */
export interface FinishedCheck {
  issues: Issue[];
  output: string;
  /** The configuration of the run, which was written before it. */
  configFile: string;
}

/** A check before it runs. */
export interface CachedCheck {
  /** What an earlier run found; undefined when it does not count any more. */
  issues: Issue[] | undefined;
  keep(finished: FinishedCheck): void;
  /**
   * What the compiler remembers of the last check in this folder, if it can be relied on. A clone
   * could bring its own in a cache that is inside of it, so then there is none.
   */
  openBuildInfo(): BuildInfo | undefined;
  /**
   * Describes the files of a check that may have an effect on files that do not import them, and
   * those that imports found and that were not read.
   * @returns undefined when one of them has changed since the check started
   */
  describeUntracked(finished: Omit<FinishedCheck, "issues">): string | undefined;
  /** Whether the files of a description are as they were. */
  areAsDescribed(description: string): boolean;
}

/**
 * Keeps what the compiler found, as long as nothing has changed that it read or looked for. What a
 * compiler of another path, version or size found does not count: a folder without trust is checked
 * with another compiler than one with trust.
 */
export interface TypeCache {
  /** @returns undefined for a configuration whose results are not kept */
  open(check: TypeCheck): CachedCheck | undefined;
}

interface TypeRecord {
  keys: CacheKey[];
  issues: Issue[];
}

/** The root of the project in messages. */
const ROOT = "\0root\0";

export interface TypeCacheOptions {
  cwd: string;
  folder: string;
  /** What other caches of the same command know, too. @default its own */
  keys?: CacheKeys | undefined;
}

export function openTypeCache({
  cwd,
  folder,
  keys = createCacheKeys(),
}: TypeCacheOptions): TypeCache {
  const findRoot = createRootFinder();
  return {
    open(check) {
      const home = dirname(check.config ?? check.entries[0] ?? cwd);
      const root = findRoot(home);
      const configurations = configurationsIn([home]).filter((path) => !IS_NO_CONFIG.test(path));
      // The compiler does not report where it looks for the packages of types that it adds.
      const isAdding = addsInstalledTypes(check);
      const typeRoots = isAdding ? configurations.flatMap((path) => readTypeRoots(path, home)) : [];
      // Too many names.
      if (typeRoots.some((path) => basename(path) === "node_modules")) return undefined;
      const addedFrom = isAdding ? [join(home, "node_modules/.cache"), tmpdir()] : [];
      const typeFolders = addedFrom
        .flatMap(foldersUpFrom)
        .map((path) => join(path, "node_modules/@types"))
        .concat(typeRoots);
      const known = keys.answer(
        [
          ...configurations.map((path): Dependency => ({ question: "content", path })),
          ...[...new Set(typeFolders)].map((path): Dependency => ({ question: "names", path })),
          ...check.entries.map((path): Dependency => ({ question: "real", path })),
        ],
        root,
      );
      const made = JSON.stringify([
        ...recordMaker(),
        describeCompiler(check.compiler, root),
        process.env["NODE_OPTIONS"],
        toPortable(root, cwd),
        JSON.stringify(check.configuration).replaceAll(root, ROOT),
        keys.describeSurroundings(root),
        known.filter(([, , answer]) => answer !== ""),
      ]);
      const subject = [
        readJsonWithComments(join(root, "package.json"))?.["name"],
        ...[check.config ?? "", ...check.entries].map((path) => toPortable(root, path)),
      ];
      const contents = check.entries.map((path) => keys.contentOf(path));
      const results: RecordSubject = {
        folder: join(folder, `types-${sha256(JSON.stringify(subject), "hex")}`),
        start: sha256(JSON.stringify([made, contents]), "hex"),
      };
      // The compiler writes paths of this machine into it.
      const here = JSON.stringify([subject, realPath(root), realPath(tmpdir())]);
      const info = join(folder, `check-${sha256(here, "hex")}`, `${sha256(made, "hex")}.json`);
      const isOfProject = isInside(realPath(root), realPath(folder));
      return {
        issues: readIssues(results, root),
        openBuildInfo: () =>
          isOfProject || forgetsImports(check) ? undefined : openBuildInfo(info),
        describeUntracked({ output, configFile }) {
          const read = listFiles(output).filter((path) => mayDeclareGlobals(path));
          const files = [...read, ...listUnread(output)];
          const startedAtMs = statSync(configFile).ctimeMs;
          if (files.some((path) => isChangedSince(startedAtMs, path))) return undefined;
          return JSON.stringify(files.map((path) => [path, keys.contentOf(path)]));
        },
        areAsDescribed(description) {
          const files = toList(parseJson(description)) as [path: string, content: string][];
          return files.every(([path, content]) => keys.contentOf(path) === content);
        },
        keep(finished) {
          const made = makeKeys(check, finished, root);
          debug(
            () => `types: ${made === undefined ? "not kept" : `kept with ${made.length} keys`}`,
          );
          if (made === undefined) return;
          const issues = finished.issues.map((issue) => ({
            ...issue,
            message: issue.message.replaceAll(root, ROOT),
          }));
          saveRecord(
            recordFor(results, made),
            JSON.stringify({ keys: made, issues } satisfies TypeRecord),
          );
        },
      };
    },
  };

  function readIssues(results: RecordSubject, root: string): Issue[] | undefined {
    let changed = "its project";
    const record = findRecord(results, (path) => {
      const candidate = readRecord<TypeRecord>(path);
      const change = candidate && keys.findChanged(candidate.keys, root);
      changed = change ?? changed;
      return change === undefined ? candidate : undefined;
    });
    debug(() => `types: ${record === undefined ? `missed: ${changed} has changed` : "hit"}`);
    return record?.issues.map((issue) => ({
      ...issue,
      message: issue.message.replaceAll(ROOT, root),
    }));
  }

  /** @returns undefined when something has changed since the compiler read it, or may have */
  function makeKeys(
    { config, entries }: TypeCheck,
    { output, configFile }: FinishedCheck,
    root: string,
  ): CacheKey[] | undefined {
    // A path that a comment names and that does not exist is not in the output.
    if (/error TS6053/.test(output)) return undefined;
    const trace = readTrace(output, {
      mapping: createMappingReader()(dirname(config ?? entries[0] ?? root)),
      configFolder: dirname(configFile),
    });
    if (trace === undefined || trace.files.length === 0) return undefined;
    const startedAtMs = statSync(configFile).ctimeMs;
    if (trace.files.some((path) => isChangedSince(startedAtMs, path))) return undefined;
    const all = trace.lookups.map(withManifest).flatMap((each) => withoutDepth(each, root));
    const lookups = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
    const made = keys.answer(lookups, root).map(([path, ...rest], index): CacheKey => {
      const absolute = lookups[index]?.path ?? "";
      const isElsewhere = isInside(packageRoot(), absolute) && !isInside(root, absolute);
      return [isElsewhere ? absolute : path, ...rest];
    });
    const absent = new Set(trace.absent.map((path) => toPortable(root, path)));
    const isNew = made.some(
      ([path, question, answer]) => question === "file?" && answer !== "" && absent.has(path),
    );
    return isNew ? undefined : withoutImplied(made);
  }
}

/** Scripts and dependencies in a manifest of the project say nothing to a compiler. */
function withManifest({ question, path }: Dependency): Dependency {
  const isManifest = question === "content" && basename(path) === "package.json";
  return isManifest && !isInPackage(path) ? { question: "manifest", path } : { question, path };
}

/** Where a package is not, of the folders above the root: a clone may be at another depth. */
function withoutDepth(lookup: Dependency, root: string): Dependency[] {
  const { folder, name } = findInstalledPackage(lookup.path) ?? {};
  if (folder === undefined || name === undefined || existsSync(folder)) return [lookup];
  const isAboveRoot = isAbove(root, folder.slice(0, -join("node_modules", name).length - 1) || sep);
  return isAboveRoot ? [{ question: "above", path: name }] : [lookup];
}

/** Whether the compiler adds all installed types: not if the project lists those that it uses. */
function addsInstalledTypes({ config }: TypeCheck): boolean {
  if (config === undefined) return false;
  const { types } = readCompilerOptions(config);
  return !Array.isArray(types) || types.includes("*");
}

/**
 * Whether the compiler adds imports to files, of JSX and of its helpers: TypeScript 7 does not
 * check again what depends on these.
 */
function forgetsImports({ version, config }: TypeCheck): boolean {
  if (config === undefined || Number.parseInt(version, 10) < 7) return false;
  const { jsx, importHelpers } = readCompilerOptions(config);
  return jsx !== undefined || importHelpers === true;
}

const OF_COMPILER = /[\\/]node_modules[\\/](?:typescript|@typescript)[\\/]/;

function mayDeclareGlobals(path: string): boolean {
  if (/\.d\.[cm]?ts$/.test(path)) return !OF_COMPILER.test(path);
  const text = readText(path);
  return !/^(?:import|export)\b/m.test(text) || /\b(?:global|module|namespace)\b/.test(text);
}

/** The folders of types that a configuration names. */
function readTypeRoots(config: string, home: string): string[] {
  return toList(readOwnOptions(config)["typeRoots"]).map((path) =>
    resolve(dirname(config), inFolder(String(path), home)),
  );
}

const IS_NO_CONFIG = /(?:package|jsconfig)\.json$|\.pnp\.[\w.]+$/;

/** Both times are of the file system of the project, whose clock may be another one. */
function isChangedSince(startedAtMs: number, path: string): boolean {
  const stats = readStats(path);
  return stats === undefined || stats.ctimeMs >= startedAtMs;
}

/** Where a compiler is, its manifest, and the sizes of its files: a patch keeps the version. */
function describeCompiler(compiler: string, root: string): unknown[] {
  const folder = resolve(dirname(compiler), "..");
  const place = isInside(root, compiler) ? toPortable(root, compiler) : compiler;
  const sizes = listSizes(join(folder, "lib"));
  return [place, readText(join(folder, "package.json")), readText(compiler), sizes];
}

function listSizes(folder: string): [name: string, bytes: number][] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith("js"))
      .sort()
      .map((name) => [name, statSync(join(folder, name)).size]);
  } catch {
    return [];
  }
}
