import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import type { BuildProblem } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { isInPackage } from "../shared/installed-packages.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue, SourceFile } from "../validate/issue.ts";
import { buildFailed, toBuildProblems } from "./build-problems.ts";
import type { Bundle } from "./bundle.ts";
import { findBundleHazards } from "./bundle-hazards.ts";
import type { BundleInput } from "./bundle-parts.ts";
import type { BundlePlan } from "./bundle-plan.ts";
import { assertLoadable } from "./bundle-size.ts";
import { filesOutside, plainPaths, withoutForeignSources } from "./file-boundary.ts";
import { createImportGraph, isOfEsbuild } from "./import-graph.ts";
import { createLinkNamer } from "./linked-tree.ts";
import { runtimeFile } from "./node-modules.ts";
import { createOwnPathNamer, isInOwnFolder } from "./own-modules.ts";
import { getPackName } from "./pack-name.ts";
import { packagesWithMainFiles } from "./package-entries.ts";
import type { EsbuildOutput } from "./run-esbuild.ts";
import { parseSourceMap, sourceMapText } from "./source-map-text.ts";
import { listMapFiles } from "./special-files.ts";
import { unresolvedTypes } from "./type-resolution.ts";

const debug = createDebugLog("build");

/** When the work on a Pack began. */
export interface Beginning {
  /** By `uptimeMs`. */
  startedAt: number;
  /** In milliseconds since the epoch: files that changed later may not be as they were read. */
  readSinceMs: number;
}

/**
 * Turns the output of esbuild into a bundle, reads the files that went into it and looks for
 * hazards in them.
 * @throws {PackError} PACK_BUILD_FAILED the bundle is too large to be loaded, or contains files
 *   from outside of the project
 */
export function assembleBundle(
  output: EsbuildOutput,
  plan: BundlePlan,
  { startedAt, readSinceMs }: Beginning,
): Bundle {
  const { entry, boundary, minify, timerStrategy, lenient, packageEntries, hazardStore } = plan;
  const folder = dirname(entry);
  const metafile = plainPaths(output.metafile, folder);
  const outside = filesOutside(metafile, folder, boundary);
  if (outside.length > 0) throw buildFailed(outside, undefined);
  const nameFile = createFileNamer(entry);
  const parts = measureParts(metafile, folder);
  assertLoadable(
    output.code.contents.byteLength,
    [...parts].map(([path, bundledBytes]) => ({ path: nameFile(path), bundledBytes })),
  );
  // Only the comments of a bundle that is not minified contain names of files.
  const script = asScript(output.code.text);
  const code = minify
    ? script
    : script.replace(/^( *\/\/ )(\S+)$/gm, (_, start, path) => start + nameFile(path));
  const map = parseSourceMap(output.sourceMap.text);
  const contents = withoutForeignSources(map, metafile, folder);
  const sourceMap = { ...map, contents, sources: map.sources.map(nameFile) };
  const files = readFiles([...parts.keys()], folder);
  const inputs = listInputs(files, parts, nameFile);
  const inputPaths = listInputPaths(parts, folder);
  const imports = createImportGraph(metafile, nameFile);
  const sources = listSources(files, entry, nameFile);
  const issues = [
    ...toBuildProblems(output.warnings, folder).map(toWarning),
    ...unresolvedTypes(sources, folder),
    ...findBundleHazards({
      files: sortAsInputs(files, inputs, nameFile),
      sourceMap,
      imports,
      timerStrategy,
      lenient,
      hazardStore,
    }),
  ];
  debug(
    () =>
      `bundle: ${entry} ${parts.size} files, ${Buffer.byteLength(code)} bytes in ${Math.round(uptimeMs() - startedAt)} ms`,
  );
  return {
    name: getPackName(entry),
    entry,
    code,
    sourceMap: sourceMapText(sourceMap),
    bytes: Buffer.byteLength(code),
    // For most bundles, handing the code to another thread would take as long as compressing it
    // here.
    gzipBytes: gzipSync(code).byteLength,
    sha256: hash("sha256", code),
    inputs,
    inputPaths,
    mainEntries: packageEntries === "main" ? packagesWithMainFiles(inputPaths) : [],
    metafile,
    made: { readSinceMs, sourceMaps: listSourceMaps(files, folder) },
    imports,
    sources,
    issues,
    durationMs: uptimeMs() - startedAt,
  };
}

/** Names a file in the same way on every machine. */
function createFileNamer(entry: string): (path: string) => string {
  const nameOwn = createOwnPathNamer(dirname(entry));
  const nameLinked = createLinkNamer(entry);
  return (path) => {
    const own = nameOwn(path);
    return own === path ? nameLinked(path) : own;
  };
}

