import { createHash, randomBytes, randomUUID } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export interface Ids {
  /** Later ids sort after earlier ones, so that equal creation times keep their order (decision 33). */
  row(nowMs: number): string;
  doc(): string;
  page(): string;
  /** An element of a page's content. */
  element(): string;
  mutation(): string;
}

export function createIds(random: (bytes: number) => Buffer = randomBytes): Ids {
  let last = 0;
  return {
    row(nowMs) {
      // Eight digits hold a hundred ids for every millisecond of this century.
      last = Math.max(last + 1, Math.max(0, Math.trunc(nowMs)) * 100);
      return `i-${base62(last, 8)}${letters(random(2))}`;
    },
    doc: () => letters(random(10)),
    page: () => `canvas-${letters(random(10))}`,
    element: () => `cl-${letters(random(10))}`,
    mutation: () => `mutate:${randomUUID()}`,
  };
}

/** The same id for the same words in every run. */
export function stableId(prefix: string, ...words: readonly string[]): string {
  return prefix + letters(createHash("sha256").update(JSON.stringify(words)).digest().subarray(0, 10));
}

function letters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BASE62[byte % 62]).join("");
}

function base62(value: number, digits: number): string {
  let text = "";
  for (let rest = value, index = 0; index < digits; index++, rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text;
}
