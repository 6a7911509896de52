import type { Plugin } from "esbuild";
import { NODE_SPECIFIER, nodeModuleOf } from "./node-modules.ts";

/** Marks the question that the plugin itself asks. */
const ASKED = { asked: true };
const NAMESPACE = "absent";

/**
 * Gives Packs the modules of Node that the runtime can do the work of. What a package says itself about a module, in the
 * `browser` field of its package.json, comes first.
 * @param lenient whether a module that does not exist becomes a warning and a stub that throws when it is called: many
 * libraries import one that they never use. Otherwise the build fails.
 */
export function nodeModulesPlugin(lenient: boolean): Plugin {
  return {
    name: "node-modules",
    setup(build) {
      build.onResolve({ filter: NODE_SPECIFIER }, async ({ path, pluginData, ...where }) => {
        if (pluginData === ASKED) return undefined;
        const module = nodeModuleOf(path);
        if (module.kind === "runtime") return { path: module.file, sideEffects: false };
        const found = await build.resolve(path, { ...where, pluginData: ASKED });
        // A package of the same name is not meant, wherever one happens to be installed: in Node the module comes first, too.
        if (found.errors.length === 0 && !isPackage(found.path, path)) return undefined;
        if (module.kind === "polyfill")
          return { path: where.kind === "require-call" ? module.required : module.imported, sideEffects: false };
        if (!lenient) return undefined;
        const text = `${path} is a module of Node, which the Pack runtime does not have: calling it fails.`;
        return { ...absentModule(module.name), warnings: [{ text }] };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: stubOf(path), loader: "js" }));
    },
  };
}

/** What takes the place of a module that does not exist; `nodeModulesPlugin` gives it its content. */
export function absentModule(name: string): { path: string; namespace: string } {
  return { path: name, namespace: NAMESPACE };
}

function isPackage(file: string, specifier: string): boolean {
  const inside = file.replaceAll("\\", "/").split("/node_modules/").slice(1).at(-1);
  return inside?.startsWith(`${specifier.replace(/^node:/, "")}/`) === true;
}

/** A module whose every member can be read and passed on, so that importing works, and whose every call fails. */
function stubOf(name: string): string {
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
