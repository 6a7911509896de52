import type { TapedResponse } from "../../oauth/tape.ts";

/** Responses that a later, equal request gets instead of the network. */
export interface ResponseCache {
  get(key: string): TapedResponse | undefined;
  set(key: string, response: TapedResponse, ttlSeconds: number): void;
}

export interface ResponseCacheOptions {
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** What all kept bodies may take; the oldest go first. @default 16 MiB */
  maxBytes?: number | undefined;
}

/** How long a GET response is reused when the request does not say. */
export const DEFAULT_TTL_SECONDS = 300;
/** The platform keeps nothing longer. */
export const MAX_TTL_SECONDS = 86_400;
const MAX_BYTES = 16 * 1024 * 1024;

/** Creates a cache in memory. Each run has its own unless it is given one. */
export function createResponseCache({ now = Date.now, maxBytes = MAX_BYTES }: ResponseCacheOptions = {}): ResponseCache {
  const entries = new Map<string, { response: TapedResponse; expiresAtMs: number }>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= entries.get(key)?.response.bytes.byteLength ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.expiresAtMs > now()) return entry.response;
      drop(key);
      return undefined;
    },
    set(key, response, ttlSeconds) {
      drop(key);
      if (response.bytes.byteLength > maxBytes) return;
      entries.set(key, { response, expiresAtMs: now() + Math.min(ttlSeconds, MAX_TTL_SECONDS) * 1_000 });
      bytes += response.bytes.byteLength;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
