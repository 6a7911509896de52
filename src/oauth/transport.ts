import type { ParamValue } from "../define/oauth-parameters.ts";
import { isPackError, type PackError } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { createRedactor, type Redactor } from "../shared/redact.ts";
import { canParseUrl } from "../shared/urls.ts";
import {
  authenticateRequest,
  createClientAssertion,
  isAssertion,
} from "./client-authentication.ts";
import { certificateRefusal, clientContextOf } from "./client-certificate.ts";
import { clientSecretsOf } from "./client-key.ts";
import { type OAuthDefinition, renamed } from "./definition.ts";
import {
  describeHeaders,
  describeParams,
  describeResult,
  isSecretParam,
} from "./describe-exchange.ts";
import { createDpopProof, dpopSecretOf } from "./dpop.ts";
import type { ExchangeRecord, ExchangeStep } from "./exchange-record.ts";
import { readLimitedText } from "./response-body.ts";
import { applyRoutes, NO_ROUTES, type Routes } from "./routes.ts";
import { sendOut } from "./send-out.ts";
import type { Tape, TapedRequest, TapedResponse } from "./tape.ts";
import {
  idTokenError,
  invalidResponseError,
  parseRetryAfter,
  reportedError,
  timeoutError,
  unreachableError,
} from "./token-failure.ts";
import {
  type PendingTokens,
  type ReceivedTokenResponse,
  readTokenResponse,
  type TokenResponse,
  UNNAMED_ERROR,
} from "./token-response.ts";
import type { ClientAuthenticationMethod, ClientCredentials } from "./token-set.ts";
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

/** What one transport is for. */
export interface TransportPurpose {
  /**
   * `token` and `refresh` responses are normalized; others stay as they are. Errors of `pushed`,
   * `registration` and `device` are read. @default "token"
   */
  step?: ExchangeStep | undefined;
  /** If set, the transport writes the client authentication and removes the library's. */
  authentication?: { client: ClientCredentials; method: ClientAuthenticationMethod } | undefined;
  /** The server's issuer, if it was discovered: the audience of assertions. */
  issuer?: string | undefined;
  /** Parameters that replace the library's, byte for byte; undefined removes one. */
  replaceParams?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Parameters that the definition adds. They replace nothing. Numbers and booleans keep their type
   * in a JSON request.
   */
  extraParams?: Readonly<Record<string, ParamValue>> | undefined;
  /** A private JWK: token requests prove that the client holds it (RFC 9449 §5). */
  dpopKey?: string | undefined;
  /**
   * The access token that a refresh may leave unchanged, if the definition says so
   * (`tokenResponse.refreshKeepsToken`).
   */
  keptAccessToken?: string | undefined;
  /**
   * Keeps an `id_token` for the library, which validates it. Otherwise it is moved aside. @default
   * false
   */
  keepIdToken?: boolean | undefined;
  /** Receives the typed error behind a response that the library will refuse. */
  onFailure?: ((error: PackError) => void) | undefined;
}

/**
 * Makes the `fetch` for both OAuth libraries. It checks the URL, limits time and size, never
 * follows a redirect (a 307
 * would send the secret again), writes the client authentication, reads responses as real providers
 * write them, and
 * records the exchange.
 */
