import type { AccountSession, OAuthSession } from "../../accounts/account-session.ts";
import type { SecretSession } from "../../accounts/entered-credentials.ts";
import { secretFieldsOf } from "../../define/authentication.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import type { Routes } from "../../oauth/routes.ts";
import type { Tape, TapedResponse } from "../../oauth/tape.ts";
import type { Lookup } from "../../oauth/url-policy.ts";
import type { HostFetchResult } from "../../sandbox/host/isolate.ts";
import { createConcurrencyLimit } from "../../shared/concurrency-limit.ts";
import { mayNameSecret, type Redactor } from "../../shared/redact.ts";
import { createSecretMatcher } from "../../shared/secret-matcher.ts";
import type { ExchangeDetail, RequestRecord } from "../request-record.ts";
import { type AwsRole, createAwsRole } from "./aws-role.ts";
import { signAwsRequest } from "./aws-signature.ts";
import {
  addCredentials,
  addSecrets,
  type CredentialedRequest,
  queryParamsOf,
  sendWithDpop,
  withoutQueryParameter,
} from "./credentials.ts";
import { createExchangeLog, type ExchangeMarks } from "./exchange-log.ts";
import { cacheKey, type ResponseCache } from "./fetch-cache.ts";
import { requestFailure, statusFailure } from "./fetch-failures.ts";
import {
  createFetchPolicy,
  firstHop,
  type Hop,
  isRedirect,
  redirectedHop,
} from "./fetch-policy.ts";
import { type PackRequest, parsePackRequest } from "./fetch-request.ts";
import {
  jsonTextOf,
  maskResponse,
  namedSecrets,
  parseJson,
  readResponse,
} from "./fetch-response.ts";
import { asksForRenewal } from "./renewal-signals.ts";
import { retryAfterMs, waitMs } from "./request-limits.ts";
import { createTransport, type TransportOptions } from "./transport.ts";

export interface HostFetcherOptions {
  definition: PackVersionDefinition;
  /** The account that the formula runs with. */
  account?: AccountSession | undefined;
  /** The Pack's own account, for requests to hosts that do not get the credentials of `account`. */
  systemAccount?: AccountSession | undefined;
  /** The token in templates, `{{name-<invocationToken>}}`. @default no template is filled */
  invocationToken?: string | undefined;
  routes?: Routes | undefined;
  redactor: Redactor;
  onRequest(record: RequestRecord): void;
  /** Receives what was sent and what came back, redacted. */
  onExchange?: ((detail: ExchangeDetail) => void) | undefined;
  /** Answers equal requests with earlier responses. @default nothing is cached */
  cache?: ResponseCache | undefined;
  /** Records the requests, or answers them from a recording. */
  tape?: Tape | undefined;
  /**
   * Limit of the run in milliseconds. A 429 is retried while there is time left. @default 60_000
   */
  timeoutMs?: number | undefined;
  /** When the run began, in milliseconds. @default the time of its first request */
  startedAtMs?: number | undefined;
  /**
   * Limit of one request, its redirects and its retry included, in milliseconds. @default 30_000
   */
  requestTimeoutMs?: number | undefined;
  /** @default 25 MiB */
  maxResponseBytes?: number | undefined;
  /**
   * Whether what has arrived of a body is all that is needed. @default bodies are read to their end
   */
  endsAt?: TransportOptions["endsAt"];
  /** Returns JSON bodies as `bodyText`, which the sandbox parses. @default false */
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
  /** Aborts every open request. */
  close(): void;
}

/** The largest response of the platform. */
export const MAX_RESPONSE_BYTES = 25 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_RATE_LIMIT_RETRIES = 5;
const MAX_CONCURRENT_REQUESTS = 10;
const REQUEST_TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 60_000;
/** Tokens come in small responses; searching a large one would take longer than parsing it. */
const MAX_SEARCHED_BYTES = 64 * 1024;

const ENDED = new DOMException("The request was aborted.", "AbortError");

