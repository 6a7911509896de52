import { homedir } from "node:os";
import { join, resolve } from "node:path";

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
