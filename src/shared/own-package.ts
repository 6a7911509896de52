import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findUp } from "./folders.ts";

let root: string | undefined;

/**
 * Found by looking upwards: to resolve this package's own name, Node compiles its rules for names,
 * which a short command pays for.
 * @returns the folder of this package, wherever its files were joined to
 */
export function packageRoot(): string {
  root ??= dirname(findUp(import.meta.dirname, "package.json") ?? import.meta.dirname);
  return root;
}

let builtFolder: string | undefined;

/**
 * Tests run from the sources: they build the few files that must be built into a folder of their
 * own, instead of `dist`.
 */
export function useBuiltFolder(path: string): void {
  builtFolder = path;
}

/**
 * @param path below `dist`, such as `bin/parser.cjs`
 * @returns absolute path of a file that the build makes, whether this module was built or not
 */
export function builtFile(path: string): string {
  return join(builtFolder ?? join(packageRoot(), "dist"), path);
}

/** @returns absolute path of the sinon that this package contains. It is CommonJS. */
export function builtSinonFile(): string {
  return builtFile("packages/sinon.cjs");
}

let version: string | undefined;

/** @returns the version of this package, from its package.json */
export function packageVersion(): string {
  version ??= (
    JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string }
  ).version;
  return version;
}
