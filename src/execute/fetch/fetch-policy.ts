import { listCredentialDomains } from "../../accounts/account-hosts.ts";
import type { AccountSession } from "../../accounts/account-session.ts";
import { hostMatchesDomain, isLoopbackHost, joinEndpoint } from "../../define/hosts.ts";
import { PackError } from "../../errors.ts";
import { canParseUrl } from "../../shared/urls.ts";
import type { PackRequest } from "./fetch-request.ts";

/** Where a Pack's requests may go, and which account's credentials each of them carries. */
export interface FetchPolicy {
  /**
   * @throws {PackError} FETCH_URL_INVALID, FETCH_HOST_REFUSED, URL_NOT_ALLOWED, ENDPOINT_MISSING
   */
  resolve(url: string): string;
  /** The same check for the target of a redirect, which may be relative to the redirecting URL. */
  resolveRedirect(location: string, from: string): string;
  /**
   * @returns the first account whose domains include the host of this request; its credentials are
   * sent.
   */
  findAccount(hop: Pick<Hop, "url" | "mayCarryCredentials">): AccountSession | undefined;
}

/**
 * @param networkDomains the Pack's declared domains
 * @param accounts of this run, the preferred one first; the hosts of their endpoints count as
 *   declared
 */
export function createFetchPolicy(
  networkDomains: readonly string[],
  accounts: readonly AccountSession[],
): FetchPolicy {
  const declared = (Array.isArray(networkDomains) ? networkDomains : []).filter(
    (domain) => typeof domain === "string" && domain !== "",
  );
  const endpointHosts = accounts.flatMap(({ endpoint }) =>
    endpoint === undefined ? [] : [new URL(endpoint).host],
  );
  const allowed = [...declared, ...endpointHosts];

  const check = (text: string): string => {
    const url = parseUrl(text);
    const isSecure =
      url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.host));
    if (!isSecure)
      throw invalid(text, `Requests must use https, not ${url.protocol.replace(":", "")}.`);
    if (url.username !== "" || url.password !== "")
      throw invalid(url.origin, "A URL must not contain a user name or password.");
    if (!isAllowed(url.host, declared, endpointHosts)) {
      throw new PackError(
        "FETCH_HOST_REFUSED",
        `The Pack is not allowed to send requests to ${url.host}.`,
        {
          details: { host: url.host, allowed },
          hint: `Declare the domain: pack.addNetworkDomain(${JSON.stringify(url.hostname)}).`,
        },
      );
    }
    return text;
  };

  return {
    resolve(url) {
      if (!url.startsWith("/")) return check(url);
      const endpoint = accounts.find((account) => account.endpoint !== undefined)?.endpoint;
      if (endpoint === undefined) {
        throw new PackError(
          "ENDPOINT_MISSING",
          `The URL ${url.split("?")[0]} is relative, but the account has no endpoint.`,
          {
            details: { key: undefined },
            hint: "Use a complete URL, or connect an account that has an endpoint.",
          },
        );
      }
      return check(joinEndpoint(endpoint, url));
    },
    resolveRedirect(location, from) {
      if (!canParseUrl(location, from))
        throw invalid(from, "The server redirects to an invalid URL.");
      return check(new URL(location, from).href);
    },
    findAccount({ url, mayCarryCredentials }) {
      if (!mayCarryCredentials || accounts.length === 0) return undefined;
      const { host } = new URL(url);
      return accounts.find(({ authentication, endpoint }) => {
        const own = endpoint === undefined ? [] : [new URL(endpoint).host];
        return isAllowed(host, listCredentialDomains(declared, authentication), own);
      });
    },
  };
}

function isAllowed(
  host: string,
  domains: readonly string[],
  endpointHosts: readonly string[],
): boolean {
  // An endpoint is a single host; its subdomains do not count.
  return endpointHosts.includes(host) || domains.some((domain) => hostMatchesDomain(host, domain));
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid(text, "The request's URL is not valid.");
  }
}

function invalid(url: string, message: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, {
    details: { url },
    hint: "Correct the URL in the formula.",
  });
}

/** One request of a redirect chain, without credentials. */
export interface Hop {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** False after the first redirect to another origin. */
  mayCarryCredentials: boolean;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const SAFE_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/** @throws {PackError} what `policy.resolve` throws */
export function firstHop(
  { url, method, headers, body, disableAuthentication }: PackRequest,
  policy: Pick<FetchPolicy, "resolve">,
): Hop {
  return {
    url: policy.resolve(url),
    method,
    headers,
    body,
    mayCarryCredentials: !disableAuthentication,
  };
}

/** The next hop. Another origin gets no credentials, no header that may hold one, and no body. */
export function redirectedHop(hop: Hop, status: number, url: string): Hop {
  const isSameOrigin = new URL(url).origin === new URL(hop.url).origin;
  const becomesGet =
    (status === 303 && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
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
