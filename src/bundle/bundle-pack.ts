import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildOptions, Metafile } from "esbuild";
import { type BuildProblem, PackError } from "../errors.ts";
import { systemReason } from "../system-failure.ts";
import type { Issue, SourceFile } from "../validate/issue.ts";
import { problemsOf } from "./build-problems.ts";
import { findBundleHazards } from "./bundle-hazards.ts";
import type { BundleInput } from "./bundle-input.ts";
import { assertLoadable } from "./bundle-size.ts";
import { createImportGraph, type ImportGraph } from "./import-graph.ts";
import { runtimeFile } from "./node-modules.ts";
import { createOwnPathNamer, importsOlderName, ownFolder } from "./own-modules.ts";
import { packNameOf } from "./pack-name.ts";
import { pathsLookedAt } from "./paths-looked-at.ts";
import {
  createEsbuildRunner,
  type EsbuildOutput,
  type EsbuildRunner,
  esbuildOptions,
  runEsbuild,
  type ScriptOptions,
  type TimerStrategy,
} from "./run-esbuild.ts";
import { asScript, outputFormat } from "./script-exports.ts";
import { unresolvedTypes } from "./type-resolution.ts";

export interface BundleOptions {
  /** Path of the entry file. */
  entry: string;
  /** @default true */
  minify?: boolean | undefined;
  /** What the Pack's timers become; the runtime has none. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** The folder that `entry` is relative to. @default process.cwd() */
  cwd?: string | undefined;
}

/** A Pack as one script. */
export interface PackBundle {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  code: string;
  /** JSON text, with the sources in it. */
  sourceMap: string;
  bytes: number;
  gzipBytes: number;
  /** Of the code, in hexadecimal. */
  sha256: string;
  inputs: BundleInput[];
  /** Which of the inputs imports which. */
  imports: ImportGraph;
  /** The author's own files, the entry first: what the positions of issues are found in. */
  sources: SourceFile[];
  /** What the bundler takes for a mistake, and what cannot work in the Pack runtime, which may be an error. */
  warnings: Issue[];
  durationMs: number;
}

const compress = promisify(gzip);

/**
 * Bundles a Pack with esbuild, in one pass and in memory. The same input gives the same bytes, wherever it lies.
 * @throws {PackError} PACK_FILE_UNREADABLE the entry file cannot be read
 * @throws {PackError} PACK_BUILD_FAILED with every problem and its position
 */
export async function bundlePack(options: BundleOptions): Promise<PackBundle> {
  const startedAt = performance.now();
  const plan = await planOf(options);
  return await assembleBundle(await runEsbuild(scriptOptions(plan)), plan, startedAt);
}

/** Bundles one Pack again and again; what has not changed is not read or parsed anew. */
export interface PackBundler extends AsyncDisposable {
  /** @throws {PackError} those of `bundlePack` */
  rebuild(): Promise<PackBundle>;
  /** The absolute paths that a build looks at, also one that fails: the files, and the relative imports that lead nowhere. */
  lookedAt(): Promise<string[]>;
}

/** @returns a bundler that has read nothing yet */
export function createPackBundler(options: BundleOptions): PackBundler {
  let made: { runner: EsbuildRunner; plan: BundlePlan } | undefined;
  const runnerFor = async (plan: BundlePlan): Promise<EsbuildRunner> => {
    if (made?.plan.lenient === plan.lenient && made.plan.format === plan.format) return made.runner;
    await made?.runner[Symbol.asyncDispose]();
    made = { runner: await createEsbuildRunner(scriptOptions(plan)), plan };
    return made.runner;
  };
  return {
    async rebuild() {
      const startedAt = performance.now();
      const plan = await planOf(options);
      return await assembleBundle(await (await runnerFor(plan)).run(), plan, startedAt);
    },
    async lookedAt() {
      const entry = resolve(options.cwd ?? ".", options.entry);
      const plan = await planOf(options).catch(() => undefined);
      return [...new Set([entry, ...(plan === undefined ? [] : await pathsLookedAt(scriptOptions(plan)))])];
    },
    async [Symbol.asyncDispose]() {
      await made?.runner[Symbol.asyncDispose]();
    },
  };
}

/** What a build of a Pack is decided by, beside the files themselves. */
interface BundlePlan extends ScriptOptions {
  /** Absolute. */
  entry: string;
}

async function planOf({ entry: given, cwd = ".", minify = true, timerStrategy = "none" }: BundleOptions): Promise<BundlePlan> {
  const entry = resolve(cwd, given);
  // A Pack that imports the older package keeps building: what it could do before is a warning.
  const text = await readEntry(entry);
  return { entry, minify, timerStrategy, lenient: importsOlderName(text), format: outputFormat(text) };
}

function scriptOptions({ entry, ...plan }: BundlePlan): BuildOptions {
  return esbuildOptions(entry, dirname(entry), plan);
}

