import { isPackError, PackError } from "../../errors.ts";
import { applyRoutes, type Routes } from "../../oauth/routes.ts";
import { sendOut, sendThrough } from "../../oauth/send-out.ts";
import type { IncomingResponse, OutgoingRequest } from "../../oauth/send-request.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import { type Lookup, systemLookup } from "../../oauth/url-policy.ts";
import type { CredentialedRequest } from "./credentials.ts";
import type { FetchPolicy } from "./fetch-policy.ts";

export interface WireOptions {
  policy: Pick<FetchPolicy, "isDeclaredLoopback">;
  routes?: Routes | undefined;
  /** Takes the place of this machine's connections. */
  fetch?: typeof fetch | undefined;
  lookup?: Lookup | undefined;
  maxBytes: number;
  /** For the message of a time-out. */
  timeoutMs: number;
}

/** Sends one request as it is, and reads its whole response, into bytes that nobody else holds. */
export type Wire = (
  request: CredentialedRequest & { method: string },
  signal: AbortSignal,
  onBytes: (count: number) => void,
) => Promise<TapedResponse & { bytes: Buffer }>;

/**
 * Creates the way to the network: routes are applied, private addresses refused, bytes counted while they arrive.
 * The wire throws FETCH_HOST_REFUSED, FETCH_FAILED, FETCH_TIMEOUT, FETCH_TOO_LARGE.
 */
export function createWire({ policy, routes, lookup = systemLookup, maxBytes, timeoutMs, fetch: standIn }: WireOptions): Wire {
  const send = standIn === undefined ? sendOut : (url: string, request: OutgoingRequest) => sendThrough(standIn, url, request);
  return async ({ method, url, headers, body }, signal, onBytes) => {
    const { host } = new URL(url);
    try {
      const routed = routes === undefined ? url : applyRoutes(url, routes);
      const publicOnly = routed !== url || policy.isDeclaredLoopback(host) ? undefined : lookup;
      const response = await send(routed, { method, headers, body: body ?? null, signal, publicOnly });
      const bytes = await readBytes(response, host, maxBytes, onBytes);
      return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
    } catch (error) {
      throw networkFailure(error, host, timeoutMs, signal);
    }
  };
}

async function readBytes(response: IncomingResponse, host: string, maxBytes: number, onCount: (count: number) => void): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of response.body ?? []) {
    count += chunk.byteLength;
    onCount(count);
    if (count > maxBytes) {
      throw new PackError("FETCH_TOO_LARGE", `The response of ${host} is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`, {
        details: { host, limitBytes: maxBytes },
        hint: "Ask the server for less: a page, fewer fields, a filter.",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function networkFailure(error: unknown, host: string, limitMs: number, signal: AbortSignal): PackError {
  if (isPackError(error, "URL_NOT_ALLOWED")) {
    return new PackError("FETCH_HOST_REFUSED", `${host} leads into a private network.`, {
      details: { host, allowed: [] },
      hint: "Requests go to public hosts. For a server on this machine, give a route to it.",
      cause: error,
    });
  }
  if (isPackError(error)) return error as PackError;
  if (signal.aborted) {
    return new PackError("FETCH_TIMEOUT", `${host} did not answer within ${limitMs / 1000} s.`, {
      details: { host, limitMs },
      hint: "Try again, or ask the server for less.",
      cause: error,
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? ` (${String(cause.code)})` : "";
  return new PackError("FETCH_FAILED", `${host} could not be reached${code}.`, {
    details: { host },
    hint: "Check the address and that the server is running.",
    cause: error,
  });
}
