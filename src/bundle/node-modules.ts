import { basename, dirname, extname, join } from "node:path";
import { ownFolder } from "./own-modules.ts";

/** Modules of Node that work in a Pack: the kept browser packages, built into `dist/polyfills` when this package is built. */
export const POLYFILLS: readonly string[] = [
  ...["assert", "console", "constants", "crypto", "domain", "events", "http", "https", "os", "path", "punycode", "querystring", "stream"],
  ...["string_decoder", "sys", "timers", "tty", "url", "util", "zlib"],
];

/** Modules that the runtime's own globals answer. */
const RUNTIME: readonly string[] = ["buffer", "process"];

/** Modules that nothing in the runtime could do the work of. */
const ABSENT: readonly string[] = [
  ...["async_hooks", "child_process", "cluster", "dgram", "diagnostics_channel", "dns", "fs", "http2", "inspector", "module", "net"],
  ...["perf_hooks", "readline", "repl", "tls", "v8", "vm", "wasi", "worker_threads"],
];

const NAMES = [...POLYFILLS, ...RUNTIME, ...ABSENT];

/** Every specifier that names a module of Node, its parts (`fs/promises`) included. */
export const NODE_SPECIFIER = new RegExp(`^(?:node:[\\w/]+|(?:${NAMES.join("|")})(?:/promises)?)$`);

/** Of what is imported by name, a bundle takes no more along; `.ci/bundle-polyfills.mjs` makes them. */
const MADE_OF_PARTS: readonly string[] = ["crypto"];

/** What a specifier stands for in a bundle. */
export type NodeModule =
  /** `import` and `require` may get other files of one module. */
  | { kind: "polyfill"; imported: string; required: string }
  | { kind: "runtime"; file: string }
  /** Nothing: an import works, a call fails. */
  | { kind: "absent"; name: string };

/** @param specifier what `NODE_SPECIFIER` matches */
export function nodeModuleOf(specifier: string): NodeModule {
  const name = specifier.replace(/^node:/, "");
  if (POLYFILLS.includes(name)) {
    const required = join(ownFolder(), "polyfills", `${name}.cjs`);
    return { kind: "polyfill", required, imported: MADE_OF_PARTS.includes(name) ? required.replace(/cjs$/, "js") : required };
  }
  if (RUNTIME.includes(name)) return { kind: "runtime", file: runtimeFile(name) };
  return { kind: "absent", name };
}

/** @returns the name of the module that a file stands for */
export function polyfillOf(path: string): string | undefined {
  return dirname(path) === join(ownFolder(), "polyfills") ? basename(path, extname(path)) : undefined;
}

/** @returns the file that gives a bundle one of the names that free code expects: `process`, or timers of a strategy */
export function runtimeFile(name: string): string {
  return join(ownFolder(), "bundle", "runtime", `${name}.js`);
}
