import { readFileSync, statSync } from "node:fs";

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
