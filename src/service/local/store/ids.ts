import { randomBytes, randomUUID } from "node:crypto";
import { sha256 } from "../../../shared/crypto.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const POOL_BYTES = 1_024;

export interface Ids {
  /** Later ids sort after earlier ones, so that equal creation times keep their order. */
  row(nowMs: number): string;
  doc(): string;
  page(): string;
  /** An element of a page's content. */
  element(): string;
  edit(): string;
}

export function createIds(random: (bytes: number) => Buffer = randomBytes): Ids {
  let last = 0;
  // Each call into the system's random source costs as much as ten ids, so it gives the digits of
  // many.
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  const randomDigits = (count: number) => {
    if (used + count > pool.length) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    used += count;
    return letters(pool.subarray(used - count, used));
  };
  return {
    row(nowMs) {
      // Eight digits hold a hundred ids for every millisecond of this century.
      last = Math.max(last + 1, Math.max(0, Math.trunc(nowMs)) * 100);
      return `i-${base62(last, 8)}${randomDigits(2)}`;
    },
    doc: () => letters(random(10)),
    page: () => `canvas-${letters(random(10))}`,
    element: () => `cl-${letters(random(10))}`,
    edit: () => `mutate:${randomUUID()}`,
  };
}

/** The same id for the same words in every run. */
export function stableId(prefix: string, ...words: readonly string[]): string {
  return prefix + letters(sha256(JSON.stringify(words)).subarray(0, 10));
}

function letters(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += BASE62[byte % 62];
  return text;
}

function base62(value: number, digits: number): string {
  let text = "";
  for (let rest = value, index = 0; index < digits; index++, rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text;
  return text;
}
