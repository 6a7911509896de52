import { isBuiltin } from "node:module";
import { join } from "node:path";
import { readRegularFile } from "../shared/files.ts";
import { findInstalledPackage } from "../shared/installed-packages.ts";

/**
 * Which files of a package count: those for browsers, which need nothing of Node, or its main ones.
 * Some packages' files for browsers
 * expect what only browsers have, such as a global `fetch`.
 */
export type PackageEntries = "browser" | "main";

/** The options of esbuild for both. */
export const ENTRY_OPTIONS = {
  // The "browser" field of a package.json says how the package works without Node.
  browser: {
    platform: "browser",
    mainFields: ["browser", "module", "main"],
    conditions: ["browser", "module"],
  },
  main: { platform: "neutral", mainFields: ["main", "module"], conditions: ["node", "module"] },
} as const;

/**
 * @param paths absolute paths of the files in a bundle
 * @returns the names of the packages among them that have other files for browsers, sorted
 */
export function packagesForBrowsers(paths: readonly string[]): string[] {
  return packagesThat(isForBrowsers, paths);
}

/**
 * @param paths absolute paths of the files in a bundle
 * @returns the names of the packages among them that have main files and others, sorted
 */
export function packagesWithMainFiles(paths: readonly string[]): string[] {
  return packagesThat(
    (manifest) =>
      isForBrowsers(manifest) ||
      (manifest["module"] !== undefined && manifest["module"] !== manifest["main"]),
    paths,
  );
}

/**
 * Finds packages that leave out another package for browsers, because a browser has what it does: a
 * document, for example. The Pack
 * runtime has nothing of a browser, so such a package works with its main files or not at all.
 * @param paths absolute paths of the files in a bundle
 * @returns the names of the packages, sorted
 */
export function packagesThatNeedBrowsers(paths: readonly string[]): string[] {
  return packagesThat(
    ({ browser }) =>
      typeof browser === "object" &&
      browser !== null &&
      Object.entries(browser).some(
        ([name, file]) => file === false && !name.startsWith(".") && !isBuiltin(name),
      ),
    paths,
  );
}

function packagesThat(
  isMeant: (manifest: Record<string, unknown>) => boolean,
  paths: readonly string[],
): string[] {
  const packages = new Map(
    paths.flatMap((path) => {
      const found = findInstalledPackage(path);
      return found === undefined ? [] : [[found.folder, found.name]];
    }),
  );
  const meant = [...packages].filter(([folder]) => isMeant(readManifest(folder)));
  return [...new Set(meant.map(([, name]) => name))].sort();
}

function isForBrowsers({ browser, exports }: Record<string, unknown>): boolean {
  return browser !== undefined || JSON.stringify(exports ?? {}).includes('"browser":');
}

function readManifest(folder: string): Record<string, unknown> {
  try {
    return JSON.parse(readRegularFile(join(folder, "package.json")).toString()) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}
