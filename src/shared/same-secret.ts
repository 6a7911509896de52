import { timingSafeEqual } from "node:crypto";
import { sha256 } from "./sha256.ts";

/** Compares in a time that depends on neither the values nor their lengths. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
