import { basename, dirname } from "node:path";
import { type BuildOptions, type BuildResult, build, context, type Message, type Metafile, type OutputFile } from "esbuild";
import type { BuildProblem } from "../errors.ts";
import { buildFailed, explainMissingName, messagesOf, missingBuiltins, nativeAddons, problemsOf } from "./build-problems.ts";
import { createImportGraph, whyImported } from "./import-graph.ts";
import { NATIVE_ADDONS, nativeAddonsPlugin, nodeModulesPlugin, runtimeFile } from "./node-modules.ts";
import { authoringFile, ownModulesPlugin } from "./own-modules.ts";

/** What one pass of esbuild gives. */
export interface EsbuildOutput {
  code: OutputFile;
  sourceMap: OutputFile;
  metafile: Metafile;
  warnings: readonly Message[];
}

/** What a Pack's timers become: `none` leaves them alone, `error` throws where one is used, `fake` does not wait. */
export type TimerStrategy = "none" | "error" | "fake";

export interface ScriptOptions {
  minify: boolean;
  timerStrategy: TimerStrategy;
  /** A module of Node that does not exist is a warning. */
  lenient: boolean;
  /** `asScript` makes a script of either. */
  format: "cjs" | "esm";
}

/** The options that make one Pack a script. `entry` is its absolute path. */
export function esbuildOptions({ entry, ...options }: ScriptOptions & { entry: string }): BuildOptions {
  // Paths in the output are relative to this folder: the same bytes from another place.
  return { ...scriptOptions(options), entryPoints: [`./${basename(entry)}`], absWorkingDir: dirname(entry), outfile: "bundle.js" };
}

/** The options of every build: scripts for the Pack runtime. */
export function scriptOptions({ minify, timerStrategy, lenient, format }: ScriptOptions): BuildOptions {
  return {
    write: false,
    metafile: true,
    bundle: true,
    format,
    // Packages say in the "browser" field of their package.json what they do without Node.
    platform: "browser",
    mainFields: ["browser", "module", "main"],
    conditions: ["browser", "module"],
    target: "es2020",
    // An `import()` would leave the one file, and is a way out of the sandbox.
    supported: { "dynamic-import": false, "import-meta": false },
    // Libraries that only look whether there is an eval load without one.
    define: { "process.env.NODE_ENV": '"production"', __filename: '"/pack.js"', __dirname: '"/"', eval: "undefined" },
    // What is not used of them leaves nothing in a bundle.
    inject: [runtimeFile("process-global"), ...(timerStrategy === "none" ? [] : [runtimeFile(`timers-${timerStrategy}`)])],
    alias: { packsmith: authoringFile("index"), "@codahq/packs-sdk": authoringFile("legacy") },
    plugins: [ownModulesPlugin, nativeAddonsPlugin(lenient), nodeModulesPlugin(lenient)],
    keepNames: true,
    minify,
    banner: { js: '"use strict";' },
    sourcemap: "external",
    sourcesContent: true,
    legalComments: "none",
    logLevel: "silent",
    logLimit: 0,
  };
}

/**
 * @throws {PackError} PACK_BUILD_FAILED with every problem and its position; a module of Node with its import chain
 */
export async function runEsbuild(options: BuildOptions, run: () => Promise<BuildResult> = () => build(options)): Promise<EsbuildOutput> {
  const folder = options.absWorkingDir ?? ".";
  let result: BuildResult;
  try {
    result = await run();
  } catch (error) {
    const messages = messagesOf(error).map((message) => explainMissingName(message, folder) ?? message);
    const problems = await withChains(problemsOf(messages), [...missingBuiltins(messages), ...nativeAddons(messages)], options);
    throw buildFailed(problems, error);
  }
  // Reached through a namespace, a missing name is only a warning to esbuild; the Pack would fail when it is loaded.
  const missingNames = result.warnings.flatMap((message) => explainMissingName(message, folder) ?? []);
  if (missingNames.length > 0) throw buildFailed(problemsOf(missingNames), undefined);
  const [code, sourceMap] = [".js", ".map"].map((end) => result.outputFiles?.find(({ path }) => path.endsWith(end)));
  if (code === undefined || sourceMap === undefined || result.metafile === undefined) throw new TypeError("esbuild gave no output.");
  return { code, sourceMap, metafile: result.metafile, warnings: result.warnings };
}

/** esbuild, kept warm for the same options. */
export interface EsbuildRunner extends AsyncDisposable {
  /** @throws {PackError} PACK_BUILD_FAILED */
  run(): Promise<EsbuildOutput>;
}

/** @returns a runner that parses only what has changed since its last run */
export async function createEsbuildRunner(options: BuildOptions): Promise<EsbuildRunner> {
  const warm = await context(options);
  return { run: () => runEsbuild(options, () => warm.rebuild()), [Symbol.asyncDispose]: () => warm.dispose() };
}

/** Only a failed build pays for its explanation: a second pass in which the missing modules are external. */
async function withChains(problems: BuildProblem[], missing: readonly string[], options: BuildOptions): Promise<BuildProblem[]> {
  if (missing.length === 0) return problems;
  const plugins = options.plugins?.filter(({ name }) => name !== NATIVE_ADDONS);
  const { metafile } = await build({ ...options, ...(plugins === undefined ? {} : { plugins }), external: [...missing] }).catch(() => ({
    metafile: undefined,
  }));
  if (metafile === undefined) return problems;
  const graph = createImportGraph(metafile, (path) => path);
  return problems.map((problem) => {
    const wanted = missing.find((name) => problem.message.startsWith(`${name} `));
    if (wanted === undefined) return problem;
    return { ...problem, message: `${problem.message.replace(/\.$/, "")}: ${(whyImported(graph, wanted) ?? [wanted]).join(" → ")}` };
  });
}
