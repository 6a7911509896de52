import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { PackError } from "../errors.ts";
import { makeFolder } from "../shared/make-folder.ts";
import { type Keychain, keychainUnavailable } from "./keychain.ts";
import { checkPrivateFile } from "./private-file.ts";

const PREFIX = "packsmith-vault-key:1:";
/** The key is in the system's keychain under the name that follows. */
const REFERENCE = "packsmith-vault-key:keychain:";
const KEY_BYTES = 32;

/** Where a new vault keeps its key. A vault that exists keeps it where it is. */
export interface KeyStore {
  /** `auto`: the keychain where there is one, else the file. */
  prefer: "auto" | "file" | "keychain";
  /** The keychain of this machine, if it has one. */
  keychain: Keychain | undefined;
}

export const KEY_FILE_ONLY: KeyStore = { prefer: "file", keychain: undefined };

export interface KeyFileOptions {
  /** Made with mode 0700 when a key is made. */
  directory: string;
  /** Whether a missing key may be made: never beside a vault that was encrypted with another one. */
  create: boolean;
  keyStore: KeyStore;
}

/**
 * Reads the vault's key, and makes one for a new vault. The file holds the key itself, or the name under which the system's
 * keychain has it; a key that the keychain does not give is never replaced by another one.
 * @throws {PackError} VAULT_KEY_INVALID when the file is missing or is not a key; VAULT_PERMISSIONS;
 * KEYCHAIN_UNAVAILABLE; OUTPUT_NOT_WRITABLE
 */
export async function openKeyFile(path: string, options: KeyFileOptions): Promise<Uint8Array> {
  if (!checkPrivateFile(path)) {
    if (!options.create) throw invalid(path, "is missing");
    createFolder(options.directory);
    await createKey(path, options.keyStore);
    checkPrivateFile(path);
  }
  const text = readFileSync(path, "utf8").trim();
  const stored = text.startsWith(REFERENCE) ? await fromKeychain(text.slice(REFERENCE.length), path, options.keyStore) : text;
  const key = Buffer.from(stored.startsWith(PREFIX) ? stored.slice(PREFIX.length) : "", "base64url");
  if (key.length !== KEY_BYTES) throw invalid(path, "is not a key of this version");
  return key;
}

/** Where the key of a vault is; undefined when there is none yet. */
export function keyLocationOf(path: string): "file" | "keychain" | undefined {
  if (!checkPrivateFile(path)) return undefined;
  return readFileSync(path, "utf8").startsWith(REFERENCE) ? "keychain" : "file";
}

/** The error for a key that does not open the vault beside it. */
export function wrongKeyError(path: string): PackError<"VAULT_KEY_INVALID"> {
  return invalid(path, "does not open the vault beside it");
}

async function fromKeychain(id: string, path: string, { keychain }: KeyStore): Promise<string> {
  if (keychain === undefined) throw keychainUnavailable("keychain of the desktop session", "this process does not reach it");
  const key = await keychain.load(id);
  if (key === undefined) throw invalid(path, `names an entry that the ${keychain.name} does not have`);
  return PREFIX + key;
}

function createFolder(directory: string): void {
  try {
    makeFolder(directory, 0o700);
  } catch {
    throw new PackError("OUTPUT_NOT_WRITABLE", `The vault folder ${directory} cannot be created.`, {
      details: { path: directory },
      hint: "Name a folder that you may write to.",
    });
  }
}

async function createKey(path: string, { prefer, keychain }: KeyStore): Promise<void> {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  if (prefer === "keychain" && keychain === undefined) throw keychainUnavailable("keychain", "this machine has none");
  if (prefer === "file" || keychain === undefined) return void writeOnce(path, PREFIX + key);
  const id = randomBytes(16).toString("hex");
  if (await keychain.save(id, key)) {
    // Another process may have made the vault's key meanwhile; then this one belongs to nothing.
    if (!writeOnce(path, REFERENCE + id)) await keychain.forget(id);
  } else if (prefer === "keychain") throw keychainUnavailable(keychain.name, "nothing answers on the session bus");
  else writeOnce(path, PREFIX + key);
}

/**
 * Written in full under a name of its own, then linked: whoever finds the file finds all of it, and of two processes that
 * make one at the same time exactly one succeeds.
 * @returns whether it was this one
 */
function writeOnce(path: string, line: string): boolean {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, `${line}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw invalid(path, "cannot be created");
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function invalid(path: string, what: string): PackError<"VAULT_KEY_INVALID"> {
  return new PackError("VAULT_KEY_INVALID", `The vault key ${path} ${what}.`, {
    details: { path },
    hint: "Restore the key file (from the machine that made the vault, when it is shared), or move the vault folder away and connect the accounts again.",
  });
}
