import { dirname, join, sep } from "node:path";
import { findUp } from "./find-up.ts";
import { readRegularFile } from "./regular-file.ts";

/** A TypeScript that a project has installed. */
export interface InstalledTypeScript {
  version: string;
  /** The compiler's script; undefined for a version whose options and output are not known. */
  compiler: string | undefined;
}

/**
 * The nearest TypeScript, from a folder upwards; undefined where none is installed, or what is
 * there cannot be read.
 */
export function findTypeScript(
  from: string,
  exists?: (path: string) => boolean,
): InstalledTypeScript | undefined {
  const manifest = findUp(from, join("node_modules", "typescript", "package.json"), exists);
  if (manifest === undefined) return undefined;
  try {
    const { version, bin } = JSON.parse(readRegularFile(manifest).toString()) as {
      version: string;
      bin: { tsc: string };
    };
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isKnown = (major === 4 && minor >= 9) || (major >= 5 && major <= 7);
    const compiler = join(dirname(manifest), bin.tsc);
    // A script outside of the package is not its compiler.
    if (!compiler.startsWith(dirname(manifest) + sep)) return undefined;
    return { version, compiler: isKnown ? compiler : undefined };
  } catch {
    return undefined;
  }
}
