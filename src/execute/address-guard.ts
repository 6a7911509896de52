import { isIP } from "node:net";
import { PackError } from "../errors.ts";
import { isPublicAddress, type Lookup, systemLookup } from "../oauth/url-policy.ts";
import type { FetchPolicy } from "./fetch-policy.ts";

/**
 * Refuses a host whose name leads into a private network (rule 19), unless the Pack declared a loopback host itself.
 * @throws {PackError} FETCH_HOST_REFUSED
 */
export async function assertPublicAddress(
  url: string,
  policy: Pick<FetchPolicy, "isDeclaredLoopback">,
  lookup: Lookup = systemLookup,
): Promise<void> {
  const { host, hostname } = new URL(url);
  if (policy.isDeclaredLoopback(host)) return;
  const bare = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(bare) === 0 ? await lookup(bare) : [bare];
  if (addresses.every(isPublicAddress)) return;
  throw new PackError("FETCH_HOST_REFUSED", `${host} leads into a private network.`, {
    details: { host, allowed: [] },
    hint: "Requests go to public hosts. For a server on this machine, give a route to it.",
  });
}
