import { usesProxies } from "./environment-proxy.ts";
import type { IncomingResponse, OutgoingRequest, sendRequest } from "./send-request.ts";
import { bareHost, publicAddressesOf } from "./url-policy.ts";

/** Loaded with the first request: many a run has none. */
let sender: Promise<typeof sendRequest> | undefined;

/**
 * Sends one request over connections of this process; where Node was told to use a proxy, as its own `fetch` does. Redirects are not
 * followed.
 * @throws {PackError} URL_NOT_ALLOWED for a private address where only public ones are asked for (rule 19); otherwise what the system
 * reports
 */
export async function sendOut(url: string, request: OutgoingRequest): Promise<IncomingResponse> {
  if (usesProxies(process.env, process.versions.node)) return await sendThrough(fetch, url, request);
  sender ??= import("./send-request.ts").then((module) => module.sendRequest);
  return await (await sender)(url, request);
}

/** The same through a function that connects by itself: addresses are looked at before it is called. */
export async function sendThrough(send: typeof fetch, url: string, { publicOnly, ...request }: OutgoingRequest): Promise<IncomingResponse> {
  if (publicOnly !== undefined) await publicAddressesOf(bareHost(new URL(url)), publicOnly);
  return await send(url, { ...request, redirect: "manual" });
}
