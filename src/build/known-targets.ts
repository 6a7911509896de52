import { resolve } from "node:path";
import { readRegularFile } from "../shared/files.ts";
import { cachedDefinition } from "./pack-cache.ts";

/** Only plain words: a shell could treat anything else specially. */
const WORD = /^\w+$/;
/** `pack.addFormula({ name: "…"`, and the same for sync tables. */
const ADDED = /\badd(?:Formula|SyncTable|DynamicSyncTable)\s*\(\s*\{\s*name:\s*["'`](\w+)["'`]/g;

/**
 * Lists the formulas and sync tables of a Pack for completion: those of the last build, and those
 * that the entry file names. It
 * neither builds nor runs the Pack, and never throws.
 */
export function knownTargets(file: string, cwd: string, folder: string): string[] {
  const path = resolve(cwd, file);
  return [...new Set([...cachedNames(path, folder), ...namesInText(path)])]
    .filter((name) => WORD.test(name))
    .sort();
}

function cachedNames(path: string, folder: string): string[] {
  const { formulas = [], syncTables = [] } = cachedDefinition(path, folder) ?? {};
  return [...formulas, ...syncTables].map(({ name }) => name);
}

function namesInText(path: string): string[] {
  try {
    return [...readRegularFile(path).toString().matchAll(ADDED)].map(([, name = ""]) => name);
  } catch {
    return [];
  }
}
