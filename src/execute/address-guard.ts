import { isIP } from "node:net";
import { PackError } from "../errors.ts";
import { isPublicAddress, type Lookup } from "../oauth/url-policy.ts";

/**
 * Finds the addresses of a host, and refuses it when one of them is in a private network (rule 19).
 * @param host a name, or an address without brackets
 * @throws {PackError} FETCH_HOST_REFUSED
 */
export async function publicAddressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return addresses;
  throw new PackError("FETCH_HOST_REFUSED", `${host} leads ${addresses.length === 0 ? "to no address" : "into a private network"}.`, {
    details: { host, allowed: [] },
    hint: "Requests go to public hosts. For a server on this machine, give a route to it.",
  });
}
