import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findUp } from "./find-up.ts";

/** A TypeScript that a project has installed. */
export interface InstalledTypeScript {
  version: string;
  /** The compiler's script; undefined for a version whose options and output are not known. */
  compiler: string | undefined;
}

/** The nearest TypeScript, from a folder upwards; undefined where none is installed, or what is there cannot be read. */
export function findTypeScript(from: string, exists?: (path: string) => boolean): InstalledTypeScript | undefined {
  const manifest = findUp(from, join("node_modules", "typescript", "package.json"), exists);
  if (manifest === undefined) return undefined;
  try {
    const { version, bin } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string; bin: { tsc: string } };
    const major = Number.parseInt(version, 10);
    return { version, compiler: major >= 5 && major <= 7 ? join(dirname(manifest), bin.tsc) : undefined };
  } catch {
    return undefined;
  }
}
