import { createRequire } from "node:module";
import { dirname } from "node:path";

/** @returns the folder of this package, wherever its files were joined to. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("packsmith/package.json"));
}
