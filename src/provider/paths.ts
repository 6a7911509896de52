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

/** Rewrites the additional paths of a provider to its own: aliases, the paths of a tenant, and those of a shard of the API. */
export function canonicalPaths({ policy }: ProviderState) {
  const { tenant } = policy.profile.authorization ?? {};
  const { shard } = policy.profile.resource ?? {};
  return (request: Request, _response: Response, next: NextFunction) => {
    const ofTenant = withoutPrefix(request.url, tenant);
    const ofShard = withoutPrefix(ofTenant ?? request.url, shard);
    const url = withoutAlias(request.method, ofShard ?? ofTenant ?? request.url, policy.paths);
    const path = url.split("?", 1)[0] ?? "";
    const astray =
      (tenant !== undefined && ofTenant === undefined && TENANT_PATHS.includes(path)) ||
      (shard !== undefined && ofShard === undefined && path === Path.Me);
    request.url = astray ? "/nothing-here" : url;
    next();
  };
}

function withoutPrefix(url: string, segment: string | undefined): string | undefined {
  return segment !== undefined && url.startsWith(`/${segment}/`) ? url.slice(segment.length + 1) : undefined;
}

function withoutAlias(method: string, url: string, { authorize, token, refresh, me }: ProviderState["policy"]["paths"]): string {
  const [path, query = ""] = split(url);
  // The path may also be that of a page of this server. The parameters show that it is an authorization request.
  if (method === "GET" && path === authorize && /(?:^|&)(?:client_id|response_type)=/.test(query)) return `${Path.Authorize}?${query}`;
  if (method === "GET" && path === me) return url.replace(path, Path.Me);
  if (method !== "POST") return url;
  if (url === token) return Path.Token;
  return withoutOwnQuery(url, refresh, Path.Refresh) ?? withoutOwnQuery(url, token, Path.Token) ?? url;
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