export function createTokenTransport(
  definition: OAuthDefinition,
  options: TransportOptions & TransportPurpose = {},
): typeof fetch {
  const {
    step = "token",
    routes = NO_ROUTES,
    now = Date.now,
    timeoutMs = 30_000,
    maxBodyBytes = 1_000_000,
  } = options;
  const { lookup = systemLookup, redactor = createRedactor(), authentication, onFailure } = options;

  const usesCertificate = authentication?.method === "tls_client_auth";
  const { dpopKey } = options;
  const usesDpop = dpopKey !== undefined && (step === "token" || step === "refresh");
  let nonce: string | undefined;
  redactor.add(dpopSecretOf(dpopKey));

  return async (input, init = {}) => {
    const text = input instanceof Request ? input.url : String(input);
    const usedNonce = nonce;
    const answer = await exchange(text, init);
    // RFC 9449 §8: the nonce was missing or too old. Proofs and assertions serve once, so the
    // request is built again.
    const wantsNonce =
      usesDpop && nonce !== undefined && nonce !== usedNonce && answer.status === 400;
    return wantsNonce && (await isNonceDemand(answer)) ? await exchange(text, init) : answer;
  };

  async function exchange(text: string, init: RequestInit): Promise<Response> {
    const startedAtMs = now();
    // The libraries wrap what is thrown here.
    const failBefore = (error: PackError): never => {
      onFailure?.(error);
      throw error;
    };
    if (authentication !== undefined)
      await options.beforeCredentials?.(text, authentication.client).catch(failBefore);
    const assertion =
      authentication !== undefined && isAssertion(authentication.method)
        ? await createClientAssertion({
            ...authentication,
            issuer: options.issuer,
            definition,
            url: text,
            step,
            nowMs: now(),
          }).catch(failBefore)
        : undefined;
    const request = reshape(text, init, definition, { ...options, step }, assertion);
    if (usesDpop)
      request.headers.set(
        "DPoP",
        await createDpopProof(dpopKey, { method: request.method, url: text, nowMs: now(), nonce }),
      );
    const record: ExchangeRecord = {
      step,
      method: request.method,
      url: describeUrl(text),
      startedAtMs,
      durationMs: 0,
      clientAuthentication: authentication?.method,
      request: {
        params: describeParams(request.params),
        headers: describeHeaders(request.headers),
        bytes: request.body === undefined ? 0 : Buffer.byteLength(request.body),
      },
    };
    for (const [name, value] of request.params) if (isSecretParam(name)) redactor.add(value);
    for (const secret of clientSecretsOf(authentication?.client.clientSecret)) redactor.add(secret);

    const fail = (error: PackError): PackError => {
      record.error = error.code;
      onFailure?.(error);
      return error;
    };
    try {
      const url = checkUrl(request.url);
      const { response, body } = await within(timeoutMs, step, url.host, async (signal) => {
        const live = async (): Promise<TapedResponse> => {
          const clientContext = usesCertificate
            ? await clientContextOf(authentication.client, now())
            : undefined;
          const response = await sendOut(applyRoutes(request.url, routes), {
            method: request.method,
            signal,
            clientContext,
            headers: Object.fromEntries(request.headers),
            body: request.body ?? null,
            publicOnly: publicOnlyFor(url, routes, lookup),
          }).catch((error: unknown) => {
            throw signal.aborted ? error : withoutAnswer(step, url.host, error, usesCertificate);
          });
          record.status = response.status;
          const text = await readLimitedText(response, maxBodyBytes);
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            bytes: new TextEncoder().encode(text),
          };
        };
        const { method, url: address, body: sent } = request;
        const taped: TapedRequest = { purpose: "token", method, url: address, body: sent };
        const { status, headers, bytes } =
          options.tape === undefined ? await live() : await options.tape.exchange(taped, live);
        record.status = status;
        nonce = headers["dpop-nonce"] ?? nonce;
        const body = new TextDecoder().decode(bytes);
        return { response: copyOf(new Response(null, { status, headers }), body), body };
      });
      const contentType = response.headers.get("content-type") ?? undefined;
      const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), now());
      const headers = describeHeaders(response.headers);
      const bytes = Buffer.byteLength(body);
      record.response = {
        contentType,
        members: [],
        values: {},
        headers,
        bytes,
        retryAfterSeconds,
        deviations: [],
      };
      const received: ReceivedTokenResponse = {
        status: response.status,
        contentType,
        text: body,
        receivedAtMs: now(),
      };
      if (step !== "token" && step !== "refresh") {
        if (response.status < 400 || !READS_ERRORS.has(step)) return response;
        const result = withoutSecrets(readTokenResponse(received, definition, options), redactor);
        if (result.kind === "error")
          fail(
            reportedError({
              step,
              host: url.host,
              status: response.status,
              ...result,
              retryAfterSeconds,
            }),
          );
        return response;
      }
      // Some servers quote the request in their error text, with its secrets.
      const result = withoutSecrets(readTokenResponse(received, definition, options), redactor);
      describeResult(record, result);
      switch (result.kind) {
        case "tokens":
          for (const name of ["access_token", "refresh_token", "id_token", "x_id_token"])
            addSecret(redactor, result.body[name]);
          await options.onPendingTokens?.(received);
          return Response.json(result.body);
        case "error": {
          const { error, description } = result;
          fail(
            reportedError({
              step,
              host: url.host,
              status: response.status,
              error,
              description,
              retryAfterSeconds,
            }),
          );
          if (error !== undefined && WAITING.has(error)) {
            record.isWaiting = true;
            record.error = undefined;
          }
          const refused = response.status >= 400 && response.status < 500;
          return Response.json(
            { error: error ?? UNNAMED_ERROR, error_description: description },
            { status: refused ? response.status : 400 },
          );
        }
        case "invalid":
          // The response may hold rotated tokens in a form that is not known yet.
          await options.onPendingTokens?.(received);
          fail(invalidResponseError(url.host, response.status, result.reason));
          return Response.json(
            { error: "invalid_response", error_description: result.reason },
            { status: 400 },
          );
        default:
          fail(
            invalidResponseError(
              url.host,
              response.status,
              `${result.reason}${targetOf(response, text)}`,
            ),
          );
          // Labeled as JSON, so that both libraries try to read the empty body and fail. After
          // another status than 200 one would print a warning.
          return response.ok
            ? new Response(null, { headers: { "content-type": "application/json" } })
            : new Response(null, { status: response.status });
      }
    } catch (error) {
      throw fail(
        isPackError(error) ? (error as PackError) : unreachableError(step, hostOf(text), error),
      );
    } finally {
      record.durationMs = now() - startedAtMs;
      debug(() => describeRequest(record), redactor);
      options.onExchange?.(record);
    }
  }
}

