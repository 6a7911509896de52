import type { SecureContext } from "node:tls";
import { isPackError, type PackError } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { createRedactor, type Redactor } from "../shared/redact.ts";
import { parseUrl } from "../shared/urls.ts";
import { certificateRefusal, createClientContext } from "./client-certificate.ts";
import { listClientSecrets } from "./client-key.ts";
import { describeHeaders, describeParams, isSecretParam } from "./describe-exchange.ts";
import type { ExchangeRecord, ExchangeStep } from "./exchange-record.ts";
import { readLimitedText } from "./response-body.ts";
import { applyRoutes, NO_ROUTES, type Routes } from "./routes.ts";
import { sendOut } from "./send-out.ts";
import type { PreparedRequest, RequestAuthentication } from "./step.ts";
import type { Tape, TapedRequest, TapedResponse } from "./tape.ts";
import {
  hintForLargeBody,
  parseRetryAfter,
  timeoutError,
  unreachableError,
} from "./token-failure.ts";
import type { PendingTokens } from "./token-response.ts";
import type { ClientCredentials } from "./token-set.ts";
import { checkUrl, describeUrl, type Lookup, publicOnlyFor, systemLookup } from "./url-policy.ts";

const debug = createDebugLog("oauth");

/** Options of every request to an authorization server. */
export interface TransportOptions {
  /** @default none */
  routes?: Routes | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined;
  /** From the first byte sent to the last byte read, in milliseconds. @default 30_000 */
  timeoutMs?: number | undefined;
  /** @default 1_000_000 */
  maxBodyBytes?: number | undefined;
  /**
   * Resolves host names for the check that refuses private addresses. @default the system's
   * resolver
   */
  lookup?: Lookup | undefined;
  /**
   * Called before a request with client credentials is sent. If it throws, nothing is sent.
   * Awaited.
   */
  beforeCredentials?: ((url: string, client: ClientCredentials) => Promise<void>) | undefined;
  /**
   * Receives the body of a token response before it is validated, so that a rotated token cannot be
   * lost. Awaited.
   */
  onPendingTokens?: ((pending: PendingTokens) => Promise<void>) | undefined;
  onExchange?: ((record: ExchangeRecord) => void) | undefined;
  /** Records the exchanges, or replays recorded ones. */
  tape?: Tape | undefined;
  /** Receives the secrets of requests and responses. */
  redactor?: Redactor | undefined;
}

/** A response whose body is read and decoded, but not interpreted. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface OutgoingStep {
  purpose: ExchangeStep;
  request: PreparedRequest;
  authentication: RequestAuthentication | undefined;
}

/** What the reader of a response gets. */
export interface Answer {
  response: RawResponse;
  /** Of the server, for messages. */
  host: string;
  retryAfterSeconds: number | undefined;
  /** May be completed by the reader. It is reported after that. */
  record: ExchangeRecord;
  redactor: Redactor;
}

/**
 * Sends a request and has its response read: checks the URL, limits time and size, and reports the
 * exchange without its secrets, whatever the outcome. Never follows a redirect, because a 307 would
 * send the secret again. An answer of any status is a response.
 * @throws {PackError} URL_NOT_ALLOWED, OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT,
 *   OAUTH_TOKEN_RESPONSE_INVALID for a body over the limit; what `read` throws
 */
export async function send<Result>(
  { purpose, request, authentication }: OutgoingStep,
  options: TransportOptions,
  read: (answer: Answer) => Result | Promise<Result>,
): Promise<Result> {
  const { now = Date.now, redactor = createRedactor() } = options;
  const startedAtMs = now();
  const record = beginRecord(purpose, request, authentication, startedAtMs);
  for (const [name, value] of request.params) if (isSecretParam(name)) redactor.add(value);
  for (const secret of listClientSecrets(authentication?.client.clientSecret)) redactor.add(secret);
  const host = formatHost(request.url);
  try {
    const response = await deliver(request, {
      ...options,
      purpose,
      clientContext:
        authentication?.method === "tls_client_auth"
          ? () => createClientContext(authentication.client, now())
          : undefined,
      onStatus: (status) => (record.status = status),
    });
    const { headers } = response;
    const retryAfterSeconds = parseRetryAfter(headers.get("retry-after"), now());
    record.response = {
      contentType: headers.get("content-type") ?? undefined,
      members: [],
      values: {},
      headers: describeHeaders(headers),
      bytes: Buffer.byteLength(response.text),
      retryAfterSeconds,
      deviations: [],
    };
    return await read({ response, host, retryAfterSeconds, record, redactor });
  } catch (error) {
    const failure = isPackError(error)
      ? (error as PackError)
      : unreachableError(purpose, host, error);
    if (record.isWaiting !== true) record.error = failure.code;
    throw failure;
  } finally {
    record.durationMs = now() - startedAtMs;
    debug(() => describeRecord(record), redactor);
    options.onExchange?.(record);
  }
}

