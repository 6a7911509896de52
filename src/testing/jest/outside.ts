// In the bundle for jest, this stands in for the modules that need the sandbox, accounts and
// sockets. They are ES modules, which Node loads as it does without jest.
import { join } from "node:path";
import type * as bundle from "../legacy/execute-bundle.ts";
import type * as real from "../legacy/real-context.ts";

/** @param file of this package, relative to the bundle for jest */
export function loadOutside(file: string): object {
  // jest takes it for a module of Node, so Node loads it.
  const { load } = require(join(__dirname, "outside.cjs")) as { load(file: string): object };
  return load(file);
}

const loadLegacy = (name: string): object => loadOutside(`../testing/legacy/${name}.js`);
const bundleModule = () => loadLegacy("execute-bundle") as typeof bundle;
const realModule = () => loadLegacy("real-context") as typeof real;

export const executeFormulaOrSyncWithVM: typeof bundle.executeFormulaOrSyncWithVM = async (
  options,
) => await bundleModule().executeFormulaOrSyncWithVM(options);

export const newRealFetcherExecutionContext: typeof real.newRealFetcherExecutionContext = (
  ...args
) => realModule().newRealFetcherExecutionContext(...args);

export const newRealFetcherSyncExecutionContext: typeof real.newRealFetcherSyncExecutionContext = (
  ...args
) => realModule().newRealFetcherSyncExecutionContext(...args);
