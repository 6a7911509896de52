import { join, sep } from "node:path";
import { readRegularFile } from "../shared/regular-file.ts";

/**
 * Which files of a package count: those for browsers, which need nothing of Node, or its main ones. Some packages' files for browsers
 * expect what only browsers have, such as a global `fetch`.
 */
export type PackageEntries = "browser" | "main";

/** The options of esbuild for both. */
export const ENTRY_OPTIONS = {
  // The "browser" field of a package.json says how the package works without Node.
  browser: { platform: "browser", mainFields: ["browser", "module", "main"], conditions: ["browser", "module"] },
  main: { platform: "neutral", mainFields: ["main", "module"], conditions: ["node", "module"] },
} as const;

/**
 * @param paths absolute paths of the files in a bundle
 * @returns the names of the packages among them that have other files for browsers, sorted
 */
export function packagesForBrowsers(paths: readonly string[]): string[] {
  const folders = new Set(paths.flatMap((path) => packageFolder(path) ?? []));
  return [...new Set([...folders].filter(isForBrowsers).map(packageName))].sort();
}

function packageFolder(path: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path)?.[0];
}

function packageName(folder: string): string {
  return folder.split(sep).join("/").split("/node_modules/").at(-1) ?? "";
}

function isForBrowsers(folder: string): boolean {
  try {
    const { browser, exports } = JSON.parse(readRegularFile(join(folder, "package.json")).toString()) as Record<string, unknown>;
    return browser !== undefined || JSON.stringify(exports ?? {}).includes('"browser":');
  } catch {
    return false;
  }
}
