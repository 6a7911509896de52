import type { AccountSession } from "../../accounts/account-session.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import type { Hop } from "./fetch-policy.ts";
import { MAX_TTL_SECONDS } from "./fetch-request.ts";

/** Responses that answer later, equal requests without the network. */
export interface ResponseCache {
  get(key: string): TapedResponse | undefined;
  set(key: string, response: TapedResponse, ttlSeconds: number): void;
}

export interface ResponseCacheOptions {
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** Limit of all bodies together; the oldest are removed first. @default 16 MiB */
  maxBytes?: number | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Creates a cache in memory. Each run has its own, unless you pass one to several runs. */
export function createResponseCache({
  now = Date.now,
  maxBytes = MAX_BYTES,
}: ResponseCacheOptions = {}): ResponseCache {
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
      entries.set(key, {
        response,
        expiresAtMs: now() + Math.min(ttlSeconds, MAX_TTL_SECONDS) * 1_000,
      });
      bytes += response.bytes.byteLength;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}

let lastAccount = 0;
const accountNumbers = new WeakMap<AccountSession, number>();

/** What makes two requests equal. A response of one account is never given to another. */
export function cacheKey(
  { method, url, headers, body }: Hop,
  ignoreRedirects: boolean,
  account: AccountSession | undefined,
): string {
  const names = Object.keys(headers).sort();
  const content =
    body === undefined || typeof body === "string" ? body : Buffer.from(body).toString("base64");
  return JSON.stringify([
    method,
    url,
    names.map((name) => [name.toLowerCase(), headers[name]]),
    content,
    ignoreRedirects,
    findIdentity(account),
  ]);
}

function findIdentity(account: AccountSession | undefined): string | number | undefined {
  if (account === undefined) return undefined;
  if (account.id !== undefined) return account.id;
  const number = accountNumbers.get(account) ?? ++lastAccount;
  accountNumbers.set(account, number);
  return number;
}
