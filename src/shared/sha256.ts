import { createHash } from "node:crypto";

/**
 * The SHA-256 digest of a text (as UTF-8) or of bytes: as bytes, or as text in the given encoding.
 */
export function sha256(data: string | Uint8Array): Buffer;
export function sha256(data: string | Uint8Array, encoding: "hex" | "base64url"): string;
export function sha256(data: string | Uint8Array, encoding?: "hex" | "base64url"): Buffer | string {
  const digest = createHash("sha256").update(data).digest();
  return encoding === undefined ? digest : digest.toString(encoding);
}
