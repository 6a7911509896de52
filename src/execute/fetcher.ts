import type { AccountSession } from "../accounts/account-session.ts";
import { type SecretSession, secretFieldsOf } from "../accounts/entered-credentials.ts";
import type { FetchRequest } from "../define/fetch.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { StatusCodeError } from "../define/pack-errors.ts";
import { isPackError, PackError } from "../errors.ts";
import type { Routes } from "../oauth/routes.ts";
import type { Tape, TapedResponse } from "../oauth/tape.ts";
import type { Lookup } from "../oauth/url-policy.ts";
import type { HostFetchResult } from "../sandbox/host/isolate.ts";
import { mayNameSecret, type Redactor } from "../shared/redact.ts";
import { type AwsRole, createAwsRole } from "./aws-role.ts";
import { signAwsRequest } from "./aws-signature.ts";
import { addCredentials, addSecrets, type CredentialedRequest, queryParamsOf, withoutQueryParameter } from "./credentials.ts";
import type { ExchangeDetail, RequestRecord } from "./execution-result.ts";
import type { ResponseCache } from "./fetch-cache.ts";
import { createExchangeLog, type ExchangeMarks } from "./fetch-log.ts";
import { createFetchPolicy } from "./fetch-policy.ts";
import { firstHop, type Hop, isRedirect, redirectedHop } from "./fetch-redirect.ts";
import { type PackRequest, parsePackRequest } from "./fetch-request.ts";
import { jsonTextOf, maskTokens, namedSecrets, parseJson, readResponse, visibleHeaders } from "./fetch-response.ts";
import { createWire } from "./fetch-wire.ts";
import { createGate } from "./gate.ts";
import { asksForRenewal } from "./renewal-signals.ts";
import { retryAfterMs, waitMs } from "./retry-after.ts";
import { sendProved } from "./sender-constraint.ts";