function describeRequest({ step, method, url, status, error, durationMs }: ExchangeRecord): string {
  const outcome = [status ?? "no answer", ...(error === undefined ? [] : [error])].join(" ");
  return `${step}: ${method} ${url} ${outcome} in ${durationMs} ms`;
}

/** Where a redirect goes, so that the definition can name that address. */
function targetOf({ headers }: Response, url: string): string {
  const location = headers.get("location");
  return location !== null && canParseUrl(location, url)
    ? ` to ${describeUrl(new URL(location, url).href)}`
    : "";
}

/** RFC 8628 §3.5: the user has not entered the code yet. */
const WAITING: ReadonlySet<string> = new Set(["authorization_pending", "slow_down"]);

const READS_ERRORS: ReadonlySet<ExchangeStep> = new Set(["pushed", "registration", "device"]);

async function isNonceDemand(answer: Response): Promise<boolean> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return (
    typeof body === "object" && body !== null && "error" in body && body.error === "use_dpop_nonce"
  );
}

/**
 * Lets a library make its request through a transport, and throws the typed error behind the
 * library's. Errors of the
 * libraries hold response bodies, so they never leave this function, not even as a cause.
 */
export async function throughTransport<Result>(
  definition: OAuthDefinition,
  options: TransportOptions & TransportPurpose,
  request: (transport: typeof fetch) => Promise<Result>,
): Promise<Result> {
  let failure: PackError | undefined;
  const transport = createTokenTransport(definition, {
    ...options,
    onFailure: (error) => (failure = error),
  });
  try {
    return await request(transport);
  } catch (error) {
    if (failure !== undefined) throw failure;
    // A library wraps what is thrown while it reads a response.
    for (
      let cause = error, depth = 0;
      depth < 5 && cause instanceof Error;
      cause = cause.cause, depth++
    )
      if (isPackError(cause)) throw cause;
    const reason =
      error instanceof Error && "code" in error
        ? String(error.code)
        : "the client library refused it";
    if (reason.startsWith("OAUTH_JWT_")) throw idTokenError(reason);
    throw invalidResponseError("The authorization server", 200, reason);
  }
}

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const FORM_TYPE = "application/x-www-form-urlencoded;charset=UTF-8";

interface ReshapedRequest {
  method: string;
  url: string;
  headers: Headers;
  params: URLSearchParams;
  /** Undefined for a request whose parameters are in the URL. */
  body: string | undefined;
}

