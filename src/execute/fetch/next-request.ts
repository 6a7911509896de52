import type { AccountSession } from "../../accounts/account-session.ts";
import { PackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import { listQueryParams, withoutQueryParameter } from "./credentials.ts";
import { type FetchPolicy, type Hop, isRedirect, redirectedHop } from "./fetch-policy.ts";
import { retryAfterMs } from "./request-limits.ts";

const MAX_REDIRECTS = 5;
const MAX_RATE_LIMIT_RETRIES = 5;

/**
 * Where a response sends the request next.
 * @param redirects that the request has followed so far
 * @param account whose credentials `hop` carried
 * @returns undefined if the response is final
 * @throws {PackError} FETCH_TOO_MANY_REDIRECTS, and what `policy.resolveRedirect` throws
 */
export function findNextHop(
  response: Pick<TapedResponse, "status" | "headers">,
  hop: Hop,
  redirects: number,
  policy: Pick<FetchPolicy, "resolveRedirect">,
  account: Pick<AccountSession, "authentication"> | undefined,
): Hop | undefined {
  const location = isRedirect(response.status) ? response.headers["location"] : undefined;
  if (location === undefined) return undefined;
  if (redirects === MAX_REDIRECTS) {
    const { host } = new URL(hop.url);
    throw new PackError(
      "FETCH_TOO_MANY_REDIRECTS",
      `${host} redirected more than ${MAX_REDIRECTS} times.`,
      { details: { host }, hint: "Request the final URL." },
    );
  }
  // A server that repeats the query in its redirect would pass the credentials on.
  const target = (account === undefined ? [] : listQueryParams(account.authentication)).reduce(
    withoutQueryParameter,
    location,
  );
  return redirectedHop(hop, response.status, policy.resolveRedirect(target, hop.url));
}

/** What is known of a request after its attempts so far. */
export interface RetryState {
  retries: number;
  nowMs: number;
  /** When the run ends. */
  deadlineMs: number;
}

/**
 * How long to wait before a request is sent again: after 429, the time that the server asks for,
 * while the run has time left.
 * @returns milliseconds; undefined if the response is final
 */
export function computeRetryDelay(
  { status, headers }: Pick<TapedResponse, "status" | "headers">,
  { retries, nowMs, deadlineMs }: RetryState,
): number | undefined {
  if (status !== 429 || retries === MAX_RATE_LIMIT_RETRIES) return undefined;
  const delayMs = retryAfterMs(headers["retry-after"], nowMs);
  return delayMs === undefined || nowMs + delayMs >= deadlineMs ? undefined : delayMs;
}
