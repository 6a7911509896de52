import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * The SHA-256 digest of a text (as UTF-8) or of bytes: as bytes, or as text in the given encoding.
 */
export function sha256(data: string | Uint8Array): Buffer;
export function sha256(data: string | Uint8Array, encoding: "hex" | "base64url"): string;
export function sha256(data: string | Uint8Array, encoding?: "hex" | "base64url"): Buffer | string {
  const digest = createHash("sha256").update(data).digest();
  return encoding === undefined ? digest : digest.toString(encoding);
}

/** Compares in a time that depends on neither the values nor their lengths. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/** AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D §8.2.2) and a 128-bit tag. */
const ALGORITHM = "aes-256-gcm";
const FORMAT = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text.
 * @param context what the text belongs to. It can be decrypted only with the same context, so
 *   records cannot be swapped
 */
export function seal(key: Uint8Array, context: readonly string[], text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(contextBytes(context));
  const bytes = Buffer.concat([
    nonce,
    cipher.update(text, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `${FORMAT}.${bytes.toString("base64url")}`;
}

/** Decrypts a text of `seal`. Undefined if it was changed, or belongs to another context or key. */
export function open(
  key: Uint8Array,
  context: readonly string[],
  sealed: string,
): string | undefined {
  if (!sealed.startsWith(`${FORMAT}.`)) return undefined;
  const bytes = Buffer.from(sealed.slice(FORMAT.length + 1), "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(contextBytes(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString("utf8");
  } catch {
    return undefined;
  }
}

// JSON keeps ["a", "bc"] and ["ab", "c"] apart.
function contextBytes(context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, ...context]), "utf8");
}
