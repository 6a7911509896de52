// For other test runners than vitest: `mocha --import=packsmith/register`,
// `node --import packsmith/register --test`. Imports of `@codahq/packs-sdk` and `packsmith` resolve
// to this package from then on, also with `require`.
import module, { register } from "node:module";
import { ownEntryFile, ownEntryOf } from "./bundle/own-modules.ts";

type Resolve = (specifier: string, ...rest: unknown[]) => string;
const loader = module as unknown as { _resolveFilename: Resolve };
const resolveFilename = loader._resolveFilename;
loader._resolveFilename = function (this: unknown, specifier, ...rest) {
  const entry = ownEntryOf(specifier);
  return entry === undefined ? resolveFilename.call(this, specifier, ...rest) : ownEntryFile(entry);
};

// Node runs these hooks in a thread of their own, so they come as source.
const names = new URL("./bundle/own-modules.js", import.meta.url).href;
const hooks = `import { ownEntryFile, ownEntryOf } from ${JSON.stringify(names)};
import { pathToFileURL } from "node:url";
export async function resolve(specifier, context, next) {
  const entry = ownEntryOf(specifier);
  return entry === undefined ? next(specifier, context) : { url: pathToFileURL(ownEntryFile(entry)).href, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
