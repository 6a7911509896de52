import module from "node:module";
import {
  findOwnEntry,
  ownEntryFile,
  ownEntryOfTypes,
  replaceMissingModule,
} from "./own-modules.ts";

type Resolve = (specifier: string, ...rest: unknown[]) => string;

/**
 * Lets `require` resolve `@codahq/packs-sdk` and `packsmith` to this package from now on, and
 * `sinon` in a project that does not have it.
 */
export function requireOwnModules(): void {
  const loader = module as typeof module & { _resolveFilename: Resolve };
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, specifier, ...rest) {
    const entry = findOwnEntry(specifier);
    if (entry !== undefined) return ownEntryFile(entry);
    try {
      const file = resolveFilename.call(this, specifier, ...rest);
      const typedEntry = ownEntryOfTypes(file);
      return typedEntry === undefined ? file : ownEntryFile(typedEntry);
    } catch (error) {
      const file = replaceMissingModule(specifier, error);
      if (file === undefined) throw error;
      return file;
    }
  };
}
