import type { Plugin } from "esbuild";
import { absentModule } from "./node-modules-plugin.ts";

/** What packages load their native part with, and the part itself. */
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
 * @param lenient whether one becomes a warning and a stub that throws when it is called, because a package may do without
 */
export function nativeAddonsPlugin(lenient: boolean): Plugin {
  return {
    name: NATIVE_ADDONS,
    setup(build) {
      build.onResolve({ filter: NATIVE }, ({ path }) => {
        const text = nativeAddonText(path);
        return lenient ? { ...absentModule(path), warnings: [{ text: `${text}: calling it fails.` }] } : { errors: [{ text: `${text}.` }] };
      });
    },
  };
}

/** @param specifier how the addon, or what loads one, is imported */
export function nativeAddonText(specifier: string): string {
  const what = specifier.endsWith(".node") ? "is a native addon" : "loads a native addon";
  return `${specifier} ${what}, machine code that the Pack runtime does not run`;
}

/** @returns how the addon of a message is imported; undefined for every other message */
export function nativeAddonIn(text: string): string | undefined {
  return /^(\S+) (?:is|loads) a native addon, /.exec(text)?.[1];
}