async function assembleBundle(output: EsbuildOutput, plan: BundlePlan, startedAt: number): Promise<PackBundle> {
  const { entry, minify, timerStrategy, lenient } = plan;
  const folder = dirname(entry);
  const nameOwn = createOwnPathNamer(folder);
  const parts = partsOf(output.metafile, folder);
  assertLoadable(
    output.code.contents.byteLength,
    [...parts].map(([path, bundledBytes]) => ({ path: nameOwn(path), bundledBytes })),
  );
  // Only comments name files in a bundle, and only when it is not minified.
  const script = asScript(output.code.text);
  const code = minify ? script : script.replace(/^( *\/\/ )(\S+)$/gm, (_, start, path) => start + nameOwn(path));
  const [name, files, gzipped] = await Promise.all([packNameOf(entry), readFiles([...parts.keys()], folder), compress(code)]);
  const sources = sourcesOf(files, basename(entry), nameOwn);
  const sourceMap = portableSourceMap(output.sourceMap.text, nameOwn);
  const inputs = inputsOf(files, parts, nameOwn);
  const imports = createImportGraph(output.metafile, nameOwn);
  const hazards = findBundleHazards({ files: readableFiles(files, inputs, nameOwn), sourceMap, imports, timerStrategy, lenient });
  return {
    name,
    entry,
    code,
    sourceMap: JSON.stringify(sourceMap),
    bytes: Buffer.byteLength(code),
    gzipBytes: gzipped.byteLength,
    sha256: sha256(code),
    inputs,
    imports,
    sources,
    warnings: [...problemsOf(output.warnings).map(warningOf), ...unresolvedTypes(sources, folder), ...hazards],
    durationMs: performance.now() - startedAt,
  };
}

const WARNING_HINTS: Readonly<Record<string, string>> = { BUILD_WARNING: "Change the line, or keep it when it is meant." };

function warningOf({ code = "BUILD_WARNING", hint = WARNING_HINTS[code], ...problem }: BuildProblem): Issue {
  return { code, severity: "warning", path: "", hint: hint ?? "Try the formulas that use it.", ...problem };
}

async function readEntry(entry: string): Promise<string> {
  try {
    return await readFile(entry, "utf8");
  } catch (cause) {
    const reason = systemReason(cause);
    throw new PackError(
      "PACK_FILE_UNREADABLE",
      `The Pack file ${basename(entry)} cannot be read${reason === undefined ? "" : `: ${reason}`}.`,
      {
        details: { file: entry },
        hint: "Check the path: it names the entry file of the Pack, such as pack.ts.",
        cause,
      },
    );
  }
}

interface FileContent {
  /** As esbuild names it. */
  path: string;
  content: Buffer;
  sha256: string;
}

/** The files that were read and what each left in the bundle, in bytes; of those that are always offered, the ones that were used. */
function partsOf({ inputs, outputs }: Metafile, folder: string): Map<string, number> {
  const left = new Map(
    Object.values(outputs).flatMap((output) => Object.entries(output.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput])),
  );
  const offered = dirname(runtimeFile("process"));
  const paths = Object.keys(inputs)
    // Names with a colon are esbuild's own (`(disabled):fs`), not files.
    .filter((path) => !/^\(?[a-z]+\)?:/.test(path))
    .filter((path) => (left.get(path) ?? 0) > 0 || dirname(resolve(folder, path)) !== offered);
  return new Map(paths.map((path) => [path, left.get(path) ?? 0]));
}

function readFiles(paths: readonly string[], folder: string): Promise<FileContent[]> {
  const own = ownFolder() + sep;
  return Promise.all(
    paths.map(async (path) => {
      const absolute = resolve(folder, path);
      return { path, ...(await (absolute.startsWith(own) ? readOwnFile(absolute) : readContent(absolute))) };
    }),
  );
}

type Content = Omit<FileContent, "path">;

/** Every Pack carries some files of this package, which do not change while it runs. */
const ownFiles = new Map<string, Promise<Content>>();

function readOwnFile(path: string): Promise<Content> {
  const known = ownFiles.get(path) ?? readContent(path);
  ownFiles.set(path, known);
  return known;
}

async function readContent(path: string): Promise<Content> {
  const content = await readFile(path);
  return { content, sha256: sha256(content) };
}

function inputsOf(files: readonly FileContent[], parts: ReadonlyMap<string, number>, nameOwn: (path: string) => string): BundleInput[] {
  return files
    .map(({ path, content, sha256 }) => ({
      path: nameOwn(path),
      bytes: content.byteLength,
      bundledBytes: parts.get(path) ?? 0,
      sha256,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sourcesOf(files: readonly FileContent[], entry: string, nameOwn: (path: string) => string): SourceFile[] {
  return files
    .filter(({ path }) => !/(^|\/)node_modules\//.test(path) && nameOwn(path) === path)
    .map(({ path, content }) => ({ path, text: content.toString("utf8") }))
    .sort((a, b) => Number(b.path === entry) - Number(a.path === entry));
}

/** In the order of the inputs. */
function readableFiles(
  files: readonly FileContent[],
  inputs: readonly BundleInput[],
  nameOwn: (path: string) => string,
): { path: string; sha256: string; text(): string }[] {
  const contents = new Map(files.map(({ path, content }) => [nameOwn(path), content]));
  return inputs.map(({ path, sha256 }) => ({ path, sha256, text: () => contents.get(path)?.toString("utf8") ?? "" }));
}

interface SourceMapData {
  sources: string[];
  mappings: string;
}

function portableSourceMap(text: string, nameOwn: (path: string) => string): SourceMapData {
  const map = JSON.parse(text) as SourceMapData;
  return { ...map, sources: map.sources.map(nameOwn) };
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
