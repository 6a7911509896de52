import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { PackError } from "../errors.ts";
import { makeFolder } from "../shared/folders.ts";
import { type Keychain, keychainUnavailable } from "./keychain.ts";
import { checkPrivateFile } from "./private-file.ts";

const PREFIX = "packsmith-vault-key:1:";
/** Followed by the name under which the system's keychain holds the key. */
const REFERENCE = "packsmith-vault-key:keychain:";
const KEY_BYTES = 32;

/** Where a new vault keeps its key. An existing vault keeps its key where it is. */
export interface KeyStore {
  /** `auto`: the keychain if there is one, otherwise the file. */
  prefer: "auto" | "file" | "keychain";
  /** The keychain of this machine, if it has one. */
  keychain: Keychain | undefined;
}

export const KEY_FILE_ONLY: KeyStore = { prefer: "file", keychain: undefined };

export interface KeyFileOptions {
  /** Created with mode 0700 together with a new key. */
  directory: string;
  /** Whether to make a missing key. Never for a vault that is already encrypted. */
  create: boolean;
  keyStore: KeyStore;
}

/**
 * Reads the vault's key, or makes one for a new vault. The file holds the key itself or the name
 * under which the system's
 * keychain holds it. If the keychain does not return the key, no other key is made.
 * @throws {PackError} VAULT_KEY_INVALID when the file is missing or is not a key;
 *   VAULT_PERMISSIONS;
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
  const stored = text.startsWith(REFERENCE)
    ? await fromKeychain(text.slice(REFERENCE.length), path, options.keyStore)
    : text;
  const key = Buffer.from(
    stored.startsWith(PREFIX) ? stored.slice(PREFIX.length) : "",
    "base64url",
  );
  if (key.length !== KEY_BYTES)
    throw invalid(path, "is not a key that this version of packsmith can read");
  return key;
}

/** Where the key of a vault is; undefined if there is no key yet. */
export function findKeyLocation(path: string): "file" | "keychain" | undefined {
  if (!checkPrivateFile(path)) return undefined;
  return readFileSync(path, "utf8").startsWith(REFERENCE) ? "keychain" : "file";
}

/** The error for a key that does not open its vault. */
export function wrongKeyError(path: string): PackError<"VAULT_KEY_INVALID"> {
  return invalid(path, "does not open the vault in the same folder");
}

async function fromKeychain(id: string, path: string, { keychain }: KeyStore): Promise<string> {
  if (keychain === undefined)
    throw keychainUnavailable("keychain of the desktop session", "this process cannot reach it");
  const key = await keychain.load(id);
  if (key === undefined)
    throw invalid(path, `refers to an entry that does not exist in the ${keychain.name}`);
  return PREFIX + key;
}

function createFolder(directory: string): void {
  try {
    makeFolder(directory, 0o700);
  } catch {
    throw new PackError("OUTPUT_NOT_WRITABLE", `The vault folder ${directory} cannot be created.`, {
      details: { path: directory },
      hint: "Choose a folder that you can write to.",
    });
  }
}

async function createKey(path: string, { prefer, keychain }: KeyStore): Promise<void> {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  if (prefer === "keychain" && keychain === undefined)
    throw keychainUnavailable("keychain", "this machine has none");
  if (prefer === "file" || keychain === undefined) return void writeOnce(path, PREFIX + key);
  const id = randomBytes(16).toString("hex");
  if (await keychain.save(id, key)) {
    // If another process has made the vault's key meanwhile, this one is not needed.
    if (!writeOnce(path, REFERENCE + id)) await keychain.forget(id);
  } else if (prefer === "keychain")
    throw keychainUnavailable(keychain.name, "no program answers on the session bus");
  else writeOnce(path, PREFIX + key);
}

/**
 * Writes the file under a temporary name, then links it: a reader never finds half a file, and if
 * two processes make a key
 * at the same time, exactly one succeeds.
 * @returns whether this process succeeded
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
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw invalid(path, "cannot be created");
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function invalid(path: string, what: string): PackError<"VAULT_KEY_INVALID"> {
  return new PackError("VAULT_KEY_INVALID", `The vault key ${path} ${what}.`, {
    details: { path },
    hint: "Restore the key file. For a shared vault, copy the file from the machine that created the vault. Without the file, move the vault folder away and connect the accounts again.",
  });
}
