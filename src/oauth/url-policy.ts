import { lookup as dnsLookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "../define/hosts.ts";
import { PackError } from "../errors.ts";
import { canParseUrl } from "../shared/urls.ts";
import { applyRoutes, type Routes } from "./routes.ts";

/** Resolves a host name to all of its addresses. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Resolves with the operating system's resolver. */
export const systemLookup: Lookup = async (host) =>
  (await dnsLookup(host, { all: true })).map(({ address }) => address);

/**
 * Checks a URL as it was written, before parsing changes it: https, or http on a loopback host; no
 * user info, no fragment,
 * no port of another well-known service, no private address, and no address in disguise.
 * @throws {PackError} URL_NOT_ALLOWED
 */
export function checkUrl(text: string): URL {
  const refuse = (reason: string) => {
    throw new PackError("URL_NOT_ALLOWED", `The URL ${describeUrl(text)} is refused: ${reason}.`, {
      details: { url: describeUrl(text), reason },
      hint: "Use an https URL with a public host name. http is allowed only for 127.0.0.1, [::1] and localhost.",
    });
  };
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text) || !canParseUrl(text))
    return refuse("it is not an absolute https URL");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(text))
    return refuse("it contains a user name or a password");
  if (text.includes("#")) return refuse("it has a fragment");
  const loopback = isLoopbackHost(url.host);
  if (url.protocol === "http:" && !loopback) return refuse("it is not https");
  // 0x7f.1, 2130706433 and full-width digits all parse to 127.0.0.1, so an address must be written
  // as one.
  const written = /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1]?.replace(/:\d*$/, "").toLowerCase() ?? "";
  if (isIP(bareHost(url)) !== 0 && written !== url.hostname)
    return refuse("its host is a disguised address");
  if (loopback) return url;
  if (isIP(bareHost(url)) !== 0 && !isPublicAddress(bareHost(url)))
    return refuse("its host is a private address");
  if (url.port !== "" && Number(url.port) < 1024)
    return refuse("its port belongs to another service");
  return url;
}

/**
 * A URL that a server's answer names, if it may be used: a server on the internet must not send
 * requests or a browser to this machine.
 * @param server the URL of the server. With a route, it is on this machine
 * @returns undefined for anything else
 */
export function namedUrl(value: unknown, server: string, routes: Routes): string | undefined {
  if (typeof value !== "string") return undefined;
  try {
    const { host } = checkUrl(value);
    const isLocal = isLoopbackHost(host);
    return isLocal && !isLoopbackHost(new URL(applyRoutes(server, routes)).host)
      ? undefined
      : value;
  } catch {
    return undefined;
  }
}

/**
 * Finds the addresses of a host for a connection, which must go to one of them.
 * @param host a name, or an address without brackets
 * @throws {PackError} URL_NOT_ALLOWED when any of them is not public
 */
export async function resolvePublicAddresses(
  host: string,
  lookup: Lookup,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  const inward = addresses.find((address) => !isPublicAddress(address));
  if (addresses.length > 0 && inward === undefined) return addresses;
  const where = inward === undefined ? "no address" : `${inward}, which is not a public address`;
  throw new PackError("URL_NOT_ALLOWED", `The host ${host} resolves to ${where}.`, {
    details: { url: describeUrl(`https://${host}`), reason: `resolves to ${inward ?? where}` },
    hint: "Use a host on the public internet, or redirect its origin to a local server with --route.",
  });
}

/**
 * The lookup for a request that may only reach public addresses; undefined if a route applies or
 * the URL names this machine.
 */
export function publicOnlyFor(url: URL, routes: Routes, lookup: Lookup): Lookup | undefined {
  return isLoopbackHost(url.host) || applyRoutes(url.href, routes) !== url.href
    ? undefined
    : lookup;
}

/**
 * Private, link-local, loopback, documentation, multicast and metadata ranges (RFC 6890 and its
 * registries).
 */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
}
// Globally routed IPv6 is in 2000::/3. These ranges in it are for translation, documentation and
// tunnels, and can reach inward.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");
}
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet("2000::", 3, "ipv6");

/** Whether an IP address is reachable from the public internet. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const version = isIP(mapped);
  if (version === 4) return !NOT_PUBLIC.check(mapped, "ipv4");
  return version === 6 && GLOBAL_IPV6.check(mapped, "ipv6") && !NOT_PUBLIC.check(mapped, "ipv6");
}

/** Scheme, host and path only: the query or user info may hold a secret. */
export function describeUrl(text: string): string {
  const shown = text.split(/[?#]/)[0]?.replace(/\/\/[^/@]*@/, "//") ?? "";
  return shown.replace(/\p{Cc}/gu, " ").slice(0, 200);
}

/** The host name of a URL; an IPv6 address without its brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
