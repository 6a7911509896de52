import { BlockList, isIP } from "node:net";
import { PackError, usageError } from "../../../errors.ts";
import { bareHost, describeUrl, type Lookup } from "../../../oauth/url-policy.ts";
import { parseUrl } from "../../../shared/urls.ts";

/**
 * Checks the URL of an introspection endpoint. The operator of the service chooses it, so unlike a
 * URL that a Pack or a server names, it can be on a private network.
 * @param option what the error calls the URL, which can contain a password
 * @throws {PackError} USAGE_INVALID
 */
export function checkIntrospectionUrl(text: string, option: string): void {
  const fault = findFault(text);
  if (fault === undefined) return;
  throw usageError(
    `${option} ${fault}.`,
    `Write ${option} https://host.example/path. http is allowed only for private addresses.`,
  );
}

function findFault(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return "is not a valid URL";
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text))
    return "is not an absolute http or https URL";
  if (url.username !== "" || url.password !== "") return "contains a user name or a password";
  if (text.includes("#")) return "has a fragment";
  const host = bareHost(url);
  if (url.protocol === "http:" && isIP(host) !== 0 && !isPrivateAddress(host))
    return "uses http with a public address";
  return undefined;
}

/**
 * Checks that the client secret does not travel through the internet without encryption.
 * @throws {PackError} URL_NOT_ALLOWED for http when the host has a public address
 */
export async function requirePrivateHttp(url: URL, lookup: Lookup): Promise<void> {
  if (url.protocol !== "http:") return;
  const host = bareHost(url);
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  if (addresses.every(isPrivateAddress)) return;
  const reason = "it uses http, and its host has a public address";
  throw new PackError(
    "URL_NOT_ALLOWED",
    `The URL ${describeUrl(url.href)} is refused: ${reason}.`,
    {
      details: { url: describeUrl(url.href), reason },
      hint: "Use https. http is allowed only for private addresses.",
    },
  );
}

/**
 * The addresses of this machine and of private networks. A mapped IPv4 address is in these, too. A
 * request to the unspecified address goes to this machine.
 */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const address of ["::", "::1"]) PRIVATE.addAddress(address, "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}
