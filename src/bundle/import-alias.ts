import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { foldersUpFrom } from "../shared/folders.ts";
import { readPackageName } from "../shared/installed-packages.ts";
import { mappedTo, readTypePaths } from "../shared/typescript.ts";

/** A name that npm accepts for a package, in lower case or, for old packages, in upper case. */
const PACKAGE_NAME = /^(?:@[\w.-]+\/)?[\w.-]+$/;

/** Whether an import cannot name a package, such as `@/lib/text` and `~/text`. */
export function isAlias(specifier: string): boolean {
  return !PACKAGE_NAME.test(readPackageName(specifier));
}

/**
 * Explains why an import by an alias has no file.
 * @param importer the importing file, relative to the folder or absolute
 * @param folder the paths in the message are relative to it
 */
export function explainAlias(
  alias: string,
  importer: string,
  folder: string,
): { message: string; hint: string } {
  const home = dirname(resolve(folder, importer));
  const config = foldersUpFrom(home)
    .flatMap((each) => ["tsconfig.json", "jsconfig.json"].map((name) => join(each, name)))
    .find((path) => existsSync(path));
  const pattern = `${alias.slice(0, alias.indexOf("/") + 1) || alias}*`;
  const entry = `"${pattern}": ["./src/*"]`;
  if (config === undefined)
    return {
      message: `No file was found for the alias ${alias}: there is no tsconfig.json.`,
      hint: `Import the file by its relative path, or create a tsconfig.json with { "compilerOptions": { "paths": { ${entry} } } }.`,
    };
  const place = relative(folder, config);
  const paths = readTypePaths(config);
  const [target] = mappedTo(alias, { paths, baseUrl: undefined });
  return target === undefined
    ? {
        message: `No file was found for the alias ${alias}: compilerOptions.paths of ${place} does not map it.`,
        hint: `Import the file by its relative path, or add the alias to compilerOptions.paths of ${place}: ${entry}.`,
      }
    : {
        message: `No file was found for the alias ${alias}: ${place} maps it to ${relative(folder, target)}, which does not exist.`,
        hint: `Correct the path, or compilerOptions.paths of ${place}.`,
      };
}
