import { readFile } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import type { BuildOptions, BuildResult, Message, Metafile, OutputFile, Plugin } from "esbuild";
import type { BuildProblem } from "../errors.ts";
import { isInPackage } from "../shared/installed-packages.ts";
import {
  buildFailed,
  explainMissingName,
  missingBuiltins,
  nativeAddons,
  readMessages,
  toBuildProblems,
} from "./build-problems.ts";
import { build, createWarmBuild } from "./esbuild.ts";
import { createImportGraph, whyImported } from "./import-graph.ts";
import { ALL_PARTS, type LinkedPart } from "./linked-parts.ts";
import {
  NATIVE_ADDONS,
  nativeAddonsPlugin,
  nodeModulesPlugin,
  runtimeFile,
} from "./node-modules.ts";
import { authoringFile, compilerFile, ownModulesPlugin } from "./own-modules.ts";
import { ENTRY_OPTIONS, type PackageEntries } from "./package-entries.ts";
import { LOADERS, specialFilesPlugin } from "./special-files.ts";
import type { TimerStrategy } from "./timer-strategy.ts";

/** The output of one pass of esbuild. */
export interface EsbuildOutput {
  code: OutputFile;
  sourceMap: OutputFile;
  metafile: Metafile;
  warnings: readonly Message[];
}

export type { TimerStrategy };

export interface ScriptOptions {
  minify: boolean;
  timerStrategy: TimerStrategy;
  /** A missing module of Node is a warning instead of an error. */
  lenient: boolean;
  /** `asScript` turns both into a script. */
  format: "cjs" | "esm";
  /** The parts of packsmith that the bundle can use, of those that not every Pack needs. */
  parts: readonly LinkedPart[];
  packageEntries: PackageEntries;
}

/** The options to build one Pack. `entry` is its absolute path. */
export function esbuildOptions({
  entry,
  ...options
}: ScriptOptions & { entry: string }): BuildOptions {
  // Paths in the output are relative to this folder, so that the folder does not change the bytes.
  return {
    ...scriptOptions(options),
    entryPoints: [`./${basename(entry)}`],
    absWorkingDir: dirname(entry),
    outfile: "bundle.js",
  };
}

