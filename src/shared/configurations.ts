import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readRegularFile } from "./regular-file.ts";

/** esbuild reads these in the folder of each file and in the folders above. */
export const CONFIGURATIONS = ["package.json", "tsconfig.json", "jsconfig.json"];

/** Where Yarn has put packages. esbuild reads the first one in the working folder and the folders above. */
const PACKAGE_MAPS = [".pnp.data.json", ".pnp.cjs", ".pnp.js"];

/** @returns the configurations that esbuild would read in these folders, and the files that those extend, whether they exist or not */
export function configurationsIn(folders: readonly string[]): string[] {
  const paths = folders.flatMap((folder) => [...CONFIGURATIONS, ...PACKAGE_MAPS].map((name) => join(folder, name)));
  const all = new Set(paths);
  // Files that are added during the loop are visited, too, each once: a configuration may extend itself.
  for (const path of all) if (!NEVER_EXTEND.includes(basename(path))) for (const file of extendedBy(path)) all.add(file);
  return [...all];
}

const NEVER_EXTEND: readonly string[] = ["package.json", ...PACKAGE_MAPS];

function extendedBy(path: string): string[] {
  const text = readText(path).replace(/\\u([\da-f]{4})|\\\//gi, (_, code?: string) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
  const [, list = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(text) ?? [];
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
