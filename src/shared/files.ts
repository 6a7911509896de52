import { readFileSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Reads a file of a project. Reading a pipe or a device, which a link can lead to, may never end.
 * @throws {Error} with the code `ENOTREG` for those; the errors of the system
 */
export function readRegularFile(path: string): Buffer {
  const stats = statSync(path);
  if (!stats.isFile() && !stats.isDirectory())
    throw Object.assign(new Error(`${path} is not a regular file.`), { code: "ENOTREG" });
  return readFileSync(path);
}

/** Reads each file once; a file that cannot be read has no text. */
export function createSourceReader(cwd: string): (file: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  return (file) => {
    if (!texts.has(file)) texts.set(file, readText(resolve(cwd, file)));
    return texts.get(file);
  };
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path)
      .toString()
      .replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}

/**
 * Whether a file or folder belongs to the user of this process. Windows has no owners of this kind.
 */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
