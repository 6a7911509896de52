import { ownEntryFile, ownEntryOf } from "./bundle/own-modules.ts";

/** The part of a Vite plugin that this one uses. */
export interface PacksmithPlugin {
  name: string;
  enforce: "pre";
  resolveId(specifier: string): string | undefined;
}

/**
 * The vitest preset: `plugins: [packsmith()]`. Tests and Packs import this package under each of its names, the older
 * `@codahq/packs-sdk` and its published files included, as they do in a build.
 */
export function packsmith(): PacksmithPlugin {
  return {
    name: "packsmith",
    enforce: "pre",
    resolveId(specifier) {
      const entry = ownEntryOf(specifier);
      return entry === undefined ? undefined : ownEntryFile(entry);
    },
  };
}