/** The options of every build: scripts for the Pack runtime. */
export function scriptOptions({
  minify,
  timerStrategy,
  lenient,
  format,
  parts,
  packageEntries,
}: ScriptOptions): BuildOptions {
  const entries = ENTRY_OPTIONS[packageEntries];
  return {
    write: false,
    metafile: true,
    bundle: true,
    format,
    platform: entries.platform,
    mainFields: [...entries.mainFields],
    conditions: [...entries.conditions],
    target: "es2020",
    // An `import()` would need a second file, and could leave the sandbox.
    supported: { "dynamic-import": false, "import-meta": false },
    // esbuild keeps every name and every unused part of a file that calls `eval`. As a member of
    // the global object, where the runtime has the same function, it is a call like others.
    define: {
      "process.env.NODE_ENV": '"production"',
      __filename: '"/pack.js"',
      __dirname: '"/"',
      eval: "globalThis.eval",
    },
    // Unused parts of these are not in the bundle.
    inject: [
      runtimeFile("process-global"),
      ...(timerStrategy === "none" ? [] : [runtimeFile(`timers-${timerStrategy}`)]),
    ],
    alias: {
      packsmith: authoringFile("index"),
      "@codahq/packs-sdk": authoringFile("legacy"),
      ...Object.fromEntries(
        ALL_PARTS.map((part) => [
          `packsmith-part/${part}`,
          compilerFile(parts.includes(part) ? part : "left-out"),
        ]),
      ),
    },
    plugins: [
      specialFilesPlugin,
      ...(lenient ? [nodeEnvironmentPlugin] : []),
      ownModulesPlugin,
      nativeAddonsPlugin(lenient),
      nodeModulesPlugin(lenient),
    ],
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
 * @throws {PackError} PACK_BUILD_FAILED with every problem and its position; a module of Node with
 *   its import chain
 */
export async function runEsbuild(
  options: BuildOptions,
  run: () => Promise<BuildResult> = () => build(options),
): Promise<EsbuildOutput> {
  const folder = options.absWorkingDir ?? ".";
  let result: BuildResult;
  try {
    result = await run();
  } catch (error) {
    const messages = readMessages(error).map(
      (message) => explainMissingName(message, folder) ?? message,
    );
    const problems = await withChains(
      toBuildProblems(messages, folder),
      [...missingBuiltins(messages), ...nativeAddons(messages)],
      options,
    );
    throw buildFailed(problems, error);
  }
  // esbuild only warns about a missing name of a namespace import, but the Pack would fail when it
  // is loaded.
  const missingNames = result.warnings.flatMap(
    (message) => explainMissingName(message, folder) ?? [],
  );
  if (missingNames.length > 0) throw buildFailed(toBuildProblems(missingNames, folder), undefined);
  const [code, sourceMap] = [".js", ".map"].map((end) =>
    result.outputFiles?.find(({ path }) => path.endsWith(end)),
  );
  if (code === undefined || sourceMap === undefined || result.metafile === undefined)
    throw new TypeError("esbuild gave no output.");
  return { code, sourceMap, metafile: result.metafile, warnings: result.warnings };
}

/** An esbuild context that is kept for the same options. */
export interface EsbuildRunner extends AsyncDisposable {
  /** @throws {PackError} PACK_BUILD_FAILED */
  run(): Promise<EsbuildOutput>;
}

/** @returns a runner that parses only what has changed since its last run */
export async function createEsbuildRunner(options: BuildOptions): Promise<EsbuildRunner> {
  const warm = await createWarmBuild(options);
  return {
    run: () => runEsbuild(options, () => warm.rebuild()),
    [Symbol.asyncDispose]: () => warm.dispose(),
  };
}

/**
 * Adds the import chains of missing modules. This takes a second pass with those modules external,
 * only after a failed build.
 */
async function withChains(
  problems: BuildProblem[],
  missing: readonly string[],
  options: BuildOptions,
): Promise<BuildProblem[]> {
  if (missing.length === 0) return problems;
  const plugins = options.plugins?.filter(({ name }) => name !== NATIVE_ADDONS);
  const { metafile } = await build({
    ...options,
    ...(plugins === undefined ? {} : { plugins }),
    external: [...missing],
  }).catch(() => ({
    metafile: undefined,
  }));
  if (metafile === undefined) return problems;
  const graph = createImportGraph(metafile, (path) => path);
  return problems.map((problem) => {
    const wanted = missing.find((name) => problem.message.startsWith(`${name} `));
    if (wanted === undefined) return problem;
    return {
      ...problem,
      message: `${problem.message.replace(/\.$/, "")}: ${(whyImported(graph, wanted) ?? [wanted]).join(" → ")}`,
    };
  });
}

const NODE_ENV = /(?<![\w$."'`])process\.env\.NODE_ENV(?![\w$"'`])/g;
/** As long, so that the columns of the source map stay right. */
const UNKNOWN = "(void 0)".padEnd("process.env.NODE_ENV".length);

/**
 * In a Pack for `@codahq/packs-sdk`, its author's `process.env.NODE_ENV` is undefined, as on the
 * platform: a definition may depend on it. Packages get "production" in every Pack, which leaves
 * out what they only need while they are developed.
 */
const nodeEnvironmentPlugin: Plugin = {
  name: "node-environment",
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
      const loader = LOADERS[extname(path)];
      if (loader === undefined || isInPackage(path)) return undefined;
      const text = await readFile(path, "utf8").catch(() => "");
      const contents = text.replace(NODE_ENV, UNKNOWN);
      return contents === text ? undefined : { contents, loader };
    });
  },
};
