import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";

const require = createRequire(import.meta.url);

/**
 * The names under which an author imports this package, and the built file that each stands for: an existing Pack that
 * imports `@codahq/packs-sdk` builds unchanged.
 */
export function ownModules(): Record<string, string> {
  const authoring = require.resolve("packsmith");
  return { packsmith: authoring, "@codahq/packs-sdk": authoring, "packsmith/service": join(dirname(authoring), "service.js") };
}

/** @returns the version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(require.resolve("packsmith/package.json"), "utf8")) as { version: string }).version;
}

/** @returns a function that names a file of this package by the package (`packsmith/define/pack.js`), wherever it is installed. */
export function createOwnPathNamer(folder: string): (path: string) => string {
  const dist = `${relative(folder, dirname(require.resolve("packsmith")))
    .split(sep)
    .join("/")}/`;
  return (path) => (path.startsWith(dist) ? `packsmith/${path.slice(dist.length)}` : path);
}
