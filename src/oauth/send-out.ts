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

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/** The proxies that an environment names, with the variable of each. */
export function namedProxies(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  return PROXIES.flatMap((name) => {
    const value = env[name] || env[name.toLowerCase()];
    return value === undefined || value === "" ? [] : [{ name, value }];
  });
}

/** Whether Node sends requests through them, which it has to be told to. */
export function usesProxies(env: NodeJS.ProcessEnv, nodeVersion: string, execArgv: readonly string[] = process.execArgv): boolean {
  if (!supportsProxies(nodeVersion)) return false;
  return env["NODE_USE_ENV_PROXY"] === "1" || [...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(/\s+/)].includes("--use-env-proxy");
}

/** Node reads these variables since 22.21 and 24.0. */
export function supportsProxies(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 21);
}
