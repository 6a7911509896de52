import type { FetchPolicy } from "./fetch-policy.ts";
import type { PackRequest } from "./fetch-request.ts";

/** One hop of a request: what is sent where, before credentials. */
export interface Hop {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** False from the first redirect to another origin on (rule 22). */
  mayCarryCredentials: boolean;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const SAFE_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/** @throws {PackError} what `policy.resolve` throws */
export function firstHop({ url, method, headers, body, disableAuthentication }: PackRequest, policy: Pick<FetchPolicy, "resolve">): Hop {
  return { url: policy.resolve(url), method, headers, body, mayCarryCredentials: !disableAuthentication };
}

/** The next hop. Another origin gets no credentials, no headers that may hold one, and no body (rule 22). */
export function redirectedHop(hop: Hop, status: number, url: string): Hop {
  const isSameOrigin = new URL(url).origin === new URL(hop.url).origin;
  const becomesGet = (status === 303 && hop.method !== "HEAD") || ((status === 301 || status === 302) && hop.method === "POST");
  const dropsBody = becomesGet || !isSameOrigin;
  const kept = Object.entries(hop.headers).filter(([name]) => {
    const lower = name.toLowerCase();
    if (dropsBody && lower.startsWith("content-")) return false;
    return isSameOrigin || SAFE_HEADERS.has(lower);
  });
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    headers: Object.fromEntries(kept),
    body: dropsBody ? undefined : hop.body,
    mayCarryCredentials: hop.mayCarryCredentials && isSameOrigin,
  };
}
