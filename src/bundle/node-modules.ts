import { basename, dirname, extname, join } from "node:path";
import type { Plugin } from "esbuild";
import { findInstalledPackage } from "../shared/installed-packages.ts";
import { ownFolder } from "./own-modules.ts";

/**
 * Modules of Node that work in a Pack, through browser packages that the build of this package puts
 * into `dist/polyfills`.
 */
export const POLYFILLS: readonly string[] = [
  ...[
    "assert",
    "console",
    "constants",
    "crypto",
    "domain",
    "events",
    "http",
    "https",
    "os",
    "path",
    "punycode",
    "querystring",
    "stream",
  ],
  ...["string_decoder", "sys", "timers", "tty", "url", "util", "zlib"],
];

/** Modules that only give access to globals of the runtime. */
const RUNTIME: readonly string[] = ["buffer", "process"];

/** Modules that cannot work in the runtime. */
const ABSENT: readonly string[] = [
  ...[
    "async_hooks",
    "child_process",
    "cluster",
    "dgram",
    "diagnostics_channel",
    "dns",
    "fs",
    "http2",
    "inspector",
    "module",
    "net",
  ],
  ...["perf_hooks", "readline", "repl", "tls", "v8", "vm", "wasi", "worker_threads"],
];

const NAMES = [...POLYFILLS, ...RUNTIME, ...ABSENT];

/** Every specifier that names a module of Node, its parts (`fs/promises`) included. */
export const NODE_SPECIFIER = new RegExp(`^(?:node:[\\w/]+|(?:${NAMES.join("|")})(?:/promises)?)$`);

/**
 * Modules of which a bundle contains only the names that it imports. `.ci/bundle-polyfills.mjs`
 * builds them.
 */
const MADE_OF_PARTS: readonly string[] = ["crypto"];

/** What an import of a module of Node resolves to. */
export type NodeModule =
  /** `import` and `require` may get different files of the same module. */
  | { kind: "polyfill"; imported: string; required: string }
  | { kind: "runtime"; file: string }
  /** There is no such module: importing it works, calling it fails. */
  | { kind: "absent"; name: string };

/** @param specifier a text that `NODE_SPECIFIER` matches */
export function describeNodeModule(specifier: string): NodeModule {
  const name = specifier.replace(/^node:/, "");
  if (POLYFILLS.includes(name)) {
    const required = join(ownFolder(), "polyfills", `${name}.cjs`);
    return {
      kind: "polyfill",
      required,
      imported: MADE_OF_PARTS.includes(name) ? required.replace(/cjs$/, "js") : required,
    };
  }
  if (RUNTIME.includes(name)) return { kind: "runtime", file: runtimeFile(name) };
  return { kind: "absent", name };
}

/** @returns the name of the module that a polyfill replaces; undefined for other files */
export function findPolyfill(path: string): string | undefined {
  return dirname(path) === join(ownFolder(), "polyfills")
    ? basename(path, extname(path))
    : undefined;
}

/**
 * @returns the file that defines a global which code expects: `process`, or the timers of a
 * strategy
 */
export function runtimeFile(name: string): string {
  return join(ownFolder(), "bundle", "runtime", `${name}.js`);
}

/** Marks the imports that the plugin itself resolves. */
const ASKED = { asked: true };
const NAMESPACE = "absent";

/**
 * Resolves modules of Node to their polyfills. The `browser` field in the package.json of a
 * dependency comes first.
 * @param lenient whether a module that does not exist becomes a warning and a stub that throws when
 *   it is called, because many
 * libraries import modules that they never use. Otherwise the build fails.
 */
export function nodeModulesPlugin(lenient: boolean): Plugin {
  return {
    name: "node-modules",
    setup(build) {
      build.onResolve({ filter: NODE_SPECIFIER }, async ({ path, pluginData, ...where }) => {
        if (pluginData === ASKED) return undefined;
        const module = describeNodeModule(path);
        if (module.kind === "runtime") return { path: module.file, sideEffects: false };
        const found = await build.resolve(path, { ...where, pluginData: ASKED });
        // As in Node, the module comes before an installed package of the same name.
        if (found.errors.length === 0 && !isPackage(found.path, path)) return undefined;
        if (module.kind === "polyfill")
          return {
            path: where.kind === "require-call" ? module.required : module.imported,
            sideEffects: false,
          };
        if (!lenient) return undefined;
        const text = `${path} is a Node module that the Pack runtime does not have. Calls to functions of this module fail.`;
        return { ...absentModule(module.name), warnings: [{ text }] };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: writeStub(path),
        loader: "js",
      }));
    },
  };
}

/**
 * Resolves to a stub for a module that does not exist; `nodeModulesPlugin` provides its content.
 */
function absentModule(name: string): { path: string; namespace: string } {
  return { path: name, namespace: NAMESPACE };
}

function isPackage(file: string, specifier: string): boolean {
  return findInstalledPackage(file)?.name === specifier.replace(/^node:/, "");
}

/** A module whose members can all be read, so that importing works, and whose calls all fail. */
function writeStub(name: string): string {
  return `const plain = (key) => typeof key === "symbol" || ["prototype", "then", "__esModule", "toJSON"].includes(key);
const absent = (name) => {
  const fail = () => {
    throw new Error(name + " does not exist in the Pack runtime: it is a part of Node.");
  };
  const get = (target, key) => (plain(key) ? target[key] : absent(name + "." + key));
  return new Proxy(function () {}, { apply: fail, construct: fail, get });
};
// Named imports are looked up on the prototype of what a module exports.
module.exports = Object.create(new Proxy({}, { get: (_, key) => (plain(key) ? undefined : absent(${JSON.stringify(name)} + "." + key)) }));`;
}

/** Packages that load native addons. */
const LOADERS = [
  "bindings",
  "ffi-napi",
  "node-gyp-build",
  "node-gyp-build-optional-packages",
  "node-pre-gyp",
  "pkg-prebuilds",
  "prebuild-install",
];
const NATIVE = new RegExp(`^(?:${LOADERS.join("|")}|@mapbox/node-pre-gyp)$|\\.node$`);

export const NATIVE_ADDONS = "native-addons";

/**
 * Refuses native addons: machine code for Node.
 * @param lenient whether an addon becomes a warning and a stub that throws when it is called,
 *   because a package may work without it
 */
export function nativeAddonsPlugin(lenient: boolean): Plugin {
  return {
    name: NATIVE_ADDONS,
    setup(build) {
      build.onResolve({ filter: NATIVE }, ({ path }) => {
        const text = nativeAddonText(path);
        return lenient
          ? { ...absentModule(path), warnings: [{ text: `${text}: calling it fails.` }] }
          : { errors: [{ text: `${text}.` }] };
      });
    },
  };
}

/** @param specifier the import of the addon, or of a package that loads one */
function nativeAddonText(specifier: string): string {
  const what = specifier.endsWith(".node") ? "is a native addon" : "loads a native addon";
  return `${specifier} ${what}, machine code that the Pack runtime does not run`;
}

/** @returns the import of the addon in a message; undefined for every other message */
export function nativeAddonIn(text: string): string | undefined {
  return /^(\S+) (?:is|loads) a native addon, /.exec(text)?.[1];
}
