import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { notWritable } from "./failures.ts";
import { readRegularFile } from "./files.ts";
import { isInPackage } from "./installed-packages.ts";

/**
 * Writes under a temporary name, then renames: no one ever reads half a file, and a failure keeps
 * the old one.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { mode }: { mode?: number | undefined } = {},
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Replaces the content of a file of the author's; its permissions stay.
 * @returns whether the file still held the expected text, and now holds the new one
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function replaceFile(path: string, expected: string, text: string): Promise<boolean> {
  // What a link points to is replaced, not the link.
  const target = await realpath(path);
  if (isInPackage(target) || !readRegularFile(target).equals(Buffer.from(expected))) return false;
  try {
    const { mode } = await stat(target);
    await writeAtomically(target, text, { mode });
    return true;
  } catch (cause) {
    throw notWritable(
      "The change",
      path,
      "Check the permissions of the file and its folder.",
      cause,
    );
  }
}
