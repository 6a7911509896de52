import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { resolve } from "node:path";

/** Larger than every file that an author writes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file of a project. A link can lead to a pipe, which waits for a writer, or to a device,
 * which never ends: neither is opened for longer than it takes to see what it is.
 * @throws {Error} with the code `ENOTREG` for those, and `EFBIG` for a file of more than 64 MiB;
 *   the errors of the system
 */
export function readRegularFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() && !stats.isDirectory())
      throw Object.assign(new Error(`${path} is not a regular file.`), { code: "ENOTREG" });
    if (stats.size > MAX_FILE_BYTES)
      throw Object.assign(new Error(`${path} is too large.`), { code: "EFBIG" });
    return readAll(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/** Unlike `readFileSync`, this reads also a file in an archive of Yarn. */
function readAll(file: number, bytes: number): Buffer {
  // To read nothing of a folder would be no error.
  const content = Buffer.allocUnsafe(bytes + 1);
  let end = 0;
  for (let more = 1; more > 0; end += more)
    more = readSync(file, content, { offset: end, length: content.length - end });
  return content.subarray(0, end);
}

/** The same as a promise of UTF-8 text. */
export async function readRegularText(path: string): Promise<string> {
  return readRegularFile(path).toString("utf8");
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

/**
 * What is at a path, or at the target of a link.
 * @returns undefined when there is nothing, a part of the path is a file, or a link leads to itself
 */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What is at a path itself, a link or not. */
export function readLinkStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** @returns whether a path, or the target of a link, is a file */
export function isFile(path: string): boolean {
  return readStats(path)?.isFile() === true;
}

/** Whether there is something at a path that is neither a file nor a folder. */
export function isPipeOrDevice(path: string): boolean {
  const stats = readStats(path);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
