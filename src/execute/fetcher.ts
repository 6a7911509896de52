import type { AccountSession } from "../accounts/account-session.ts";
import type { Authentication } from "../define/authentication.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { isPackError, PackError } from "../errors.ts";
import { applyRoutes, type Routes } from "../oauth/routes.ts";
import type { Redactor } from "../redact.ts";
import { assertPublicAddress } from "./address-guard.ts";
import { addCredentials, tokenQueryParamOf, withoutQueryParameter } from "./credentials.ts";
import type { RequestRecord } from "./execution-result.ts";
import { createFetchPolicy } from "./fetch-policy.ts";
import { type PackRequest, parsePackRequest } from "./fetch-request.ts";
import { maskTokens, readResponse, visibleHeaders } from "./fetch-response.ts";
import { createGate } from "./gate.ts";
import type { HostFetchResult } from "./isolate.ts";
import { asksForRenewal } from "./renewal-signals.ts";
import { sendProved } from "./sender-constraint.ts";

export interface HostFetcherOptions {
  definition: PackVersionDefinition;
  account?: AccountSession | undefined;
  routes?: Routes | undefined;
  redactor: Redactor;
  onRequest(record: RequestRecord): void;
  /** Limit of one request with its redirects and its retry, in milliseconds. @default 30_000 */
  requestTimeoutMs?: number | undefined;
  /** @default 25 MiB */
  maxResponseBytes?: number | undefined;
  fetch?: typeof fetch | undefined;
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  now?: (() => number) | undefined;
}

/** Sends the requests of one run, on the host's side of the sandbox. */
export interface HostFetcher {
  /** Never rejects: a failure is a result. */
  fetch(request: unknown): Promise<HostFetchResult>;
  /** Ends every request that is still open. */
  close(): void;
}

/** The largest response of the platform. */
const MAX_RESPONSE_BYTES = 25 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_CONCURRENT_REQUESTS = 10;
const REQUEST_TIMEOUT_MS = 30_000;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

interface Exchange {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  bytes: Buffer;
}

/** One hop of a request: what is sent where. */
interface Hop {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** False from the first redirect to another origin on (rule 22). */
  mayCarryCredentials: boolean;
}

