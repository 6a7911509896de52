import { randomBytes } from "node:crypto";
import { readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { sep } from "node:path";
import { PackError } from "../errors.ts";

/**
 * Replaces a file of the author's as a whole; its permissions stay.
 * @returns whether the file still held the expected text, and now holds the new one
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function replaceFile(path: string, expected: string, text: string): Promise<boolean> {
  // What a link points to is replaced, not the link.
  const target = await realpath(path);
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  if (target.split(sep).includes("node_modules") || !(await readFile(target)).equals(Buffer.from(expected))) return false;
  try {
    const { mode } = await stat(target);
    await writeFile(temporary, text, { flag: "wx", mode });
    await rename(temporary, target);
    return true;
  } catch (cause) {
    throw new PackError("OUTPUT_NOT_WRITABLE", `The change cannot be written to ${path}.`, {
      details: { path },
      hint: "Check the permissions of the file and its folder.",
      cause,
    });
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
