import type { AccountSession } from "../../accounts/account-session.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import type { Routes } from "../../oauth/routes.ts";
import type { Tape, TapedResponse } from "../../oauth/tape.ts";
import type { Lookup } from "../../oauth/url-policy.ts";
import type { HostFetchResult } from "../../sandbox/host/run-requests.ts";
import type { RawBody } from "../../sandbox/protocol.ts";
import { createConcurrencyLimit } from "../../shared/concurrency.ts";
import { mayNameSecret, type Redactor } from "../../shared/redact.ts";
import { parseXml } from "../../shared/xml.ts";
import type { ExchangeDetail, RequestRecord } from "../request-record.ts";
import { type Attempt, createAuthorizedSend } from "./authorized-send.ts";
import type { EventListener } from "./event-listener.ts";
import { createExchangeLog, type ExchangeMarks } from "./exchange-log.ts";
import { cacheKey, type ResponseCache } from "./fetch-cache.ts";
import { requestFailure, statusFailure } from "./fetch-failures.ts";
import { createFetchPolicy, firstHop, type Hop } from "./fetch-policy.ts";
import { type PackRequest, parsePackRequest } from "./fetch-request.ts";
import {
  decodeText,
  namedSecrets,
  parseJson,
  readRawBody,
  readResponse,
} from "./fetch-response.ts";
import { computeRetryDelay, findNextHop } from "./next-request.ts";
import { waitMs } from "./request-limits.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