/** The request as it will be sent. The libraries can only write forms. */
function reshape(
  url: string,
  init: RequestInit,
  definition: OAuthDefinition,
  { authentication, replaceParams = {}, extraParams = {}, step }: TransportPurpose,
  assertion: string | undefined,
): ReshapedRequest {
  const headers = new Headers(init.headers);
  const method = init.method ?? "GET";
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const params = new URLSearchParams(
    !isJson && (init.body instanceof URLSearchParams || typeof init.body === "string")
      ? init.body
      : "",
  );
  // A registration is already JSON (RFC 7591 §3.1).
  if (isJson) return { method, url, headers, params, body: String(init.body) };
  const isToken = step === "token" || step === "refresh";
  // Those of the definition replace the library's, such as User-Agent, and never the client
  // authentication.
  for (const [name, value] of Object.entries(isToken ? (definition.tokenHeaders ?? {}) : {}))
    if (name.toLowerCase() !== "authorization") headers.set(name, value);
  if (authentication !== undefined)
    authenticateRequest(
      authentication.client,
      authentication.method,
      { params, headers },
      assertion,
    );
  // RFC 9126 §2.1 and RFC 8628 §3.1: the client ID is a parameter of the request, wherever the
  // credentials are. Servers read it there.
  const isDevice = step === "device" || params.get("grant_type") === DEVICE_GRANT;
  if ((step === "pushed" || isDevice) && authentication !== undefined)
    params.set("client_id", authentication.client.clientId);
  for (const [name, value] of Object.entries(replaceParams)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  headers.delete("content-type");
  headers.delete("content-length");
  const own = new Set(params.keys());
  const added = Object.entries(extraParams).filter(([name]) => !own.has(name));
  for (const [name, value] of added) params.set(name, String(value));
  const format = isToken ? (definition.tokenRequestFormat ?? "form") : "form";
  // Records keep the names of the protocol.
  const sent = isToken ? renamed(params, definition) : params;
  switch (format) {
    case "json":
      headers.set("content-type", "application/json");
      return {
        method,
        url,
        headers,
        params,
        body: JSON.stringify({ ...flatObject(sent), ...Object.fromEntries(added) }),
      };
    case "query": {
      // The URL's query stays byte for byte.
      const separator = url.includes("?") ? "&" : "?";
      return { method, url: `${url}${separator}${sent}`, headers, params, body: undefined };
    }
    case "form":
      if (method === "GET") return { method, url, headers, params, body: undefined };
      headers.set("content-type", FORM_TYPE);
      return { method, url, headers, params, body: sent.toString() };
  }
}

/** A repeated parameter, such as `resource`, becomes a list. */
function flatObject(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** One deadline for resolving, connecting, headers and body. */
async function within<Result>(
  limitMs: number,
  step: ExchangeStep,
  host: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(limitMs);
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(timeoutError(step, host, limitMs)), {
      once: true,
    });
  });
  const outcome = work(signal).catch((error: unknown) => {
    throw signal.aborted
      ? timeoutError(step, host, limitMs)
      : isPackError(error)
        ? error
        : unreachableError(step, host, error);
  });
  return Promise.race([outcome, expired]);
}

function withoutAnswer(
  step: ExchangeStep,
  host: string,
  error: unknown,
  showsCertificate: boolean,
): PackError {
  if (isPackError(error)) return error as PackError;
  return (
    certificateRefusal(error, host, showsCertificate) ??
    unreachableError(step, host, error, showsCertificate)
  );
}

function withoutSecrets(result: TokenResponse, redactor: Redactor): TokenResponse {
  if (result.kind !== "error") return result;
  // An error code of the protocol stays readable, even if a secret is the word "client".
  const error =
    result.error === undefined || /^[a-z_]{1,40}$/.test(result.error)
      ? result.error
      : redactor.text(result.error);
  return {
    ...result,
    error,
    description: result.description === undefined ? undefined : redactor.text(result.description),
  };
}

function addSecret(redactor: Redactor, value: unknown): void {
  if (typeof value === "string") redactor.add(value);
}

/** The response with its body, which is read already. */
function copyOf(response: Response, body: string): Response {
  const bodyless = [101, 204, 205, 304].includes(response.status);
  const headers = new Headers(response.headers);
  // The body is decoded; these headers describe the encoded one.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(bodyless ? null : body, { status: response.status, headers });
}

function hostOf(text: string): string {
  return canParseUrl(text) ? new URL(text).host : "The authorization server";
}
