import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersUpFrom } from "../shared/folders.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { readTypePaths } from "../shared/typescript.ts";
import type { Issue, SourceFile } from "../validate/issue.ts";
import { importsLegacyPackage } from "./own-modules.ts";

/**
 * Checks whether a type checker finds `@codahq/packs-sdk`. A Pack that imports it builds here, but
 * a type checker needs the package
 * itself, or `paths` that map the name to packsmith.
 * @param folder absolute path of the folder that the sources' paths are relative to
 * @returns one warning, at the first import that a type checker cannot resolve
 */
export function unresolvedTypes(sources: readonly SourceFile[], folder: string): Issue[] {
  for (const { path, text } of sources) {
    if (!/\.[cm]?tsx?$/.test(path) || !importsLegacyPackage(text)) continue;
    if (hasLegacyTypes(folder)) return [];
    const before = text.slice(0, text.indexOf("@codahq/packs-sdk") - 1);
    return [
      {
        code: "BUILD_WARNING",
        severity: "warning",
        message:
          "The Pack builds, but a type checker cannot find @codahq/packs-sdk. The package is not installed, and tsconfig.json does not map its name to packsmith.",
        path: "",
        file: path,
        line: before.split("\n").length,
        column: before.length - before.lastIndexOf("\n"),
        hint: "Run packsmith init in the project folder to add the mapping to tsconfig.json.",
      },
    ];
  }
  return [];
}

/**
 * @returns the name that a package in or above a folder gives itself, which is another one if it is
 * installed under an alias
 */
export function readInstalledName(folder: string, name: string): string | undefined {
  const manifest = foldersUpFrom(folder)
    .map((each) => join(each, "node_modules", name, "package.json"))
    .find((path) => existsSync(path));
  if (manifest === undefined) return undefined;
  const own = readJsonWithComments(manifest)?.["name"];
  return typeof own === "string" ? own : name;
}

/** @returns whether a type checker that starts in this folder resolves `@codahq/packs-sdk` */
export function hasLegacyTypes(folder: string): boolean {
  if (readInstalledName(folder, "@codahq/packs-sdk") !== undefined) return true;
  const home = foldersUpFrom(folder).find((parent) => existsSync(join(parent, "tsconfig.json")));
  if (home === undefined) return false;
  return Object.keys(readTypePaths(join(home, "tsconfig.json"))).some((name) =>
    ["@codahq/packs-sdk", "@codahq/*"].includes(name),
  );
}
