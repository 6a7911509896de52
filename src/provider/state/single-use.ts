import { BoundedMap } from "./bounded-map.ts";

/** Seconds that a pushed request waits for its browser (RFC 9126 §2.2). */
const LIFETIME_SECONDS = 60;
const MAX_PUSHED = 1_000;
/** Prefix of a reference to a pushed request (RFC 9126 §2.2). */
export const REQUEST_URI_PREFIX = "urn:ietf:params:oauth:request_uri:";

/** Authorization requests that clients pushed. Each can be used once. */
export interface PushedRequests {
  add(clientId: string, search: URLSearchParams): { requestUri: string; expiresInSeconds: number };
  take(clientId: string, requestUri: string): URLSearchParams | undefined;
  clear(): void;
}

export function createPushedRequests(
  now: () => number,
  randomText: (bytes: number) => string,
): PushedRequests {
  const pushed = new BoundedMap<
    string,
    { clientId: string; search: URLSearchParams; expiresAtMs: number }
  >(MAX_PUSHED);
  return {
    add(clientId, search) {
      const requestUri = REQUEST_URI_PREFIX + randomText(32);
      pushed.set(requestUri, { clientId, search, expiresAtMs: now() + LIFETIME_SECONDS * 1_000 });
      return { requestUri, expiresInSeconds: LIFETIME_SECONDS };
    },
    take(clientId, requestUri) {
      const found = pushed.get(requestUri);
      if (found?.clientId !== clientId) return undefined;
      pushed.delete(requestUri);
      return found.expiresAtMs > now() ? found.search : undefined;
    },
    clear: () => pushed.clear(),
  };
}

/**
 * Identifiers of used client assertions and DPoP proofs: each is valid once (RFC 7523 §3, point 7;
 * RFC 9449 §11.1).
 */
export interface UsedAssertions {
  /** @returns false if the client has used the identifier before */
  claim(clientId: string, identifier: string): boolean;
  clear(): void;
}

/** More than the number of assertions that are valid at the same time. */
const MAX_ASSERTIONS = 100_000;

export function createUsedAssertions(): UsedAssertions {
  const used = new BoundedMap<string, true>(MAX_ASSERTIONS);
  return {
    claim(clientId, identifier) {
      const key = JSON.stringify([clientId, identifier]);
      if (used.has(key)) return false;
      used.set(key, true);
      return true;
    },
    clear: () => used.clear(),
  };
}
