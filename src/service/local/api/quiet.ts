import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a request only looks at the service, as the page of `packsmith dev` does: it meets no fault, counts against no limit, and
 * is not in the journal. Whoever watches changes nothing of what is watched.
 */
export function isQuiet(headers: IncomingHttpHeaders): boolean {
  return headers["x-emulator-quiet"] !== undefined;
}
