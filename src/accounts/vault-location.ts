import { homedir } from "node:os";
import { join } from "node:path";
import { PackError } from "../errors.ts";
import { isPostgresUrl } from "../storage/storage.ts";
import { type KeyStore, keyLocationOf } from "./key-file.ts";
import { findKeychain } from "./keychain.ts";

/**
 * The folder that holds the vault: `PACKSMITH_HOME`, else the user's configuration folder. It is never inside a project.
 * @param platform the value of `process.platform`
 */
export function homeDirectory(env: NodeJS.ProcessEnv, platform: string = process.platform, home: string = homedir()): string {
  const own = env["PACKSMITH_HOME"];
  if (own !== undefined && own !== "") return own;
  if (platform === "win32") return join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "packsmith");
  if (platform === "darwin") return join(home, "Library", "Application Support", "packsmith");
  return join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "packsmith");
}

/** Where the vault is. */
export interface VaultLocation {
  /** The folder of its key, and of its records unless there is a `databaseUrl`. */
  home: string;
  databaseUrl: string | undefined;
  /** Where the key of a new vault goes. */
  keyStore: KeyStore;
}

/**
 * The vault that the environment names: the folder of `homeDirectory`, with the records on the server of `DATABASE_URL`
 * when that is a PostgreSQL URL. Other engines' URLs are somebody else's and mean nothing here.
 */
export function vaultLocation(env: NodeJS.ProcessEnv): VaultLocation {
  const url = env["DATABASE_URL"] ?? "";
  return { home: homeDirectory(env), databaseUrl: isPostgresUrl(url) ? url : undefined, keyStore: keyStoreOf(env) };
}

/**
 * Where the key of a new vault goes: what `PACKSMITH_KEY_STORE` says, else the keychain where there is one.
 * @throws {PackError} USAGE_INVALID
 */
export function keyStoreOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): KeyStore {
  const wanted = env["PACKSMITH_KEY_STORE"] || "auto";
  if (wanted === "auto" || wanted === "file" || wanted === "keychain") return { prefer: wanted, keychain: findKeychain({ env, platform }) };
  throw new PackError("USAGE_INVALID", "PACKSMITH_KEY_STORE names no place for a key.", {
    details: undefined,
    hint: "Set it to file or keychain, or leave it unset.",
  });
}

/** Where the vault of a folder has its key; undefined when there is no vault yet. */
export function keyLocation(home: string): "file" | "keychain" | undefined {
  return keyLocationOf(join(home, "vault.key"));
}
