import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { PackError } from "../../../errors.ts";
import { open, seal } from "../../../shared/crypto.ts";
import { isPostgresUrl } from "../../../storage/storage.ts";
import { HttpError } from "../api/http-error.ts";

/** Encrypts what the registry keeps of OAuth clients and connections. */
export interface RegistrySecrets {
  seal(packId: number, name: string, value: object): string;
  /** @throws {HttpError} 500 when the key is another one */
  open<Value extends object>(packId: number, name: string, sealed: string): Value;
}

const KEY_BYTES = 32;

/**
 * The key is in a file of mode 0600 next to a SQLite database, or in a file that the options name.
 * Otherwise it is in the database: services on several machines share no file.
 * @throws {PackError} OUTPUT_NOT_WRITABLE when the key file cannot be read or written. A file that
 *   the options name is read at once
 */
export function openRegistrySecrets(
  database: string,
  sharedKey: Buffer,
  keyFile: string | undefined,
): RegistrySecrets {
  const path =
    keyFile ?? (database === ":memory:" || isPostgresUrl(database) ? undefined : `${database}.key`);
  let key: Buffer | undefined;
  const readSecretKey = () => {
    key ??= path === undefined ? sharedKey : readKey(path);
    return key;
  };
  if (keyFile !== undefined) readSecretKey();
  return {
    seal: (packId, name, value) =>
      seal(readSecretKey(), [String(packId), name], JSON.stringify(value)),
    open: (packId, name, sealed) => {
      const text = open(readSecretKey(), [String(packId), name], sealed);
      if (text === undefined)
        throw new HttpError(500, "The encryption key cannot decrypt the secrets of this service.");
      return JSON.parse(text);
    },
  };
}

function readKey(path: string): Buffer {
  try {
    // Two services that start at once get the key of the first.
    if (!existsSync(path))
      writeFileSync(path, `${randomBytes(KEY_BYTES).toString("base64url")}\n`, {
        mode: 0o600,
        flag: "wx",
      });
  } catch (cause) {
    if (!existsSync(path)) throw createUnusableError(path, cause);
  }
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw createUnusableError(path, cause);
  }
  const key = Buffer.from(text.trim(), "base64url");
  if (key.length !== KEY_BYTES) throw createUnusableError(path, undefined);
  return key;
}

function createUnusableError(path: string, cause: unknown): PackError<"OUTPUT_NOT_WRITABLE"> {
  return new PackError("OUTPUT_NOT_WRITABLE", `The key file ${path} cannot be used.`, {
    details: { path },
    hint: "Restore the file, or choose another key file with --secrets-key.",
    cause,
  });
}
