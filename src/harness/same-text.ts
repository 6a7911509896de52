import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time; hashing first makes the lengths equal. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
