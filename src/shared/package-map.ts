import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findUp, foldersUpFrom } from "./folders.ts";

/** The part of Yarn's interface that is used here. */
interface PackageMap {
  resolveToUnqualified(
    request: string,
    issuer: string,
    options: { considerBuiltins: boolean },
  ): string | null;
}

/**
 * The folder of a package, also in an archive, where Yarn runs this process with Plug'n'Play. Only
 * the map that Yarn started the process with counts: that of another folder is a program of its
 * author.
 * @param from a folder
 * @returns undefined for a package that the folder's own does not list, and without Plug'n'Play
 */
export function findMappedPackage(name: string, from: string): string | undefined {
  map ??= loadMap();
  try {
    const options = { considerBuiltins: false };
    const found = map.resolveToUnqualified?.(name, join(from, "any"), options) ?? undefined;
    // It ends with a separator.
    return found === undefined ? undefined : join(found, ".");
  } catch {
    return undefined;
  }
}

/**
 * The manifest of a package that an import in a folder finds.
 * @param exists remembers what it has seen, for many folders. @default each path is looked at
 */
export function findManifest(
  name: string,
  from: string,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const mapped = findMappedPackage(name, from);
  return mapped === undefined
    ? findUp(from, join("node_modules", name, "package.json"), exists)
    : join(mapped, "package.json");
}

/**
 * The manifest of a tool: with Plug'n'Play, the packages of a workspace do not list those of its
 * root.
 */
export function findToolManifest(...[name, from, exists]: Parameters<typeof findManifest>) {
  const isListed = (folder: string): boolean => findMappedPackage(name, folder) !== undefined;
  return findManifest(name, foldersUpFrom(from).find(isListed) ?? from, exists);
}

/** Whether Yarn runs this process with Plug'n'Play. */
export function isMapped(): boolean {
  return process.versions["pnp"] !== undefined;
}

let map: Partial<PackageMap> | undefined;

function loadMap(): Partial<PackageMap> {
  try {
    return isMapped() ? (createRequire(import.meta.url)("pnpapi") as PackageMap) : {};
  } catch {
    return {};
  }
}
