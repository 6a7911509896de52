import { ownEntryFile, ownEntryOf } from "./bundle/own-modules.ts";

/** The members of a Vite plugin that this one uses. */
export interface PacksmithPlugin {
  name: string;
  enforce: "pre";
  resolveId(specifier: string): string | undefined;
}

/**
 * The vitest preset: `plugins: [packsmith()]`. Imports of `packsmith` and of `@codahq/packs-sdk`, its published files included,
 * resolve to this package in tests and Packs, as in a build.
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
