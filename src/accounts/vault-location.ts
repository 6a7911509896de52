import { join } from "node:path";
import { PackError } from "../errors.ts";
import { homeDirectory } from "../shared/folders.ts";
import { isPostgresUrl, isUnencrypted } from "../storage/storage.ts";
import { findKeyLocation, type KeyStore } from "./key-file.ts";
import { findKeychain } from "./keychain.ts";

/** Where the vault is. */
export interface VaultLocation {
  /** The folder of its key, and of its records if there is no `databaseUrl`. */
  home: string;
  databaseUrl: string | undefined;
  /** Where a new vault keeps its key. */
  keyStore: KeyStore;
}

/**
 * The vault of an environment: the folder of `homeDirectory`, with the records on the server of
 * `DATABASE_URL` if that is a
 * PostgreSQL URL. URLs of other engines belong to other programs and are ignored.
 */
export function vaultLocation(env: NodeJS.ProcessEnv): VaultLocation {
  const url = env["DATABASE_URL"] ?? "";
  return {
    home: homeDirectory(env),
    databaseUrl: isPostgresUrl(url) ? url : undefined,
    keyStore: chooseKeyStore(env),
  };
}

/**
 * @returns a remark on the connection to the vault's server; undefined if there is nothing to say
 */
export function vaultWarning(env: NodeJS.ProcessEnv): string | undefined {
  if (!isUnencrypted(env["DATABASE_URL"] ?? "")) return undefined;
  return "the connection to the server of DATABASE_URL is not encrypted. Others on the network can read your database password and delete accounts. Remove sslmode=disable from the URL.";
}

/**
 * Where a new vault keeps its key: the value of `PACKSMITH_KEY_STORE`, otherwise the keychain if
 * there is one.
 * @throws {PackError} USAGE_INVALID
 */
export function chooseKeyStore(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): KeyStore {
  const wanted = env["PACKSMITH_KEY_STORE"] || "auto";
  if (wanted === "auto" || wanted === "file" || wanted === "keychain")
    return { prefer: wanted, keychain: findKeychain({ env, platform }) };
  throw new PackError("USAGE_INVALID", "PACKSMITH_KEY_STORE has an unknown value.", {
    details: undefined,
    hint: "Set PACKSMITH_KEY_STORE to file or keychain, or unset it.",
  });
}

/** Where the vault of a folder keeps its key; undefined if there is no vault yet. */
export function keyLocation(home: string): "file" | "keychain" | undefined {
  return findKeyLocation(join(home, "vault.key"));
}
