import type { Stats } from "node:fs";

/**
 * Whether a file or folder belongs to the user of this process. Windows has no owners of this kind.
 */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
