import module from "node:module";
import { ownEntryFile, ownEntryOf, ownEntryOfTypes } from "./own-modules.ts";

type Resolve = (specifier: string, ...rest: unknown[]) => string;

/** Lets `require` resolve `@codahq/packs-sdk` and `packsmith` to this package from now on. */
export function requireOwnModules(): void {
  const loader = module as unknown as { _resolveFilename: Resolve };
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, specifier, ...rest) {
    const entry = ownEntryOf(specifier);
    if (entry !== undefined) return ownEntryFile(entry);
    const file = resolveFilename.call(this, specifier, ...rest);
    const typedEntry = ownEntryOfTypes(file);
    return typedEntry === undefined ? file : ownEntryFile(typedEntry);
  };
}
