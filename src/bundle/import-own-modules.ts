// The hooks of Node's loader of modules with which suites find this package. Node runs them in a
// thread of their own.
import type { InitializeHook, LoadHook, ResolveHook } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  findOwnEntry,
  ownEntryFile,
  ownEntryOfTypes,
  replaceMissingModule,
} from "./own-modules.ts";

/** What the main thread shares with these hooks. */
export interface SharedState {
  /** Its only element is 1 once `require` has a compiler for TypeScript, such as ts-node. */
  hasCompiler: Int32Array;
}

let shared: SharedState | undefined;

export const initialize: InitializeHook<SharedState> = (state) => {
  shared = state;
};

export const resolve: ResolveHook = async (specifier, context, next) => {
  const entry = findOwnEntry(specifier);
  if (entry !== undefined)
    return { url: pathToFileURL(ownEntryFile(entry)).href, shortCircuit: true };
  try {
    const resolved = await next(specifier, context);
    const typedEntry = resolved.url.startsWith("file:")
      ? ownEntryOfTypes(fileURLToPath(resolved.url))
      : undefined;
    if (typedEntry === undefined) return resolved;
    return { url: pathToFileURL(ownEntryFile(typedEntry)).href, shortCircuit: true };
  } catch (error) {
    const file = replaceMissingModule(specifier, error);
    if (file === undefined) throw error;
    return { url: pathToFileURL(file).href, format: "commonjs", shortCircuit: true };
  }
};

/**
 * With `--import`, Node imports also the file that it runs. A compiler of `require` would not see
 * it, so `require` loads the files that Node cannot read, or would read without the compiler.
 */
export const load: LoadHook = async (url, context, next) => {
  const hasCompiler = shared !== undefined && Atomics.load(shared.hasCompiler, 0) === 1;
  const isModule = String(context.format) === "module-typescript";
  if (!hasCompiler || isModule || !/\.c?tsx?$/.test(url)) return await next(url, context);
  try {
    const loaded = await next(url, context);
    if (!/-typescript$/.test(String(loaded.format))) return loaded;
  } catch (error) {
    if (!UNREADABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  return { format: "commonjs", source: null as never, shortCircuit: true };
};

const UNREADABLE = new Set(["ERR_UNKNOWN_FILE_EXTENSION", "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"]);
