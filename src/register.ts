// For other test runners than vitest: `mocha --import=packsmith/register`,
// `NODE_OPTIONS=--import=packsmith/register jest`, `node --import packsmith/register --test`. Imports of `@codahq/packs-sdk` and `packsmith` resolve
// to this package from then on, also with `require`. So does `sinon` if the project does not have it.
import { register } from "node:module";
import { isMainThread, workerData } from "node:worker_threads";
import { requireOwnModules } from "./bundle/require-own-modules.ts";
import { teachJest } from "./testing/jest/teach-jest.ts";

// With NODE_OPTIONS these lines also run in the thread in which esbuild compiles for tsx, while the
// main thread waits for it: that one loads no code of a suite, and hooks there would block both.
// Nor may it load esbuild once more, which would answer in its place.
const isCompiler = !isMainThread && workerData?.esbuildVersion !== undefined;
if (!isCompiler) {
  // mocha imports a file, and requires it if that fails. Node cannot require a module whose import
  // stopped halfway, so these are loaded first.
  await import("./legacy.ts");
  await import("./legacy-testing.ts");
  useOwnModules();
}

function useOwnModules(): void {
  requireOwnModules();
  teachJest();
  // Node runs these hooks in a thread of their own, so they come as source.
  const names = new URL("./bundle/own-modules.js", import.meta.url).href;
  const hooks = `import { ownEntryFile, ownEntryOf, ownEntryOfTypes, replaceMissingModule } from ${JSON.stringify(names)};
import { fileURLToPath, pathToFileURL } from "node:url";
export async function resolve(specifier, context, next) {
  const entry = ownEntryOf(specifier);
  if (entry !== undefined) return { url: pathToFileURL(ownEntryFile(entry)).href, shortCircuit: true };
  let resolved;
  try {
    resolved = await next(specifier, context);
  } catch (error) {
    const file = replaceMissingModule(specifier, error);
    if (file === undefined) throw error;
    return { url: pathToFileURL(file).href, format: "commonjs", shortCircuit: true };
  }
  const typedEntry = resolved.url.startsWith("file:") ? ownEntryOfTypes(fileURLToPath(resolved.url)) : undefined;
  return typedEntry === undefined ? resolved : { url: pathToFileURL(ownEntryFile(typedEntry)).href, shortCircuit: true };
}`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