function beginRecord(
  step: ExchangeStep,
  { method, url, params, headers, body }: PreparedRequest,
  authentication: RequestAuthentication | undefined,
  startedAtMs: number,
): ExchangeRecord {
  return {
    step,
    method,
    url: describeUrl(url),
    startedAtMs,
    durationMs: 0,
    clientAuthentication: authentication?.method,
    request: {
      params: describeParams(params),
      headers: describeHeaders(headers),
      bytes: body === undefined ? 0 : Buffer.byteLength(body),
    },
  };
}

function describeRecord({ step, method, url, status, error, durationMs }: ExchangeRecord): string {
  const outcome = [status ?? "no answer", ...(error === undefined ? [] : [error])].join(" ");
  return `${step}: ${method} ${url} ${outcome} in ${durationMs} ms`;
}

function formatHost(text: string): string {
  return parseUrl(text)?.host ?? "The authorization server";
}

interface Delivery extends TransportOptions {
  purpose: ExchangeStep;
  /** Shows the client's certificate in the TLS handshake. */
  clientContext: (() => Promise<SecureContext>) | undefined;
  /** Called with the status as soon as it is known. */
  onStatus(status: number): void;
}

async function deliver(request: PreparedRequest, delivery: Delivery): Promise<RawResponse> {
  const { purpose, timeoutMs = 30_000, tape, onStatus } = delivery;
  const url = checkUrl(request.url);
  return await runWithin(timeoutMs, purpose, url.host, async (signal) => {
    const live = () => sendLive(request, url, delivery, signal);
    const { method, url: address, body } = request;
    const taped: TapedRequest = { purpose: "token", method, url: address, body };
    const { status, headers, bytes } =
      tape === undefined ? await live() : await tape.exchange(taped, live);
    onStatus(status);
    return { status, headers: new Headers(headers), text: new TextDecoder().decode(bytes) };
  });
}

async function sendLive(
  request: PreparedRequest,
  url: URL,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<TapedResponse> {
  const { routes = NO_ROUTES, lookup = systemLookup, maxBodyBytes = 1_000_000, purpose } = delivery;
  const clientContext = await delivery.clientContext?.();
  const response = await sendOut(applyRoutes(request.url, routes), {
    method: request.method,
    signal,
    clientContext,
    headers: Object.fromEntries(request.headers),
    body: request.body ?? null,
    publicOnly: publicOnlyFor(url, routes, lookup),
  }).catch((error: unknown) => {
    throw signal.aborted
      ? error
      : withoutAnswer(purpose, url.host, error, clientContext !== undefined);
  });
  delivery.onStatus(response.status);
  const text = await readLimitedText(response, {
    maxBodyBytes,
    host: url.host,
    hint: hintForLargeBody(purpose),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: new TextEncoder().encode(text),
  };
}

/** One deadline for resolving, connecting, headers and body. */
async function runWithin<Result>(
  limitMs: number,
  purpose: ExchangeStep,
  host: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(limitMs);
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(timeoutError(purpose, host, limitMs)), {
      once: true,
    });
  });
  const outcome = work(signal).catch((error: unknown) => {
    throw signal.aborted
      ? timeoutError(purpose, host, limitMs)
      : isPackError(error)
        ? error
        : unreachableError(purpose, host, error);
  });
  return Promise.race([outcome, expired]);
}

function withoutAnswer(
  purpose: ExchangeStep,
  host: string,
  error: unknown,
  showsCertificate: boolean,
): PackError {
  if (isPackError(error)) return error as PackError;
  return (
    certificateRefusal(error, host, showsCertificate) ??
    unreachableError(purpose, host, error, showsCertificate)
  );
}