/**
 * Turns the output of esbuild into a script that assigns `module.exports`. Only the end changes, so
 * the source map stays valid.
 * @param code an ES module whose exports are its last statement, or a script
 */
export function asScript(code: string): string {
  return code.replace(/\bexport( ?)\{([^{}]*)\};\n$/, (_, space: string, list: string) => {
    const members = list
      .split(",")
      .map((member) => member.trim().split(/\s+as\s+/))
      .map(([local = "", name = local]) => `${name}:${space}${local}`);
    return `module.exports${space}=${space}{${space}${members.join(`,${space}`)}${space}};\n`;
  });
}

const WARNING_HINTS: Readonly<Record<string, string>> = {
  BUILD_WARNING: "Change the line. If the line is correct, ignore this warning.",
};

function toWarning({
  code = "BUILD_WARNING",
  hint = WARNING_HINTS[code],
  ...problem
}: BuildProblem): Issue {
  return {
    code,
    severity: "warning",
    path: "",
    hint: hint ?? "Test the formulas that use this code.",
    ...problem,
  };
}

interface FileContent {
  /** The path in esbuild's metafile. */
  path: string;
  content: Buffer;
  sha256: string;
}

/**
 * The files that were read, with the bytes that each has in the bundle. Files that are always
 * injected count only if they were used.
 */
function measureParts({ inputs, outputs }: Metafile, folder: string): Map<string, number> {
  const bundledBytes = new Map(
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
    ),
  );
  const injected = dirname(runtimeFile("process"));
  const paths = Object.keys(inputs)
    .filter((path) => !isOfEsbuild(path, folder))
    .filter(
      (path) => (bundledBytes.get(path) ?? 0) > 0 || dirname(resolve(folder, path)) !== injected,
    );
  return new Map(paths.map((path) => [path, bundledBytes.get(path) ?? 0]));
}

function readFiles(paths: readonly string[], folder: string): FileContent[] {
  return paths.map((path) => {
    const absolute = resolve(folder, path);
    return { path, ...(isInOwnFolder(absolute) ? readOwnFile(absolute) : readContent(absolute)) };
  });
}

type Content = Omit<FileContent, "path">;

/** Every Pack carries some files of this package. They do not change, so each is read once. */
const ownFiles = new Map<string, Content>();

function readOwnFile(path: string): Content {
  const known = ownFiles.get(path) ?? readContent(path);
  ownFiles.set(path, known);
  return known;
}

function readContent(path: string): Content {
  const content = readFileSync(path);
  return { content, sha256: hash("sha256", content) };
}

/** The source maps that files name, with the sources that these name. */
function listSourceMaps(files: readonly FileContent[], folder: string): string[] {
  const paths = files
    .filter(({ content }) => content.includes("sourceMappingURL"))
    .map(({ path, content }) => ({ path: resolve(folder, path), text: content.toString() }))
    .filter(({ path }) => !isInOwnFolder(path))
    .flatMap(({ path, text }) => listMapFiles(text, path));
  return [...new Set(paths)];
}

/** In a stable order: esbuild lists its inputs as it comes across them. */
function listInputPaths(parts: ReadonlyMap<string, number>, folder: string): string[] {
  return [...parts.keys()]
    .map((path) => resolve(folder, path))
    .filter((path) => !isInOwnFolder(path))
    .sort();
}

function listInputs(
  files: readonly FileContent[],
  parts: ReadonlyMap<string, number>,
  nameFile: (path: string) => string,
): BundleInput[] {
  return files
    .map(({ path, content, sha256 }) => ({
      path: nameFile(path),
      bytes: content.byteLength,
      bundledBytes: parts.get(path) ?? 0,
      sha256,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function listSources(
  files: readonly FileContent[],
  entry: string,
  nameFile: (path: string) => string,
): SourceFile[] {
  const first = basename(entry);
  return files
    .filter(({ path }) => !isInPackage(path) && !isInOwnFolder(resolve(dirname(entry), path)))
    .map(({ path, content }) => ({ path: nameFile(path), text: content.toString("utf8") }))
    .sort(
      (a, b) => Number(b.path === first) - Number(a.path === first) || (a.path < b.path ? -1 : 1),
    );
}

/** The files in the order of the inputs, by their names in the bundle. */
function sortAsInputs(
  files: readonly FileContent[],
  inputs: readonly BundleInput[],
  nameFile: (path: string) => string,
): FileContent[] {
  const named = new Map(files.map((file) => [nameFile(file.path), file]));
  return inputs.flatMap(({ path }) => {
    const file = named.get(path);
    return file === undefined ? [] : [{ ...file, path }];
  });
}
