import type { Fetcher, FetchRequest, FetchResponse } from "../define/fetch.ts";
import { StatusCodeError } from "../define/pack-errors.ts";

export interface EmulatorFetcherOptions {
  /** The local service that receives the requests. */
  service: { url: string; token: string; clock: { now(): number; advance(ms: number): void } };
  /** The hosts that the local service replaces. @default every host */
  hosts?: readonly string[] | undefined;
  /** @default the token of the service */
  token?: string | undefined;
}

const DEFAULT_TTL_SECONDS = 300;
const BUDGET_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
/** Headers that a Pack sees; all others are removed. */
const VISIBLE_HEADERS = ["content-type", "content-length"];

/**
 * A fetcher for tests of Packs. The fetcher sends requests to a local service, and behaves in the
 * same way as in the document service. The fetcher adds the credentials, caches the response to a
 * GET request for five minutes, waits up to a minute after status 429, throws an error for a status
 * of 300 or above, and removes response headers. Waits and caches use the clock of the local
 * service.
 */
export function emulatorFetcher({
  service,
  hosts,
  token = service.token,
}: EmulatorFetcherOptions): Fetcher {
  const { clock } = service;
  const cache = new Map<string, { response: FetchResponse<never>; expiresAtMs: number }>();

  async function exchange(request: FetchRequest): Promise<Response> {
    const { method, url, body, headers = {}, disableAuthentication = false } = request;
    if (Object.keys(headers).some((name) => name.toLowerCase() === "authorization"))
      throw new TypeError(
        "A Pack must not set the Authorization header. packsmith adds the account's credentials to each request.",
      );
    const target = new URL(url);
    if (hosts !== undefined && !hosts.includes(target.host))
      throw new TypeError(`The service does not handle requests for ${target.host}.`);
    const endsAtMs = clock.now() + BUDGET_MS;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      const response = await fetch(new URL(target.pathname + target.search, service.url), {
        method,
        headers: {
          ...headers,
          ...(disableAuthentication ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: body as string }),
        redirect: "manual",
        signal: AbortSignal.timeout(BUDGET_MS),
      });
      const askedMs = Number(response.headers.get("retry-after") ?? 0) * 1_000;
      const nextMs = askedMs > 0 ? askedMs : waitMs;
      if (response.status !== 429 || clock.now() + nextMs > endsAtMs) return response;
      await response.body?.cancel();
      clock.advance(nextMs);
    }
  }

  async function send(request: FetchRequest): Promise<FetchResponse<never>> {
    const response = await exchange(request);
    const bytes = Buffer.from(await response.arrayBuffer());
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => VISIBLE_HEADERS.includes(name)),
    );
    const body = (
      request.isBinaryResponse === true && response.status < 300
        ? bytes
        : parseJsonOrText(bytes.toString("utf8"))
    ) as never;
    if (response.status >= 300)
      throw new StatusCodeError(response.status, body, request, { body, headers });
    return { status: response.status, body, headers };
  }

  return {
    async fetch(request) {
      const {
        method,
        url,
        cacheTtlSecs = DEFAULT_TTL_SECONDS,
        forceCache = false,
        isBinaryResponse = false,
      } = request;
      if (cacheTtlSecs <= 0 || (method !== "GET" && !forceCache)) return await send(request);
      const key = JSON.stringify([method, url, request.headers, request.body, isBinaryResponse]);
      const known = cache.get(key);
      if (known !== undefined && known.expiresAtMs > clock.now()) return known.response;
      const response = await send(request);
      cache.set(key, { response, expiresAtMs: clock.now() + cacheTtlSecs * 1_000 });
      return response;
    },
  };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}
