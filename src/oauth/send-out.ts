import { usesProxies } from "./environment-proxy.ts";
import type { IncomingResponse, OutgoingRequest, sendRequest } from "./send-request.ts";
import { bareHost, publicAddressesOf } from "./url-policy.ts";

/** Chosen and loaded with the first request: many a run has none. Node, too, looks at its environment once. */
let sender: Promise<typeof sendRequest> | undefined;

/**
 * Sends one request over connections of this process; where Node was told to use a proxy, as its own `fetch` does. Redirects are not
 * followed.
 * @throws {PackError} URL_NOT_ALLOWED for a private address where only public ones are asked for (rule 19); otherwise what the system
 * reports
 */
export async function sendOut(url: string, request: OutgoingRequest): Promise<IncomingResponse> {
  sender ??= chooseSender();
  return await (await sender)(url, request);
}

async function chooseSender(): Promise<typeof sendRequest> {
  if (usesProxies(process.env, process.versions.node)) return (url, request) => sendThrough(fetch, url, request);
  return (await import("./send-request.ts")).sendRequest;
}

/** The same through a function that connects by itself: addresses are looked at before it is called. */
export async function sendThrough(send: typeof fetch, url: string, { publicOnly, ...request }: OutgoingRequest): Promise<IncomingResponse> {
  if (publicOnly !== undefined) await publicAddressesOf(bareHost(new URL(url)), publicOnly);
  return await send(url, { ...request, redirect: "manual" });
}
