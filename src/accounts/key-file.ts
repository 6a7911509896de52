import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { PackError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { checkPrivateFile } from "./private-file.ts";

const PREFIX = "packsmith-vault-key:1:";
const KEY_BYTES = 32;

/**
 * Reads the vault's key, and makes one for a new vault.
 * @param options.directory made with mode 0700 when a key is made
 * @param options.create whether a missing key may be made: never beside a vault that was encrypted with another one
 * @throws {PackError} VAULT_KEY_INVALID when the file is missing or is not a key; VAULT_PERMISSIONS;
 * OUTPUT_NOT_WRITABLE
 */
export function openKeyFile(path: string, options: { directory: string; create: boolean }): Uint8Array {
  if (!checkPrivateFile(path)) {
    if (!options.create) throw invalid(path, "is missing");
    createFolder(options.directory);
    createKeyFile(path);
    checkPrivateFile(path);
  }
  const text = readFileSync(path, "utf8").trim();
  const key = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "", "base64url");
  if (key.length !== KEY_BYTES) throw invalid(path, "is not a key of this version");
  return key;
}

/** The error for a key that does not open the vault beside it. */
export function wrongKeyError(path: string): PackError<"VAULT_KEY_INVALID"> {
  return invalid(path, "does not open the vault beside it");
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

// Written in full under a name of its own, then linked: whoever finds the key finds all of it, and of two processes
// that make one at the same time exactly one succeeds.
function createKeyFile(path: string): void {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, `${PREFIX}${randomBytes(KEY_BYTES).toString("base64url")}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw invalid(path, "cannot be created");
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
