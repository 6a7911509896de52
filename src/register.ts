// For other test runners than vitest: `mocha --import=packsmith/register`,
// `NODE_OPTIONS=--import=packsmith/register jest`, `node --import packsmith/register --test`.
// Imports of `@codahq/packs-sdk` and `packsmith` resolve to this package from then on, also with
// `require`. So does `sinon` if the project does not have it.
import module, { createRequire, register } from "node:module";
import { isMainThread, workerData } from "node:worker_threads";
import type { SharedState } from "./bundle/import-own-modules.ts";
import { ownEntryFile } from "./bundle/own-modules.ts";
import { requireOwnModules } from "./bundle/require-own-modules.ts";
import { teachJest } from "./testing/jest/teach-jest.ts";

// With NODE_OPTIONS these lines also run in the thread in which esbuild compiles for tsx, while the
// main thread waits for it: that one loads no code of a suite, and hooks there would block both.
// Nor may it load esbuild once more, which would answer in its place.
const isCompiler = !isMainThread && workerData?.esbuildVersion !== undefined;
if (!isCompiler) {
  // mocha imports a file, and requires it if that fails. Node cannot require a module whose import
  // stopped halfway, so these are loaded first. `node -r` refuses a module that awaits something.
  const load = createRequire(import.meta.url);
  load(ownEntryFile("legacy"));
  load(ownEntryFile("legacy-testing"));
  useOwnModules();
}

function useOwnModules(): void {
  requireOwnModules();
  teachJest();
  const hasCompiler = new Int32Array(new SharedArrayBuffer(4));
  whenRequireCompiles(() => Atomics.store(hasCompiler, 0, 1));
  const data: SharedState = { hasCompiler };
  register(new URL("./bundle/import-own-modules.js", import.meta.url), { data });
}

/** Compilers such as ts-node set the function with which `require` loads `.ts`. */
function whenRequireCompiles(report: () => void): void {
  const { _extensions: extensions } = module as typeof module & { _extensions: object };
  if (".ts" in extensions) report();
  else
    Object.defineProperty(extensions, ".ts", {
      configurable: true,
      get: () => undefined,
      set(value: unknown) {
        const property = { value, configurable: true, enumerable: true, writable: true };
        Object.defineProperty(extensions, ".ts", property);
        report();
      },
    });
}
