import type { NextFunction, Request, Response } from "express";
import type { ProviderState } from "./state/provider-state.ts";

/** Paths of the endpoints and pages. */
export const Path = {
  Authorize: "/authorize",
  Login: "/login",
  Consent: "/consent",
  Token: "/token",
  Refresh: "/refresh",
  Introspect: "/introspect",
  Revoke: "/revoke",
  Register: "/register",
  PushedRequest: "/par",
  DeviceAuthorization: "/device_authorization",
  Device: "/device",
  Me: "/me",
  Mcp: "/mcp",
  EndSession: "/end_session",
  Keys: "/jwks",
} as const;

const TENANT_PATHS: readonly string[] = [Path.Authorize, Path.Token, Path.Refresh];

/**
 * Rewrites the additional paths of a provider to its own: aliases, the paths of a tenant, and those
 * of a shard of the API.
 */
export function canonicalPaths({ policy }: ProviderState) {
  const { tenant, fragment: isFragmentPage = false } = policy.profile.authorization ?? {};
  const { shard } = policy.profile.resource ?? {};
  return (request: Request, _response: Response, next: NextFunction) => {
    const ofTenant = withoutPrefix(request.url, tenant);
    const ofShard = withoutPrefix(ofTenant ?? request.url, shard);
    const url = withoutAlias(
      request.method,
      ofShard ?? ofTenant ?? request.url,
      policy.paths,
      isFragmentPage,
    );
    const path = url.split("?", 1)[0] ?? "";
    const astray =
      (tenant !== undefined && ofTenant === undefined && TENANT_PATHS.includes(path)) ||
      (shard !== undefined && ofShard === undefined && path === Path.Me);
    request.url = astray ? "/nothing-here" : url;
    next();
  };
}

/** Without empty segments, and without dots at their start, which browsers resolve. */
const ISSUER_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;
const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  ...Object.values(Path).map((path) => path.slice(1)),
  "__provider",
]);

/**
 * Whether an issuer can be at this path: below none of the others, and not at a path of this
 * server.
 */
export function isIssuerPath(path: string, all: readonly string[]): boolean {
  const [, first = ""] = path.split("/");
  return (
    ISSUER_PATH.test(path) &&
    !OWN_SEGMENTS.has(first) &&
    !all.some((other) => path.startsWith(`${other}/`))
  );
}

const WELL_KNOWN = "/.well-known/";
/** Where OpenID Connect Discovery §4 puts the metadata of an issuer with a path. */
const OPENID_SUFFIX = `${WELL_KNOWN}openid-configuration`;

/**
 * Brings the metadata paths of issuers that have a path to those of an issuer at the root: RFC 8414
 * §3.1 and RFC 9728 §3.1 put the path
 * of the issuer behind the well-known one. Nothing else is well known below an issuer.
 */
export function wellKnownOfIssuers(paths: readonly string[]) {
  return (request: Request, _response: Response, next: NextFunction) => {
    const [asked, query] = split(request.url);
    const [, name = "", rest = ""] = /^\/\.well-known\/([^/]+)(\/.*)$/.exec(asked) ?? [];
    const path = paths.find((each) => rest === each || rest.startsWith(`${each}/`));
    if (path !== undefined)
      request.url = `${path}${WELL_KNOWN}${name}${rest.slice(path.length)}${query === undefined ? "" : `?${query}`}`;
    else if (
      paths.some((each) => asked.startsWith(each + WELL_KNOWN) && asked !== each + OPENID_SUFFIX)
    )
      request.url = "/nothing-here";
    next();
  };
}

function withoutPrefix(url: string, segment: string | undefined): string | undefined {
  return segment !== undefined && url.startsWith(`/${segment}/`)
    ? url.slice(segment.length + 1)
    : undefined;
}

function withoutAlias(
  method: string,
  url: string,
  { authorize, token, refresh, par, me, mcp }: ProviderState["policy"]["paths"],
  isFragmentPage: boolean,
): string {
  const [path, query = ""] = split(url);
  // The path may also be that of a page of this server. The parameters show that it is an
  // authorization request.
  if (method === "GET" && path === authorize && /(?:^|&)(?:client_id|response_type)=/.test(query))
    return `${Path.Authorize}?${query}`;
  // The parameters are in the fragment, which no server sees.
  if (method === "GET" && isFragmentPage && url === authorize) return Path.Authorize;
  if (method === "GET" && path === me) return url.replace(path, Path.Me);
  if (method !== "POST") return url;
  if (url === token) return Path.Token;
  if (url === par) return Path.PushedRequest;
  if (path === mcp) return url.replace(path, Path.Mcp);
  return (
    withoutOwnQuery(url, refresh, Path.Refresh) ?? withoutOwnQuery(url, token, Path.Token) ?? url
  );
}

/** Replaces an alias, which may have its own query. The parameters that a client adds stay. */
function withoutOwnQuery(url: string, alias: string | undefined, path: string): string | undefined {
  if (alias === undefined || !url.startsWith(alias)) return undefined;
  const rest = url.slice(alias.length);
  return rest === "" || rest.startsWith("?")
    ? path + rest
    : rest.startsWith("&") && alias.includes("?")
      ? `${path}?${rest.slice(1)}`
      : undefined;
}

function split(url: string): [path: string, query: string | undefined] {
  const index = url.indexOf("?");
  return index < 0 ? [url, undefined] : [url.slice(0, index), url.slice(index + 1)];
}
