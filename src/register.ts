// For other test runners than vitest: `mocha --import=packsmith/register`,
// `node --import packsmith/register --test`. Imports of `@codahq/packs-sdk` and `packsmith` resolve
// to this package from then on, also with `require`.
import module, { register } from "node:module";
import { ownEntryFile, ownEntryOf, ownEntryOfTypes } from "./bundle/own-modules.ts";
// mocha imports a file, and requires it if that fails. Node cannot require a module whose import
// stopped halfway, so these are loaded first.
import "./legacy.ts";
import "./legacy-testing.ts";

type Resolve = (specifier: string, ...rest: unknown[]) => string;
const loader = module as unknown as { _resolveFilename: Resolve };
const resolveFilename = loader._resolveFilename;
loader._resolveFilename = function (this: unknown, specifier, ...rest) {
  const entry = ownEntryOf(specifier);
  if (entry !== undefined) return ownEntryFile(entry);
  const file = resolveFilename.call(this, specifier, ...rest);
  const typedEntry = ownEntryOfTypes(file);
  return typedEntry === undefined ? file : ownEntryFile(typedEntry);
};

// Node runs these hooks in a thread of their own, so they come as source.
const names = new URL("./bundle/own-modules.js", import.meta.url).href;
const hooks = `import { ownEntryFile, ownEntryOf, ownEntryOfTypes } from ${JSON.stringify(names)};
import { fileURLToPath, pathToFileURL } from "node:url";
export async function resolve(specifier, context, next) {
  const entry = ownEntryOf(specifier);
  if (entry !== undefined) return { url: pathToFileURL(ownEntryFile(entry)).href, shortCircuit: true };
  const resolved = await next(specifier, context);
  const typedEntry = resolved.url.startsWith("file:") ? ownEntryOfTypes(fileURLToPath(resolved.url)) : undefined;
  return typedEntry === undefined ? resolved : { url: pathToFileURL(ownEntryFile(typedEntry)).href, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
