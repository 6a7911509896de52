import type { Plugin } from "esbuild";
import { authoringFile, isAuthoringEntry, ownEntryOf } from "./own-modules.ts";

/**
 * Resolves the modules of this package beyond its two names, which are aliases that esbuild need not ask about, and keeps what needs
 * Node out of Packs.
 */
export const ownModulesPlugin: Plugin = {
  name: "own-modules",
  setup(build) {
    build.onResolve({ filter: /^(packsmith|@codahq\/packs-sdk)\// }, ({ path }) => {
      const entry = ownEntryOf(path);
      if (entry === undefined) return { errors: [{ text: `packsmith has no module "${path}".` }] };
      if (!isAuthoringEntry(entry)) return { errors: [{ text: `${path} is for tests and tools: a Pack cannot carry it.` }] };
      return { path: authoringFile(entry), sideEffects: false };
    });
  },
};
