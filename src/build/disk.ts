import { existsSync } from "node:fs";
import { isFile } from "../shared/files.ts";
import { isInPackage } from "../shared/installed-packages.ts";
import { parseObjectWithComments } from "../shared/json.ts";
import { createRealPathReader, realPath } from "../shared/project-boundary.ts";
import { memoize } from "../shared/values.ts";
import { readText } from "./cache-records.ts";

/**
 * What is at paths. Packages stay the same while a command runs, and many imports ask about the
 * same paths of them: each is looked at once.
 */
export interface Disk {
  isFile(path: string): boolean;
  exists(path: string): boolean;
  realPath(path: string): string;
  /** Undefined where there is no file; empty for one that cannot be read. */
  readText(path: string): string | undefined;
  readManifest(path: string): Readonly<Record<string, unknown>>;
}

export function createDisk(): Disk {
  const readRealPath = createRealPathReader();
  const read = onceInPackages(readExistingText);
  return {
    isFile: onceInPackages(isFile),
    exists: onceInPackages(existsSync),
    realPath: (path) => (isInPackage(path) ? readRealPath(path) : realPath(path)),
    readText: read,
    readManifest: onceInPackages((path) => parseObjectWithComments(read(path) ?? "") ?? {}),
  };
}

function onceInPackages<Value>(look: (path: string) => Value): (path: string) => Value {
  const once = memoize(look);
  return (path) => (isInPackage(path) ? once(path) : look(path));
}

/** To look is faster than to fail, and many paths are asked about that do not exist. */
function readExistingText(path: string): string | undefined {
  return isFile(path) ? readText(path) : undefined;
}