export interface HostFetcherOptions {
  definition: PackVersionDefinition;
  /** The account that the formula runs with. */
  account?: AccountSession | undefined;
  /** The Pack's own account: for requests to hosts that the first one's credentials are not for. */
  systemAccount?: AccountSession | undefined;
  /** Names this invocation in templates, `{{name-<invocationToken>}}`. @default none are filled */
  invocationToken?: string | undefined;
  routes?: Routes | undefined;
  redactor: Redactor;
  onRequest(record: RequestRecord): void;
  /** Learns what was sent and what came back, redacted. */
  onExchange?: ((detail: ExchangeDetail) => void) | undefined;
  /** Where equal requests find earlier responses. @default nothing is cached */
  cache?: ResponseCache | undefined;
  /** Records the requests, or answers them. */
  tape?: Tape | undefined;
  /** Limit of the whole run in milliseconds: a 429 is retried as long as it allows. @default 60_000 */
  timeoutMs?: number | undefined;
  /** When the run began. @default with its first request */
  startedAtMs?: number | undefined;
  /** Limit of one request with its redirects and its retry, in milliseconds. @default 30_000 */
  requestTimeoutMs?: number | undefined;
  /** @default 25 MiB */
  maxResponseBytes?: number | undefined;
  /** Gives JSON bodies as `bodyText`, for a receiver that parses them itself. @default false */
  leavesJson?: boolean | undefined;
  fetch?: typeof fetch | undefined;
  lookup?: Lookup | undefined;
  now?: (() => number) | undefined;
  /** Waits before another attempt. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Sends the requests of one run, on the host's side of the sandbox. */
export interface HostFetcher {
  /** Never rejects: a failure is a result. */
  fetch(request: unknown): Promise<HostFetchResult>;
  /** Ends every request that is still open. */
  close(): void;
}

/** The largest response of the platform. */
export const MAX_RESPONSE_BYTES = 25 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_RATE_LIMIT_RETRIES = 5;
const MAX_CONCURRENT_REQUESTS = 10;
const REQUEST_TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 60_000;
const MAX_MESSAGE_LENGTH = 2_000;
/** A token is in a small response; walking through a large one would take longer than parsing it. */
const MAX_SEARCHED_BYTES = 64 * 1024;
/** A shorter secret is ordinary text wherever it occurs. */
const MIN_SECRET_LENGTH = 4;

/** Made once: a new one for each run would record a stack that nobody reads. */
const ENDED = new DOMException("The request was ended.", "AbortError");

/** Creates the fetcher of one run. */
export function createHostFetcher(options: HostFetcherOptions): HostFetcher {
  const { redactor, tape, cache } = options;
  const now = options.now ?? Date.now;
  const sleep = options.sleep ?? waitMs;
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  let { startedAtMs } = options;
  const accounts = [options.account, options.systemAccount].filter((account) => account !== undefined);
  const policy = createFetchPolicy(options.definition.networkDomains, accounts);
  const wire = createWire({ ...options, policy, maxBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES, timeoutMs });
  /** Ends of what is under way. Not an `AbortSignal`: most runs close with nothing left to end, and making and firing one takes its time. */
  const open = new Set<() => void>();
  let isClosed = false;
  // Each may hold a whole response: without a bound a Pack could fill the host's memory.
  const gate = createGate(MAX_CONCURRENT_REQUESTS);
  const log = createExchangeLog({ redactor, now, onRequest: options.onRequest, onExchange: options.onExchange });
  /** What no response may show the Pack, should a server send it back. */
  const tokens = new Set<string>();
  const roles = new Map<SecretSession, AwsRole>();

  return {
    fetch: (untrusted) => gate(() => answer(untrusted)),
    close() {
      isClosed = true;
      for (const end of open) end();
    },
  };

  async function answer(untrusted: unknown): Promise<HostFetchResult> {
    try {
      const request = parsePackRequest(untrusted);
      const exchange = await fromCache(request);
      const bodyText = options.leavesJson === true && exchange.status < 400 ? jsonTextOf(exchange, request.isBinaryResponse) : undefined;
      if (bodyText !== undefined) {
        const { status, headers, bytes } = exchange;
        // While the Pack works on it.
        if (bytes.byteLength <= MAX_SEARCHED_BYTES)
          redactor.addFound(() => (mayNameSecret(bodyText) ? namedSecrets(parseJson(bodyText)) : []));
        return { ok: true, response: { status, headers, body: null }, bodyText };
      }
      const response = readResponse(exchange, request.isBinaryResponse);
      if (exchange.bytes.byteLength <= MAX_SEARCHED_BYTES) for (const secret of namedSecrets(response.body)) redactor.add(secret);
      if (exchange.status >= 400) return statusFailure(request, exchange, response);
      return { ok: true, response };
    } catch (error) {
      return failureOf(error);
    }
  }

  async function fromCache(request: PackRequest): Promise<TapedResponse> {
    const { cacheTtlSeconds } = request;
    if (cache === undefined || cacheTtlSeconds === 0) return await untilNotLimited(request);
    const hop = firstHop(request, policy);
    const key = cacheKey(hop, request.ignoreRedirects, accountOf(hop));
    const known = cache.get(key);
    if (known !== undefined) {
      log.fromCache(hop, known);
      return known;
    }
    const exchange = await untilNotLimited(request);
    if (exchange.status < 400) cache.set(key, exchange, cacheTtlSeconds);
    return exchange;
  }

  /** Waits as long as a server that is asked too often wants, while the run has time left. */
  async function untilNotLimited(request: PackRequest): Promise<TapedResponse> {
    startedAtMs ??= now();
    const deadlineMs = startedAtMs + (options.timeoutMs ?? RUN_TIMEOUT_MS);
    for (let retries = 0; ; retries++) {
      const exchange = await follow(request, retries > 0);
      if (exchange.status !== 429 || retries === MAX_RATE_LIMIT_RETRIES) return exchange;
      const delayMs = retryAfterMs(exchange.headers["retry-after"], now());
      if (delayMs === undefined || now() + delayMs >= deadlineMs) return exchange;
      if (tape?.isReplay !== true) await untilClosed((signal) => sleep(delayMs, signal));
    }
  }

  /** One time limit for a request with its redirects and its retry. */
  async function follow(request: PackRequest, isAfter429: boolean): Promise<TapedResponse> {
    return await untilClosed((signal) => followRedirects(request, signal, isAfter429), timeoutMs);
  }

  async function untilClosed<Result>(work: (signal: AbortSignal) => Promise<Result>, limitMs?: number): Promise<Result> {
    const ending = new AbortController();
    const end = (): void => ending.abort(ENDED);
    const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
    open.add(end);
    if (isClosed) end();
    try {
      return await work(ending.signal);
    } finally {
      clearTimeout(timer);
      open.delete(end);
    }
  }

  async function followRedirects(request: PackRequest, signal: AbortSignal, isAfter429: boolean): Promise<TapedResponse> {
    let hop = firstHop(request, policy);
    for (let redirects = 0; ; redirects++) {
      const exchange = await send(hop, signal, isAfter429 && redirects === 0 ? { retriedAfter429: true } : {});
      const location = isRedirect(exchange.status) ? exchange.headers["location"] : undefined;
      if (location === undefined || request.ignoreRedirects) return exchange;
      if (redirects === MAX_REDIRECTS) {
        const { host } = new URL(hop.url);
        throw new PackError("FETCH_TOO_MANY_REDIRECTS", `${host} redirected more than ${MAX_REDIRECTS} times.`, {
          details: { host },
          hint: "Request the final address.",
        });
      }
      const target = policy.resolveRedirect(withoutCredentials(location, hop), hop.url);
      hop = redirectedHop(hop, exchange.status, target);
    }
  }

  /** A server that repeats the query in its redirect would pass the credentials on. */
  function withoutCredentials(location: string, hop: Hop): string {
    const account = accountOf(hop);
    return account === undefined ? location : queryParamsOf(account.authentication).reduce(withoutQueryParameter, location);
  }

  function accountOf(hop: Hop): AccountSession | undefined {
    return hop.mayCarryCredentials ? policy.accountFor(hop.url) : undefined;
  }

  async function send(hop: Hop, signal: AbortSignal, marks: ExchangeMarks): Promise<TapedResponse> {
    const account = accountOf(hop);
    if (account === undefined) return await exchangeOnce(hop, hop, signal, undefined, marks);
    const { authentication } = account;
    if ("secrets" in account) {
      return await exchangeOnce(hop, await withSecrets(hop, account, signal), signal, authentication.type, marks);
    }
    const token = await account.getAccessToken();
    learn(token);
    const sendWith = (accessToken: string, sendMarks: ExchangeMarks): Promise<TapedResponse> => {
      const sent = { ...hop, ...addCredentials(hop, authentication, accessToken) };
      const request = { method: hop.method, url: hop.url, token: accessToken, headers: sent.headers };
      return sendProved(account, request, (headers) => exchangeOnce(hop, { ...sent, headers }, signal, authentication.type, sendMarks));
    };
    const answer = await sendWith(token, marks);
    if (!asksForRenewal(authentication, answer)) return answer;
    const renewed = await account.renewAfterUnauthorized(token);
    if (renewed === undefined) return answer;
    learn(renewed);
    return await sendWith(renewed, { retriedAfter401: true });
  }

  async function withSecrets(hop: Hop, account: SecretSession, signal: AbortSignal): Promise<CredentialedRequest> {
    const { authentication, secrets } = account;
    for (const { name, isHidden } of secretFieldsOf(authentication)) {
      if (isHidden && Object.hasOwn(secrets, name)) learn(secrets[name] ?? "");
    }
    if (authentication.type === "WebBasic")
      learn(Buffer.from(`${secrets["username"] ?? ""}:${secrets["password"] ?? ""}`).toString("base64"));
    if (authentication.type === "AWSAccessKey" || authentication.type === "AWSAssumeRole") {
      const { accessKeyId = "", secretAccessKey = "" } = secrets;
      const isRole = authentication.type === "AWSAssumeRole";
      const keys = isRole ? await roleOf(account, signal).keysFor(hop.url) : { accessKeyId, secretAccessKey };
      return await signAwsRequest(hop, { service: authentication.service, keys, now: now() });
    }
    return addSecrets(hop, account, options.invocationToken ?? "");
  }

  function roleOf(account: SecretSession, signal: AbortSignal): AwsRole {
    const known = roles.get(account);
    if (known !== undefined) return known;
    const send = (request: CredentialedRequest & { method: string; body: string }) => {
      const live = () => wire(request, signal, () => undefined);
      return tape === undefined ? live() : tape.exchange({ purpose: "token", ...request }, live);
    };
    const role = createAwsRole({ secrets: account.secrets, now, onSecret: learn, send });
    roles.set(account, role);
    return role;
  }

  function learn(secret: string): void {
    if (secret.length >= MIN_SECRET_LENGTH) tokens.add(secret);
    redactor.add(secret);
  }

  /** @param hop as the Pack asked for it: what is told of the request @param sent the same with credentials */
  async function exchangeOnce(
    hop: Hop,
    sent: CredentialedRequest,
    signal: AbortSignal,
    authentication: string | undefined,
    marks: ExchangeMarks,
  ): Promise<TapedResponse> {
    const entry = log.start(hop, authentication, marks);
    const live = async (): Promise<TapedResponse> => {
      const { status, headers, bytes } = await wire({ ...sent, method: hop.method }, signal, entry.count);
      return { status, headers: visibleHeaders(Object.entries(headers), tokens), bytes: maskTokens(bytes, tokens) };
    };
    try {
      const { method, url, body } = hop;
      const response = tape === undefined ? await live() : await tape.exchange({ purpose: "pack", method, url, body }, live);
      entry.end(response);
      return response;
    } catch (error) {
      entry.fail(error);
      throw error;
    }
  }

  function statusFailure(request: PackRequest, exchange: TapedResponse, { body }: { body?: unknown }): HostFetchResult {
    const { status, headers } = exchange;
    const original = request.original as unknown as FetchRequest;
    const failure = new StatusCodeError(status, body, original, { body: Buffer.from(exchange.bytes).toString("utf8"), headers });
    if (failure.message.length > MAX_MESSAGE_LENGTH) failure.message = `${failure.message.slice(0, MAX_MESSAGE_LENGTH)}…`;
    const { message, statusCode, error, response } = failure;
    const { host } = new URL(policy.resolve(request.url));
    return {
      ok: false,
      failure: { name: "StatusCodeError", message, members: { statusCode, body, error, options: original, response } },
      error: new PackError("FETCH_STATUS", `${request.method} to ${host} was answered with status ${message}`, {
        details: { status },
        hint:
          status === 401 || status === 403
            ? "Check that the account is connected and has the scopes that this request needs."
            : "Catch StatusCodeError in the formula, or check the request.",
        cause: failure,
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

let lastAccount = 0;
const accountNumbers = new WeakMap<AccountSession, number>();

/** What makes two requests equal: responses of one account are nobody else's. */
function cacheKey({ method, url, headers, body }: Hop, ignoreRedirects: boolean, account: AccountSession | undefined): string {
  const names = Object.keys(headers).sort();
  const content = body === undefined || typeof body === "string" ? body : Buffer.from(body).toString("base64");
  return JSON.stringify([
    method,
    url,
    names.map((name) => [name.toLowerCase(), headers[name]]),
    content,
    ignoreRedirects,
    identityOf(account),
  ]);
}

function identityOf(account: AccountSession | undefined): string | number | undefined {
  if (account === undefined) return undefined;
  if (account.id !== undefined) return account.id;
  const number = accountNumbers.get(account) ?? ++lastAccount;
  accountNumbers.set(account, number);
  return number;
}