/** Creates the fetcher of one run. */
export function createHostFetcher(options: HostFetcherOptions): HostFetcher {
  const { redactor, tape, cache } = options;
  const now = options.now ?? Date.now;
  const sleep = options.sleep ?? waitMs;
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  let { startedAtMs } = options;
  const accounts = [options.account, options.systemAccount].filter(
    (account) => account !== undefined,
  );
  const policy = createFetchPolicy(options.definition.networkDomains, accounts);
  const transport = createTransport({
    ...options,
    maxBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
    timeoutMs,
  });
  const open = new Set<AbortController>();
  let isClosed = false;
  // Each request may hold a response of 25 MiB: without a limit a Pack could fill the host's
  // memory.
  const limit = createConcurrencyLimit(MAX_CONCURRENT_REQUESTS);
  const log = createExchangeLog({
    redactor,
    now,
    onRequest: options.onRequest,
    onExchange: options.onExchange,
  });
  /**
   * Secrets that are masked when a server sends them back: a response must not show them to the
   * Pack.
   */
  const tokens = createSecretMatcher<undefined>();
  const roles = new Map<SecretSession, AwsRole>();

  return {
    fetch: (untrusted) => limit(() => answer(untrusted)),
    close() {
      isClosed = true;
      for (const ending of open) ending.abort(ENDED);
    },
  };

  async function answer(untrusted: unknown): Promise<HostFetchResult> {
    try {
      const request = parsePackRequest(untrusted);
      const exchange = await fromCache(request);
      const bodyText =
        options.leavesJson === true && exchange.status < 400
          ? jsonTextOf(exchange, request.isBinaryResponse)
          : undefined;
      if (bodyText !== undefined) {
        const { status, headers, bytes } = exchange;
        // Searched later, while the Pack works on the response.
        if (bytes.byteLength <= MAX_SEARCHED_BYTES)
          redactor.addFound(() =>
            mayNameSecret(bodyText) ? namedSecrets(parseJson(bodyText)) : [],
          );
        return { ok: true, response: { status, headers, body: null }, bodyText };
      }
      const response = readResponse(exchange, request.isBinaryResponse);
      if (exchange.bytes.byteLength <= MAX_SEARCHED_BYTES)
        for (const secret of namedSecrets(response.body)) redactor.add(secret);
      if (exchange.status >= 400)
        return statusFailure(
          request,
          new URL(policy.resolve(request.url)).host,
          exchange,
          response.body,
        );
      return { ok: true, response };
    } catch (error) {
      return requestFailure(error, (text) => redactor.text(text));
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

  /**
   * Repeats a request that was answered with 429 after the time that the server asks for, while the
   * run has time left.
   */
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

  /** One time limit covers a request, its redirects and its retry. */
  async function follow(request: PackRequest, isAfter429: boolean): Promise<TapedResponse> {
    return await untilClosed((signal) => followRedirects(request, signal, isAfter429), timeoutMs);
  }

  async function untilClosed<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    limitMs?: number,
  ): Promise<Result> {
    const ending = new AbortController();
    const timer =
      limitMs === undefined ? undefined : setTimeout(() => ending.abort(ENDED), limitMs);
    open.add(ending);
    if (isClosed) ending.abort(ENDED);
    try {
      return await work(ending.signal);
    } finally {
      clearTimeout(timer);
      open.delete(ending);
    }
  }

  async function followRedirects(
    request: PackRequest,
    signal: AbortSignal,
    isAfter429: boolean,
  ): Promise<TapedResponse> {
    let hop = firstHop(request, policy);
    for (let redirects = 0; ; redirects++) {
      const exchange = await send(
        hop,
        signal,
        isAfter429 && redirects === 0 ? { retriedAfter429: true } : {},
      );
      const location = isRedirect(exchange.status) ? exchange.headers["location"] : undefined;
      if (location === undefined || request.ignoreRedirects) return exchange;
      if (redirects === MAX_REDIRECTS) {
        const { host } = new URL(hop.url);
        throw new PackError(
          "FETCH_TOO_MANY_REDIRECTS",
          `${host} redirected more than ${MAX_REDIRECTS} times.`,
          {
            details: { host },
            hint: "Request the final address.",
          },
        );
      }
      const target = policy.resolveRedirect(withoutCredentials(location, hop), hop.url);
      hop = redirectedHop(hop, exchange.status, target);
    }
  }

  /** A server that repeats the query in its redirect would pass the credentials on. */
  function withoutCredentials(location: string, hop: Hop): string {
    const account = accountOf(hop);
    return account === undefined
      ? location
      : queryParamsOf(account.authentication).reduce(withoutQueryParameter, location);
  }

  function accountOf(hop: Hop): AccountSession | undefined {
    return hop.mayCarryCredentials ? policy.accountFor(hop.url) : undefined;
  }

  async function send(hop: Hop, signal: AbortSignal, marks: ExchangeMarks): Promise<TapedResponse> {
    const account = accountOf(hop);
    if (account === undefined) return await exchangeOnce(hop, hop, signal, undefined, marks);
    const { authentication } = account;
    if ("secrets" in account) {
      return await exchangeOnce(
        hop,
        await withSecrets(hop, account, signal),
        signal,
        authentication.type,
        marks,
      );
    }
    const token = await account.getAccessToken();
    learn(token);
    const sendWith = (accessToken: string, sendMarks: ExchangeMarks): Promise<TapedResponse> => {
      const sent = { ...hop, ...addCredentials(hop, authentication, accessToken) };
      const request = {
        method: hop.method,
        url: hop.url,
        token: accessToken,
        headers: sent.headers,
      };
      return sendWithDpop(account, request, (headers) =>
        exchangeOnce(
          hop,
          { ...sent, headers },
          signal,
          authentication.type,
          sendMarks,
          account.clientContext,
        ),
      );
    };
    const answer = await sendWith(token, marks);
    if (!asksForRenewal(authentication, answer)) return answer;
    const renewed = await account.renewAfterUnauthorized(token);
    if (renewed === undefined) return answer;
    learn(renewed);
    return await sendWith(renewed, { retriedAfter401: true });
  }

  async function withSecrets(
    hop: Hop,
    account: SecretSession,
    signal: AbortSignal,
  ): Promise<CredentialedRequest> {
    const { authentication, secrets } = account;
    for (const { name, isHidden } of secretFieldsOf(authentication)) {
      if (!isHidden || !Object.hasOwn(secrets, name)) continue;
      learn(secrets[name] ?? "");
      // A template in the host of a URL: hosts are in lower case, in messages and where a server
      // repeats them.
      if (authentication.type === "Custom") learn((secrets[name] ?? "").toLowerCase());
    }
    if (authentication.type === "WebBasic")
      learn(
        Buffer.from(`${secrets["username"] ?? ""}:${secrets["password"] ?? ""}`).toString("base64"),
      );
    if (authentication.type === "AWSAccessKey" || authentication.type === "AWSAssumeRole") {
      const { accessKeyId = "", secretAccessKey = "" } = secrets;
      const isRole = authentication.type === "AWSAssumeRole";
      const keys = isRole
        ? await roleOf(account, signal).keysFor(hop.url)
        : { accessKeyId, secretAccessKey };
      return await signAwsRequest(hop, { service: authentication.service, keys, now: now() });
    }
    return addSecrets(hop, account, options.invocationToken ?? "");
  }

  function roleOf(account: SecretSession, signal: AbortSignal): AwsRole {
    const known = roles.get(account);
    if (known !== undefined) return known;
    const send = (request: CredentialedRequest & { method: string; body: string }) => {
      const live = () => transport(request, signal, () => undefined);
      return tape === undefined ? live() : tape.exchange({ purpose: "token", ...request }, live);
    };
    const role = createAwsRole({ secrets: account.secrets, now, onSecret: learn, send });
    roles.set(account, role);
    return role;
  }

  function learn(secret: string): void {
    tokens.add(secret, undefined);
    redactor.add(secret);
  }

  /**
   * @param hop the request without credentials, which the log shows
   * @param sent the same request with credentials
   * @param contextOf reads the account's certificate, if the request is really sent
   */
  async function exchangeOnce(
    hop: Hop,
    sent: CredentialedRequest,
    signal: AbortSignal,
    authentication: string | undefined,
    marks: ExchangeMarks,
    contextOf?: OAuthSession["clientContext"],
  ): Promise<TapedResponse> {
    const entry = log.start(hop, authentication, marks);
    const live = async (): Promise<TapedResponse> => {
      const received = await transport(
        { ...sent, method: hop.method },
        signal,
        entry.count,
        await contextOf?.(),
      );
      return maskResponse(received, tokens, new URL(hop.url).host);
    };
    try {
      const { method, url, body } = hop;
      const response =
        tape === undefined
          ? await live()
          : await tape.exchange({ purpose: "pack", method, url, body }, live);
      entry.end(response);
      return response;
    } catch (error) {
      entry.fail(error);
      throw error;
    }
  }
}
