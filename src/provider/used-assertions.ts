import { BoundedMap } from "./bounded-map.ts";

/** The assertions that clients have proved themselves with: each is good for once (RFC 7523 §3, point 7). */
export interface UsedAssertions {
  /** @returns false when the client has used the identifier before */
  claim(clientId: string, identifier: string): boolean;
  clear(): void;
}

/** Enough for every assertion that is still valid. */
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
