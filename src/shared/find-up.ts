import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The nearest path of this name, in a folder or one above it.
 * @param exists for who asks about many folders below the same ones
 */
export function findUp(
  from: string,
  name: string,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const path = join(from, name);
  if (exists(path)) return path;
  const parent = dirname(from);
  return parent === from ? undefined : findUp(parent, name, exists);
}

/** @returns a folder and all folders above it, the nearest first */
export function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}
