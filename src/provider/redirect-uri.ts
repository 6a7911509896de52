import type { ProviderClient } from "./options.ts";

const LOOPBACK = /^(https?):\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?(\/.*)?$/;

/** Whether a client registered this redirect URI: character by character, except for the port of a loopback address (RFC 8252 §7.3). */
export function isRegisteredRedirectUri(client: ProviderClient, redirectUri: string): boolean {
  return (client.redirectUris ?? []).some((registered) => registered === redirectUri || sameButPort(registered, redirectUri, client));
}

function sameButPort(registered: string, requested: string, { anyLocalhostPort, anyPathBelow }: ProviderClient): boolean {
  const [, scheme, host, path = ""] = LOOPBACK.exec(registered) ?? [];
  const [, requestedScheme, requestedHost, requestedPath = ""] = LOOPBACK.exec(requested) ?? [];
  if (scheme !== requestedScheme || host === undefined) return false;
  if ((host === "localhost" || scheme === "https") && anyLocalhostPort !== true) return false;
  const below = anyPathBelow === true && requestedPath.startsWith(path) ? requestedPath.slice(path.length) : "";
  // No dot segments: a browser would leave the path through them.
  const isBelow = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/.test(below);
  return host === requestedHost && (path === requestedPath || isBelow) && URL.canParse(requested);
}

/** Adds parameters to a redirect URI and keeps the query that it already has (RFC 6749 §3.1.2). */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}
