import { PackError } from "../errors.ts";
import type { IncomingResponse, OutgoingRequest, sendRequest } from "./send-request.ts";
import { bareHost, resolvePublicAddresses } from "./url-policy.ts";

/**
 * Chosen and loaded with the first request, because many runs send none. Node also reads its
 * environment only once.
 */
let sender: Promise<typeof sendRequest> | undefined;

/**
 * Sends one request over connections of this process, or with Node's `fetch` where Node is set to
 * use a proxy. Does not
 * follow redirects.
 * @throws {PackError} URL_NOT_ALLOWED for a private address, if the request asks for public ones;
 *   otherwise the system's error
 */
export async function sendOut(url: string, request: OutgoingRequest): Promise<IncomingResponse> {
  sender ??= chooseSender();
  return await (await sender)(url, request);
}

async function chooseSender(): Promise<typeof sendRequest> {
  if (usesProxies(process.env, process.versions.node)) return sendThroughProxy;
  return (await import("./send-request.ts")).sendRequest;
}

async function sendThroughProxy(url: string, request: OutgoingRequest): Promise<IncomingResponse> {
  // Node's fetch takes a compressed body that ends too early for a complete one.
  const headers = { "accept-encoding": "identity", ...request.headers };
  if (request.clientContext === undefined)
    return await sendThrough(fetch, url, { ...request, headers });
  const reason = "Node uses a proxy, and cannot send a client certificate through the proxy";
  throw new PackError(
    "OAUTH_CERTIFICATE_INVALID",
    `The client's certificate cannot be used: ${reason}.`,
    {
      details: { reason },
      hint: "Run the command without NODE_USE_ENV_PROXY and --use-env-proxy.",
    },
  );
}

/**
 * Sends a request with a function that makes its own connections, without a client certificate.
 * Addresses are checked before it is called.
 */
export async function sendThrough(
  send: typeof fetch,
  url: string,
  { publicOnly, clientContext: _, ...request }: OutgoingRequest,
): Promise<IncomingResponse> {
  if (publicOnly !== undefined) await resolvePublicAddresses(bareHost(new URL(url)), publicOnly);
  return await send(url, { ...request, redirect: "manual" });
}

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/** The proxies that an environment names, each with its variable. */
export function namedProxies(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  return PROXIES.flatMap((name) => {
    const value = env[name] || env[name.toLowerCase()];
    return value === undefined || value === "" ? [] : [{ name, value }];
  });
}

/**
 * Whether Node sends requests through the proxies of its environment. It does so only on request.
 */
export function usesProxies(
  env: NodeJS.ProcessEnv,
  nodeVersion: string,
  execArgv: readonly string[] = process.execArgv,
): boolean {
  if (!supportsProxies(nodeVersion)) return false;
  return (
    env["NODE_USE_ENV_PROXY"] === "1" ||
    [...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(/\s+/)].includes("--use-env-proxy")
  );
}

/** Node can read these variables since 22.21 and 24.0. */
export function supportsProxies(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 21);
}
