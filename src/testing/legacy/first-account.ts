import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Connections } from "../../execute/open-connections.ts";

const ENTRY_NAMES = ["pack.ts", "pack.js", "manifest.ts", "manifest.js"];

/**
 * Opens the accounts of the Pack that a `manifestPath` means. Suites pass its entry file, the same
 * without its extension, or another file of the folder, such as `manifest.ts`: the first of these
 * that has a connected account counts.
 * @param open opens the accounts of an entry file
 */
export async function openFirstAccount<
  Opened extends Pick<Connections, "account" | "systemAccount"> & AsyncDisposable,
>(manifestPath: string, open: (file: string) => Promise<Opened>): Promise<Opened> {
  const [first = manifestPath, ...others] = findEntries(manifestPath);
  let opened = await open(first);
  for (const file of others) {
    if (opened.account !== undefined || opened.systemAccount !== undefined) return opened;
    await opened[Symbol.asyncDispose]();
    opened = await open(file);
  }
  return opened;
}

function findEntries(manifestPath: string): string[] {
  const folder = dirname(manifestPath);
  const candidates = [
    manifestPath,
    `${manifestPath}.ts`,
    `${manifestPath}.js`,
    ...ENTRY_NAMES.map((name) => join(folder, name)),
  ];
  return [...new Set(candidates)].filter((file) => existsSync(file) && statSync(file).isFile());
}
