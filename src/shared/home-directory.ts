import { homedir } from "node:os";
import { join } from "node:path";

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
