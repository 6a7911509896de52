import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";

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
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/**
 * Makes a folder and those above it that are missing. Node's own recursive mkdir never ends where
 * the system answers that a
 * new folder's parent does not exist although it does, as under /proc; here that answer is an
 * error.
 * @param mode of the folders that are made. @default 0o777, less the process's umask
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may make the same folder meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/**
 * The folder of the vault: `PACKSMITH_HOME`, otherwise the user's configuration folder. It is never
 * inside a project.
 * @param platform the value of `process.platform`
 */
export function homeDirectory(
  env: NodeJS.ProcessEnv,
  platform: string = process.platform,
  home: string = homedir(),
): string {
  const own = env["PACKSMITH_HOME"];
  if (own !== undefined && own !== "") return own;
  if (platform === "win32")
    return join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "packsmith");
  if (platform === "darwin") return join(home, "Library", "Application Support", "packsmith");
  return join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "packsmith");
}

/**
 * The folder for what can be made again, such as built Packs: `PACKSMITH_CACHE`, otherwise the
 * user's folder for caches.
 * It is not in `node_modules`, which `npm ci` deletes.
 * @param platform the value of `process.platform`
 */
export function cacheFolder(
  env: NodeJS.ProcessEnv,
  platform: string = process.platform,
  home: string = homedir(),
): string {
  const own = env["PACKSMITH_CACHE"];
  if (own !== undefined && own !== "") return resolve(own);
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "packsmith", "Cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "packsmith");
  return join(env["XDG_CACHE_HOME"] ?? join(home, ".cache"), "packsmith");
}

/** @returns undefined when the folders have none in common, as on two drives */
export function commonFolder(folders: readonly string[]): string | undefined {
  return folders.reduce<string | undefined>((common, folder) => {
    let shared = common;
    while (
      shared !== undefined &&
      folder !== shared &&
      !folder.startsWith(shared.endsWith(sep) ? shared : shared + sep)
    ) {
      shared = dirname(shared) === shared ? undefined : dirname(shared);
    }
    return shared;
  }, folders[0]);
}
