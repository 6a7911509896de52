import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in a time that depends on neither the values nor their lengths. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