/** Creates the fetcher of one run. */
export function createHostFetcher(options: HostFetcherOptions): HostFetcher {
  const { account, redactor } = options;
  const now = options.now ?? Date.now;
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const maxBytes = options.maxResponseBytes ?? MAX_RESPONSE_BYTES;
  const policy = createFetchPolicy(options.definition.networkDomains, account?.authentication, account?.endpoint);
  const closing = new AbortController();
  // Each may hold a whole response: without a bound a Pack could fill the host's memory.
  const gate = createGate(MAX_CONCURRENT_REQUESTS);
  /** What no response may show the Pack, should a server send it back. */
  const tokens = new Set<string>();

  return {
    fetch: (untrusted) => gate(() => answer(untrusted)),
    close: () => closing.abort(),
  };

  async function answer(untrusted: unknown): Promise<HostFetchResult> {
    try {
      const request = parsePackRequest(untrusted);
      const exchange = await follow(request);
      const response = readResponse(exchange, request.isBinaryResponse);
      if (exchange.status >= 400) return statusFailure(request, exchange, response);
      return { ok: true, response };
    } catch (error) {
      return failureOf(error);
    }
  }

  /** One time limit for a request with its redirects and its retry. */
  async function follow(request: PackRequest): Promise<Exchange> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await followRedirects(request, AbortSignal.any([timeout.signal, closing.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  async function followRedirects(request: PackRequest, signal: AbortSignal): Promise<Exchange> {
    let hop: Hop = {
      url: policy.resolve(request.url),
      method: request.method,
      headers: request.headers,
      body: request.body,
      mayCarryCredentials: !request.disableAuthentication,
    };
    for (let redirects = 0; ; redirects++) {
      const exchange = await send(hop, signal);
      const location = REDIRECT_STATUSES.has(exchange.status) ? exchange.headers["location"] : undefined;
      if (location === undefined || request.ignoreRedirects) return exchange;
      if (redirects === MAX_REDIRECTS) {
        const { host } = new URL(hop.url);
        throw new PackError("FETCH_TOO_MANY_REDIRECTS", `${host} redirected more than ${MAX_REDIRECTS} times.`, {
          details: { host },
          hint: "Request the final address.",
        });
      }
      const target = policy.resolveRedirect(withoutToken(location, hop), hop.url);
      hop = redirected(hop, exchange.status, target);
    }
  }

  /** A server that repeats the query in its redirect would pass the token on. */
  function withoutToken(location: string, hop: Hop): string {
    const name = account === undefined || !hop.mayCarryCredentials ? undefined : tokenQueryParamOf(account.authentication);
    return name === undefined ? location : withoutQueryParameter(location, name);
  }

  async function send(hop: Hop, signal: AbortSignal): Promise<Exchange> {
    const session = hop.mayCarryCredentials && account !== undefined && policy.mayReceiveCredentials(hop.url) ? account : undefined;
    if (session === undefined || !usesToken(session.authentication)) return await exchangeOnce(hop, hop.url, hop.headers, signal, false);
    const token = await session.getAccessToken();
    learn(token);
    const sendWith = (accessToken: string, isRetry: boolean): Promise<Exchange> => {
      const { url, headers } = addCredentials(hop, session.authentication, accessToken);
      const request = { method: hop.method, url: hop.url, token: accessToken, headers };
      return sendProved(session, request, (proved) => exchangeOnce(hop, url, proved, signal, isRetry));
    };
    const answer = await sendWith(token, false);
    if (!asksForRenewal(session.authentication, answer)) return answer;
    const renewed = await session.renewAfterUnauthorized(token);
    if (renewed === undefined) return answer;
    learn(renewed);
    return await sendWith(renewed, true);
  }

  function learn(token: string): void {
    tokens.add(token);
    redactor.add(token);
  }

  async function exchangeOnce(
    hop: Hop,
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    isRetry: boolean,
  ): Promise<Exchange> {
    const startedAtMs = now();
    const record: RequestRecord = {
      method: hop.method,
      url: redactor.text(hop.url),
      durationMs: 0,
      requestBytes: hop.body === undefined ? 0 : Buffer.byteLength(hop.body),
      responseBytes: 0,
      fromCache: false,
      ...(isRetry ? { retriedAfter401: true as const } : {}),
    };
    const { host } = new URL(url);
    try {
      const routed = options.routes === undefined ? url : applyRoutes(url, options.routes);
      if (routed === url) await assertPublicAddress(url, policy, options.lookup);
      const response = await (options.fetch ?? fetch)(routed, {
        method: hop.method,
        headers,
        body: hop.body ?? null,
        redirect: "manual",
        signal,
      });
      record.status = response.status;
      const bytes = await readBytes(response, host, maxBytes, (count) => {
        record.responseBytes = count;
      });
      return { status: response.status, headers: visibleHeaders(response.headers, tokens), bytes: maskTokens(bytes, tokens) };
    } catch (error) {
      const failure = networkFailure(error, host, timeoutMs, signal);
      record.error = failure.code;
      throw failure;
    } finally {
      record.durationMs = now() - startedAtMs;
      options.onRequest(record);
    }
  }

  function statusFailure(request: PackRequest, exchange: Exchange, response: { body?: unknown }): HostFetchResult {
    const { status } = exchange;
    const text = JSON.stringify(response.body) ?? "";
    const message = `${status} - ${text.length > 2000 ? `${text.slice(0, 2000)}…` : text}`;
    const host = new URL(policy.resolve(request.url)).host;
    return {
      ok: false,
      failure: {
        name: "StatusCodeError",
        message,
        members: {
          statusCode: status,
          body: response.body,
          error: response.body,
          options: request.original,
          response: { body: exchange.bytes.toString("utf8"), headers: exchange.headers },
        },
      },
      error: new PackError("FETCH_STATUS", `${request.method} to ${host} was answered with status ${message}`, {
        details: { status },
        hint:
          status === 401 || status === 403
            ? "Check that the account is connected and has the scopes that this request needs."
            : "Catch StatusCodeError in the formula, or check the request.",
      }),
    };
  }

  function failureOf(error: unknown): HostFetchResult {
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("FETCH_FAILED", "The request failed.", { details: { host: "" }, hint: "Try again.", cause: error });
    return {
      ok: false,
      failure: {
        name: failure.code === "FETCH_TOO_LARGE" ? "ResponseSizeTooLargeError" : "Error",
        message: redactor.text(failure.message),
        members: { code: failure.code },
      },
      error: failure,
    };
  }
}

/** The next hop. Another origin gets no credentials, no headers that may hold one, and no body (rule 22). */
function redirected(hop: Hop, status: number, url: string): Hop {
  const isSameOrigin = new URL(url).origin === new URL(hop.url).origin;
  const becomesGet = (status === 303 && hop.method !== "HEAD") || ((status === 301 || status === 302) && hop.method === "POST");
  const method = becomesGet ? "GET" : hop.method;
  const dropsBody = becomesGet || !isSameOrigin;
  const kept = Object.entries(hop.headers).filter(([name]) => {
    const lower = name.toLowerCase();
    if (dropsBody && lower.startsWith("content-")) return false;
    return isSameOrigin || SAFE_HEADERS.has(lower);
  });
  return {
    url,
    method,
    headers: Object.fromEntries(kept),
    body: dropsBody ? undefined : hop.body,
    mayCarryCredentials: hop.mayCarryCredentials && isSameOrigin,
  };
}

const SAFE_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

function usesToken(authentication: Authentication): boolean {
  return authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials";
}

async function readBytes(response: Response, host: string, maxBytes: number, onCount: (count: number) => void): Promise<Buffer> {
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
