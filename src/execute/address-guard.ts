import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { PackError } from "../errors.ts";
import type { FetchPolicy } from "./fetch-policy.ts";

const PRIVATE = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  PRIVATE.addSubnet(address, prefix, "ipv4");
}
for (const [address, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(address, prefix, "ipv6");
}

/** @returns whether an IP address is private, loopback, link-local, multicast or reserved. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const text = mapped ?? address;
  return PRIVATE.check(text, isIP(text) === 6 ? "ipv6" : "ipv4");
}

/**
 * Refuses a host whose name leads into a private network (rule 19), unless the Pack declared a loopback host itself.
 * @throws {PackError} FETCH_HOST_REFUSED, FETCH_FAILED the name does not resolve
 */
export async function assertPublicAddress(
  url: string,
  policy: Pick<FetchPolicy, "isDeclaredLoopback">,
  lookup: (host: string) => Promise<readonly string[]> = resolveAddresses,
): Promise<void> {
  const { host, hostname } = new URL(url);
  if (policy.isDeclaredLoopback(host)) return;
  const bare = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(bare) === 0 ? await lookup(bare) : [bare];
  if (addresses.every((address) => !isPrivateAddress(address))) return;
  throw new PackError("FETCH_HOST_REFUSED", `${host} leads into a private network.`, {
    details: { host, allowed: [] },
    hint: "Requests go to public hosts. For a server on this machine, give a route to it.",
  });
}

async function resolveAddresses(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
}
