import { isGzip, joinChunks } from "./bytes.ts";
import { createResilientSend, systemTimer } from "./resilient-send.ts";
import type { RawResponse } from "./retry-policy.ts";
import { createThrottle, DEFAULT_LIMITS, type RateLimits, type Throttle } from "./throttle.ts";
import type { CancelSignal, ServiceRequest, Timer, Transport } from "./transport.ts";

export interface FetchTransportOptions {
  /** The bearer token for the API. */
  token: string;
  /** @default the global `fetch` */
  fetch?: FetchFunction | undefined;
  /** The name of your program in server logs. Browsers send their own value instead. */
  userAgent?: string | undefined;
  /** Headers for every request to the service, for example for a proxy. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * More options for `fetch`, such as `dispatcher` in Node, or `client` in Deno.
   */
  fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /** The time limit of a request, in milliseconds. @default 30_000 */
  timeoutMs?: number | undefined;
  /** The maximum size of a response. @default 25 MiB */
  maxResponseBytes?: number | undefined;
  /**
   * The maximum number of attempts for a request. The client retries requests after status 429, and
   * repeatable requests after a failure.
   * @default 4
   */
  attempts?: number | undefined;
  /** Retries a repeatable request after a timeout. @default true */
  repeatsHung?: boolean | undefined;
  /**
   * The maximum wait after a failed connection, in milliseconds.
   * @default a minute
   */
  maxUnsentDelayMs?: number | undefined;
  /**
   * The rate limits of the client. `false`: the client does not limit requests. Transports with the
   * same token share the limits.
   * @default slightly below the published limits, or `false` for a service on this machine
   */
  limits?: Partial<RateLimits> | false | undefined;
  timer?: Timer | undefined;
  /**
   * Returns a number from 0 to 1. This number varies the delays, so that many clients do not retry
   * at the same time.
   * @default Math.random
   */
  random?: (() => number) | undefined;
}

/**
 * The part of `fetch` that the client uses. A Pack does not need the types of Node or of a browser.
 */
export type FetchFunction = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal?: never;
    redirect: "error";
  },
) => Promise<{
  status: number;
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}>;

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/;

/**
 * Sends requests with `fetch`. After status 429, the transport waits and retries the request. A
 * redirect is an error, so that no other host receives the token.
 */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const { token, timeoutMs = 30_000, maxResponseBytes = 25 * 1024 * 1024, attempts = 4 } = options;
  const { timer = systemTimer, random = Math.random, limits } = options;
  const ownHeaders = {
    ...options.headers,
    ...(options.userAgent === undefined ? {} : { "User-Agent": options.userAgent }),
  };
  if (Object.keys(ownHeaders).some((name) => name.toLowerCase() === "authorization"))
    throw new TypeError(
      "headers contains Authorization. Pass the service's token in the option token.",
    );

  // The global is looked up at call time, so that whatever replaced it since is used.
  const request = (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string },
    ms: number,
    signal?: CancelSignal,
  ) =>
    (options.fetch ?? (fetch as FetchFunction))(url, {
      ...options.fetchOptions,
      signal: withTimeout(Math.min(timeoutMs, Math.max(ms, 1)), signal) as never,
      redirect: "error",
      ...init,
    });

  async function sendOnce(
    { method, url, headers, body, signal }: ServiceRequest,
    leftMs: number,
  ): Promise<RawResponse> {
    const response = await request(
      url,
      {
        method,
        headers: {
          Accept: "application/json",
          ...ownHeaders,
          Authorization: `Bearer ${token}`,
          ...headers,
          ...(body === undefined ? {} : JSON_BODY),
        },
        ...(body === undefined ? {} : { body }),
      },
      leftMs,
      signal,
    );
    const length = response.headers.get("content-length");
    // A length that fits is read in one go, which is faster.
    const fits =
      length !== null &&
      Number(length) <= maxResponseBytes &&
      response.headers.get("content-encoding") === null;
    return {
      status: response.status,
      body: parseJsonOrText(
        fits
          ? await response.text()
          : new TextDecoder().decode(await readBytes(response.body, maxResponseBytes)),
      ),
      requestId: response.headers.get("x-request-id") ?? undefined,
      retryAfter: response.headers.get("retry-after"),
    };
  }

  let send: Transport["send"] | undefined;
  return {
    timer,
    send(toSend) {
      const pace = limits ?? (LOOPBACK.test(toSend.url) ? false : {});
      send ??= createResilientSend(sendOnce, {
        timer,
        random,
        attempts,
        repeatsHung: options.repeatsHung,
        maxUnsentDelayMs: options.maxUnsentDelayMs,
        throttle: sharedThrottle(timer, token, pace),
      });
      return send(toSend);
    },
    async download(url, signal) {
      const response = await request(url, { method: "GET", headers: {} }, timeoutMs, signal);
      return { status: response.status, body: await readBytes(response.body, maxResponseBytes) };
    },
    async readText(file, maxBytes) {
      const unpacked = isGzip(file)
        ? new Blob([file as Uint8Array<ArrayBuffer>])
            .stream()
            .pipeThrough(new DecompressionStream("gzip"))
        : new Blob([file as Uint8Array<ArrayBuffer>]).stream();
      return new TextDecoder().decode(await readBytes(unpacked, maxBytes));
    },
  };
}

const JSON_BODY = { "Content-Type": "application/json" };

/**
 * Limits are counted per user, so that every transport of a token shares one throttle, as long as
 * both use one clock.
 */
const throttles = new WeakMap<Timer, Map<string, Throttle>>();
/** A program that serves many users does not keep all of their tokens. */
const MAX_THROTTLES = 1_000;

function sharedThrottle(
  timer: Timer,
  token: string,
  limits: Partial<RateLimits> | false,
): Throttle {
  const shared = throttles.get(timer) ?? new Map<string, Throttle>();
  throttles.set(timer, shared);
  const key = `${JSON.stringify(limits)} ${token}`;
  const throttle =
    shared.get(key) ??
    createThrottle(limits === false ? undefined : { ...DEFAULT_LIMITS, ...limits });
  // The one that was used last is the last to go.
  shared.delete(key);
  shared.set(key, throttle);
  for (const oldest of shared.keys()) if (shared.size > MAX_THROTTLES) shared.delete(oldest);
  return throttle;
}

function withTimeout(ms: number, signal: CancelSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(Math.ceil(ms));
  if (signal === undefined) return timeout;
  // Node 20 drops a time limit that only AbortSignal.any refers to, as soon as it collects garbage.
  // A listener keeps it.
  timeout.addEventListener("abort", () => {}, { once: true });
  return AbortSignal.any([timeout, signal as AbortSignal]);
}

async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body === null ? [] : iterate(body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return joinChunks(chunks, bytes);
}

// Some browsers cannot iterate over a stream.
async function* iterate(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in body) return yield* body;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function parseJsonOrText(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
