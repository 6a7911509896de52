import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { readStats } from "../shared/files.ts";

/**
 * Reports changes in some folders, but not in the folders below them. Folders may disappear and
 * come back.
 */
export interface FolderWatch extends Disposable {
  /**
   * Sets the folders to watch; folders that do not exist are left out. @returns the folders that
   * were not watched before
   */
  setFolders(folders: Iterable<string>): string[];
}

/**
 * Starts to watch one folder, as `watch` of `node:fs` does. It may throw, or end with an error
 * later.
 */
export type OpenWatcher = (folder: string, onEvent: (name: string | null) => void) => FSWatcher;

export interface WatchFoldersOptions {
  /**
   * Called with the absolute path of what changed, or with the path of the folder when the system
   * does not report the name.
   */
  onChange(path: string): void;
  /** How often to read a folder that the system cannot watch, in milliseconds. @default 500 */
  pollMs?: number | undefined;
  /** @default `watch` of `node:fs` */
  openWatcher?: OpenWatcher | undefined;
}

interface Watched extends Disposable {
  /** Device and number of the folder: a new folder of the same name has to be watched again. */
  identity: string;
}

const POLL_MS = 500;

/**
 * Watches folders with the system's notifications, and reads them at intervals where there are
 * none.
 */
export function watchFolders({
  onChange,
  pollMs = POLL_MS,
  openWatcher = openSystemWatcher,
}: WatchFoldersOptions): FolderWatch {
  const watched = new Map<string, Watched>();

  const open = (folder: string, identity: string): void => {
    const poll = (): void =>
      void watched.set(folder, { identity, ...pollFolder(folder, pollMs, onChange) });
    try {
      const watcher = openWatcher(folder, (name) =>
        onChange(name === null ? folder : join(folder, name)),
      );
      watcher.on("error", () => {
        watcher.close();
        if (watched.get(folder)?.identity !== identity) return;
        poll();
        onChange(folder);
      });
      watched.set(folder, { identity, [Symbol.dispose]: () => watcher.close() });
    } catch {
      // The system has no more watches, or the file system does not support them.
      poll();
    }
  };

  const close = (folder: string): void => {
    watched.get(folder)?.[Symbol.dispose]();
    watched.delete(folder);
  };

  return {
    setFolders(folders) {
      const wanted = new Set(folders);
      for (const folder of watched.keys()) if (!wanted.has(folder)) close(folder);
      return [...wanted].filter((folder) => {
        const identity = findIdentity(folder);
        if (identity === watched.get(folder)?.identity) return false;
        close(folder);
        if (identity !== undefined) open(folder, identity);
        return identity !== undefined;
      });
    },
    [Symbol.dispose]() {
      for (const folder of watched.keys()) close(folder);
    },
  };
}

function openSystemWatcher(folder: string, onEvent: (name: string | null) => void): FSWatcher {
  return watch(folder, { persistent: true }, (_, name) => onEvent(name));
}

function findIdentity(folder: string): string | undefined {
  const stats = readStats(folder);
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}

function pollFolder(folder: string, pollMs: number, onChange: (path: string) => void): Disposable {
  let before = fingerprintsIn(folder);
  const timer = setInterval(() => {
    const after = fingerprintsIn(folder);
    const names = new Set([...before.keys(), ...after.keys()]);
    for (const name of names)
      if (before.get(name) !== after.get(name)) onChange(join(folder, name));
    before = after;
  }, pollMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function fingerprintsIn(folder: string): Map<string, string> {
  return new Map(namesIn(folder).map((name) => [name, fileFingerprint(join(folder, name))]));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The facts about a file that change with its content, without reading it. */
export function fileFingerprint(path: string): string {
  const stats = readStats(path);
  // The times of a folder change with everything in it, which does not count here.
  if (stats === undefined || stats.isDirectory()) return stats === undefined ? "" : "folder";
  return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}
