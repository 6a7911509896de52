import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readRegularFile } from "./regular-file.ts";

/** esbuild reads these in the folder of each file and in the folders above. */
export const CONFIGURATIONS = ["package.json", "tsconfig.json", "jsconfig.json"];

/** @returns the configurations that esbuild would read in these folders, and the files that those extend, whether they exist or not */
export function configurationsIn(folders: readonly string[]): string[] {
  const paths = folders.flatMap((folder) => CONFIGURATIONS.map((name) => join(folder, name)));
  const all = new Set(paths);
  // Files that are added during the loop are visited, too, each once: a configuration may extend itself.
  for (const path of all) if (!path.endsWith("package.json")) for (const file of extendedBy(path)) all.add(file);
  return [...all];
}

function extendedBy(path: string): string[] {
  const [, list = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readText(path)) ?? [];
  return [...list.matchAll(/"([^"]+)"/g)].flatMap(([, name = ""]) => {
    if (/^\.{1,2}\//.test(name) || isAbsolute(name)) {
      const file = resolve(dirname(path), name);
      return name.endsWith(".json") ? [file] : [`${file}.json`, file];
    }
    try {
      return [createRequire(path).resolve(name)];
    } catch {
      return [join(dirname(path), "node_modules", name)];
    }
  });
}

function readText(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    return "";
  }
}
