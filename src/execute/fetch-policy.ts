import type { AccountSession } from "../accounts/account-session.ts";
import type { Authentication } from "../define/authentication.ts";
import { hostMatchesDomain, isLoopbackHost, joinEndpoint } from "../define/hosts.ts";
import { PackError } from "../errors.ts";

/** Where a Pack's requests may go, and which of them carry whose credentials (rules 20 to 22). */
export interface FetchPolicy {
  /** @throws {PackError} FETCH_URL_INVALID, FETCH_HOST_REFUSED, URL_NOT_ALLOWED, ENDPOINT_MISSING */
  resolve(url: string): string;
  /** The same check for the target of a redirect, which may be relative to the URL that redirects. */
  resolveRedirect(location: string, from: string): string;
  /** @returns the account whose credentials a request to this URL carries: the first one that the host belongs to. */
  accountFor(url: string): AccountSession | undefined;
  /** Whether the Pack itself declared a loopback domain that this host belongs to: local development. */
  isDeclaredLoopback(host: string): boolean;
}

/**
 * @param networkDomains the Pack's declared domains
 * @param accounts those of this run, the preferred one first; their endpoints' hosts count as declared
 */
export function createFetchPolicy(networkDomains: readonly string[], accounts: readonly AccountSession[]): FetchPolicy {
  const declared = (Array.isArray(networkDomains) ? networkDomains : []).filter((domain) => typeof domain === "string" && domain !== "");
  const endpointHosts = accounts.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [new URL(endpoint).host]));
  const allowed = [...declared, ...endpointHosts];

  const check = (text: string): string => {
    const url = parseUrl(text);
    const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.host));
    if (!isSecure) throw invalid(text, `Requests use https, not ${url.protocol.replace(":", "")}.`);
    if (url.username !== "" || url.password !== "") throw invalid(url.origin, "A URL carries no user name or password.");
    if (!isAllowed(url.host, declared, endpointHosts)) {
      throw new PackError("FETCH_HOST_REFUSED", `The Pack may not send requests to ${url.host}.`, {
        details: { host: url.host, allowed },
        hint: `Declare it: pack.addNetworkDomain(${JSON.stringify(url.hostname)}).`,
      });
    }
    return text;
  };

  return {
    resolve(url) {
      if (!url.startsWith("/")) return check(url);
      const endpoint = accounts.find((account) => account.endpoint !== undefined)?.endpoint;
      if (endpoint === undefined) {
        throw new PackError("ENDPOINT_MISSING", `The request to ${url.split("?")[0]} is relative, and the account has no endpoint.`, {
          details: { key: undefined },
          hint: "Use an absolute URL, or connect an account that has an endpoint.",
        });
      }
      return check(joinEndpoint(endpoint, url));
    },
    resolveRedirect(location, from) {
      if (!URL.canParse(location, from)) throw invalid(from, "The server redirects to something that is no URL.");
      return check(new URL(location, from).href);
    },
    accountFor(url) {
      if (accounts.length === 0) return undefined;
      const { host } = new URL(url);
      return accounts.find(({ authentication, endpoint }) => {
        const own = endpoint === undefined ? [] : [new URL(endpoint).host];
        return isAllowed(host, credentialDomainsOf(declared, authentication), own);
      });
    },
    isDeclaredLoopback(host) {
      return isLoopbackHost(host) && isAllowed(host, declared, endpointHosts);
    },
  };
}

function isAllowed(host: string, domains: readonly string[], endpointHosts: readonly string[]): boolean {
  // The endpoint is one host, not a domain with subdomains.
  return endpointHosts.includes(host) || domains.some((domain) => hostMatchesDomain(host, domain));
}

function credentialDomainsOf(declared: readonly string[], authentication: Authentication): readonly string[] {
  if (authentication.type === "None" || authentication.type === "Various") return [];
  const named = authentication.networkDomain;
  return named === undefined ? (declared.length === 1 ? declared : []) : [named].flat();
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid(text, "The request's URL is not valid.");
  }
}

function invalid(url: string, message: string): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", message, { details: { url }, hint: "Correct the URL in the formula." });
}
