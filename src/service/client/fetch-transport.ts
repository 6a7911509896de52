import type { ServiceRequest, ServiceResponse, Timer, Transport } from "./transport.ts";

export interface FetchTransportOptions {
  /** Bearer token of the API. */
  token: string;
  /** @default the global `fetch` */
  fetch?: FetchFunction | undefined;
  /** Limit of one request, in milliseconds. @default 30_000 */
  timeoutMs?: number | undefined;
  /** Limit of one response. @default 25 MiB */
  maxResponseBytes?: number | undefined;
  /** How often a request that met a rate limit, or a repeatable one that failed, is sent at most. @default 4 */
  attempts?: number | undefined;
  timer?: Timer | undefined;
  /** A number from 0 to 1, which spreads the delays of many clients. @default Math.random */
  random?: (() => number) | undefined;
}

/** The part of `fetch` that is used, so that a Pack's types need neither those of Node nor those of a browser. */
export type FetchFunction = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: never; redirect: "error" },
) => Promise<{ status: number; headers: { get(name: string): string | null }; body: AsyncIterable<Uint8Array> | null }>;

const FIRST_DELAY_MS = 2_000;
const DELAY_FACTOR = 3;
const MAX_DELAY_MS = 60_000;

/** Sends requests with `fetch`. Rate limits are waited out; a redirect is an error, so that no other host gets the token. */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const {
    token,
    timeoutMs = 30_000,
    maxResponseBytes = 25 * 1024 * 1024,
    attempts = 4,
    timer = systemTimer,
    random = Math.random,
  } = options;

  async function once({ method, url, body }: ServiceRequest): Promise<ServiceResponse & { retryAfter: string | null }> {
    // The global is looked up at call time, so that whatever replaced it since is used.
    const response = await (options.fetch ?? (fetch as unknown as FetchFunction))(url, {
      method,
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json", ...(body === undefined ? {} : JSON_BODY) },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs) as never,
      redirect: "error",
    });
    return {
      status: response.status,
      body: parsed(await readText(response.body, maxResponseBytes)),
      retryAfter: response.headers.get("retry-after"),
    };
  }

  return {
    timer,
    async send(request) {
      for (let attempt = 1; ; attempt++) {
        const last = attempt >= attempts;
        let retryAfter: string | null = null;
        try {
          const response = await once(request);
          // 504: the same request would take as long again.
          const repeat = response.status === 429 || (response.status >= 500 && response.status !== 504 && request.repeatable);
          if (last || !repeat || response.status === 501) return { status: response.status, body: response.body };
          retryAfter = response.retryAfter;
        } catch (error) {
          if (last || !request.repeatable) throw error;
        }
        await timer.sleep(delayMs(attempt, retryAfter, random));
      }
    },
  };
}

const JSON_BODY = { "Content-Type": "application/json" };

const systemTimer: Timer = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

function delayMs(attempt: number, retryAfter: string | null, random: () => number): number {
  const asked = Number(retryAfter ?? "");
  if (asked > 0) return Math.min(asked * 1_000, MAX_DELAY_MS);
  const full = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempt - 1), MAX_DELAY_MS);
  return full / 2 + (random() * full) / 2;
}

async function readText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