export interface HostFetcherOptions {
  definition: PackVersionDefinition;
  /** The account whose credentials requests carry. Without it they carry none. */
  account?: AccountSession | undefined;
  /** The Pack's own account, for hosts that do not get the credentials of `account`. */
  systemAccount?: AccountSession | undefined;
  /** The token in templates, `{{name-<invocationToken>}}`. @default no template is filled */
  invocationToken?: string | undefined;
  routes?: Routes | undefined;
  redactor: Redactor;
  onRequest(record: RequestRecord): void;
  /** Receives what each request sent and received, redacted. */
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
  /** Every request fails before it gets credentials, so that no token is refreshed. @default false */
  isBlocked?: boolean | undefined;
  /**
   * Sends the requests. @default this machine's connections, or the proxy that Node is configured
   * to use
   */
  fetch?: typeof fetch | undefined;
  /**
   * Resolves a host, to refuse addresses in private networks. @default the resolver of the system
   */
  lookup?: Lookup | undefined;
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
  /** Waits before a request is repeated after a 429. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** What a caller may know of a request while it is sent. */
export interface RequestWatch {
  /** Ends the request. */
  signal?: AbortSignal | undefined;
  events?: EventListener | undefined;
  /** Awaited before more bytes of the body are read into memory. @default nothing waits */
  growBody?: ((bytes: number) => Promise<void>) | undefined;
  /** Returns the bytes of a body, which the sandbox reads. @default false */
  leavesBody?: boolean | undefined;
}

/** Sends the requests of one run, on the host's side of the sandbox. */
export interface HostFetcher {
  /** Never rejects: a failure is a result. */
  fetch(request: unknown, watch?: RequestWatch): Promise<HostFetchResult>;
  /** Aborts every open request. */
  close(): void;
}

/** The largest response of the platform. */
export const MAX_RESPONSE_BYTES = 25 * 1024 * 1024;
const MAX_CONCURRENT_REQUESTS = 10;
const REQUEST_TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 60_000;
/** Tokens come in small responses; searching a large one would take longer than parsing it. */
const MAX_SEARCHED_BYTES = 64 * 1024;

const ENDED = new DOMException("The request was aborted.", "AbortError");

/** Creates the fetcher of one run. */
export function createHostFetcher(options: HostFetcherOptions): HostFetcher {
  const { redactor, tape, cache, now = Date.now, sleep = waitMs } = options;
  const requestLimitMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const accounts = [options.account, options.systemAccount].filter(
    (account) => account !== undefined,
  );
  const policy = createFetchPolicy(options.definition.networkDomains, accounts);
  const log = createExchangeLog({ ...options, now, onExchange: options.onExchange });
  const send = createAuthorizedSend({
    transport:
      options.isBlocked === true
        ? refuseBlocked
        : createTransport({
            ...options,
            maxBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
            timeoutMs: requestLimitMs,
          }),
    withholdsCredentials: options.isBlocked === true,
    tape,
    log,
    redactor,
    invocationToken: options.invocationToken ?? "",
    now,
  });
  const open = createOpenWork();
  // Each request may hold a response of 25 MiB: without a limit a Pack could fill the host's
  // memory.
  const limit = createConcurrencyLimit(MAX_CONCURRENT_REQUESTS);
  let { startedAtMs } = options;

  return {
    fetch: (untrusted, watch = {}) => limit(() => answer(untrusted, watch)),
    close: open.close,
  };

  async function answer(untrusted: unknown, watch: RequestWatch): Promise<HostFetchResult> {
    try {
      const request = parsePackRequest(untrusted);
      const first = firstHop(request, policy);
      const response = await sendCached(request, first, watch);
      if (watch.leavesBody !== true) return returnBody(request, first, response);
      const { status } = response;
      const isBinary = request.isBinaryResponse && status < 400;
      const body = await readRawBody(response, isBinary, watch.growBody);
      return status < 400
        ? returnRawBody(response, body)
        : returnFailure(request, first, response, body);
    } catch (error) {
      return requestFailure(error, (text) => redactor.text(text));
    }
  }

  function returnRawBody(
    { status, headers }: TapedResponse,
    body: RawBody | undefined,
  ): HostFetchResult {
    if (body === undefined) return { ok: true, response: { status, headers } };
    const { form, bytes } = body;
    // Searched later, while the Pack works on the response.
    if ((form === "json" || form === "xml") && bytes.byteLength <= MAX_SEARCHED_BYTES)
      redactor.addFound(() => {
        const text = decodeText(bytes);
        if (!mayNameSecret(text)) return [];
        return namedSecrets(form === "json" ? parseJson(text) : parseXml(text));
      });
    return { ok: true, response: { status, headers, body: null }, body };
  }

  /** The error of the run quotes only the beginning of the body. The Pack gets the complete body. */
  function returnFailure(
    request: PackRequest,
    first: Hop,
    { status, headers, bytes }: TapedResponse,
    body: RawBody | undefined,
  ): HostFetchResult {
    const beginning = { status, headers, bytes: bytes.subarray(0, MAX_SEARCHED_BYTES) };
    return { ...returnBody(request, first, beginning), body };
  }

  function returnBody(request: PackRequest, first: Hop, received: TapedResponse): HostFetchResult {
    const response = readResponse(received, request.isBinaryResponse);
    if (received.bytes.byteLength <= MAX_SEARCHED_BYTES)
      for (const secret of namedSecrets(response.body)) redactor.add(secret);
    return received.status < 400
      ? { ok: true, response }
      : statusFailure(request, new URL(first.url).host, received, response.body);
  }

  async function sendCached(
    request: PackRequest,
    first: Hop,
    watch: RequestWatch,
  ): Promise<TapedResponse> {
    const { cacheTtlSeconds, ignoreRedirects } = request;
    if (cache === undefined || cacheTtlSeconds === 0)
      return await sendUntilNotLimited(request, first, watch);
    const key = cacheKey(first, ignoreRedirects, policy.findAccount(first));
    const known = cache.get(key);
    if (known !== undefined) {
      log.fromCache(first, known);
      return known;
    }
    const response = await sendUntilNotLimited(request, first, watch);
    if (response.status < 400) cache.set(key, response, cacheTtlSeconds);
    return response;
  }

  async function sendUntilNotLimited(
    request: PackRequest,
    first: Hop,
    { signal: end, ...watch }: RequestWatch,
  ): Promise<TapedResponse> {
    startedAtMs ??= now();
    const deadlineMs = startedAtMs + (options.timeoutMs ?? RUN_TIMEOUT_MS);
    for (let retries = 0; ; retries++) {
      const marks: ExchangeMarks = retries > 0 ? { retriedAfter429: true } : {};
      // One time limit covers a request, its redirects and its retry after 401.
      const response = await open.run((limit) => {
        const signal = end === undefined ? limit : AbortSignal.any([limit, end]);
        return sendThroughRedirects(request, { hop: first, signal, marks, ...watch });
      }, requestLimitMs);
      const delayMs = computeRetryDelay(response, { retries, nowMs: now(), deadlineMs });
      if (delayMs === undefined) return response;
      if (tape?.isReplay !== true) await open.run((signal) => sleep(delayMs, signal));
    }
  }

  async function sendThroughRedirects(
    { ignoreRedirects }: PackRequest,
    first: Attempt,
  ): Promise<TapedResponse> {
    let attempt = first;
    for (let redirects = 0; ; redirects++) {
      const { hop } = attempt;
      const account = policy.findAccount(hop);
      const response = await send(attempt, account);
      const next = ignoreRedirects
        ? undefined
        : findNextHop(response, hop, redirects, policy, account);
      if (next === undefined) return response;
      attempt = { ...first, hop: next, marks: {} };
    }
  }
}

const refuseBlocked: Transport = async ({ url }) => {
  const { host } = new URL(url);
  throw new PackError("FETCH_FAILED", "The requests of this run are blocked.", {
    details: { host },
    hint: "To send requests, run the formula without --no-fetch and --block-actions.",
  });
};

/** What is in progress, to be aborted when the run ends. */
function createOpenWork() {
  const open = new Set<AbortController>();
  let isClosed = false;
  return {
    async run<Result>(
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
    },
    close(): void {
      isClosed = true;
      for (const ending of open) ending.abort(ENDED);
    },
  };
}
