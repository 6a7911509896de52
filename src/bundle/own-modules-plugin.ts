import type { Plugin } from "esbuild";
import { isAuthoringEntry, OWN_SPECIFIER, ownEntryFile, ownEntryOf } from "./own-modules.ts";

/** Resolves every name of this package to the copy that runs now, and keeps what needs Node out of Packs. */
export const ownModulesPlugin: Plugin = {
  name: "own-modules",
  setup(build) {
    build.onResolve({ filter: OWN_SPECIFIER }, ({ path }) => {
      const entry = ownEntryOf(path);
      if (entry === undefined) return { errors: [{ text: `packsmith has no module "${path}".` }] };
      if (!isAuthoringEntry(entry)) return { errors: [{ text: `${path} is for tests and tools: a Pack cannot carry it.` }] };
      return { path: ownEntryFile(entry), sideEffects: false };
    });
  },
};
