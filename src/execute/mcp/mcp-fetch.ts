import { isPackError, PackError } from "../../errors.ts";
import type { EventListener } from "../fetch/event-listener.ts";
import type { HostFetcher } from "../fetch/fetcher.ts";
import { answersEnd } from "./event-stream.ts";

/** The server refused a request before it reached a tool, usually because of the token. */
export class McpRefusal extends Error {
  override readonly name = "McpRefusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, headers }: Pick<McpResponse, "status" | "headers">) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

interface McpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The `fetch` of the protocol's client. */
export interface McpFetch {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Why the last request that failed did so; the client's own errors do not say it. */
  readonly failure: unknown;
  /**
   * Aborted when a stream has ended without the answer and cannot be continued. The client would
   * wait until its limit.
   */
  readonly broken: AbortSignal;
  /** Resolves when no request is open. */
  settle(): Promise<void>;
  /** Resolves when the newest request has its response. */
  settleNewest(): Promise<void>;
}

/** All that a server may send in one run. A list of tools and an answer are far smaller. */
const MAX_RECEIVED = 16 * 1024 * 1024;

/** These have no body (Fetch standard). */
const NULL_BODY = new Set([204, 205, 304]);

/**
 * Sends the requests of the protocol's client with the fetcher of a run, so that accounts, allowed
 * hosts, limits, masking, records and cassettes apply to them. Streams of events are read while
 * they arrive.
 * @param endpoint as the Pack declares it; the fetcher adds the account's endpoint to a path
 * @param listens whether to open a stream for what a server asks outside of the response to a call
 */
export function createMcpFetch(
  fetcher: HostFetcher,
  endpoint: string,
  { listens }: { listens: boolean },
): McpFetch {
  const open = new Set<Promise<unknown>>();
  let failure: unknown;
  let newest: Promise<unknown> | undefined;
  let received = 0;
  const broken = new AbortController();
  const count = (response: McpResponse): McpResponse => {
    received += response.body.length;
    return response;
  };
  return {
    get failure() {
      return failure;
    },
    broken: broken.signal,
    async settle() {
      await Promise.allSettled(open);
    },
    async settleNewest() {
      await newest?.catch(() => undefined);
    },
    async fetch(_url, { method = "GET", headers: given, body, signal } = {}) {
      if (received > MAX_RECEIVED) {
        failure = createSizeError(endpoint);
        throw failure;
      }
      const headers = new Headers(given);
      if (method === "GET" && !headers.has("last-event-id") && !listens)
        return new Response(null, { status: 405 });
      const request = {
        url: endpoint,
        method,
        headers: Object.fromEntries(headers),
        ...(typeof body === "string" ? { body } : {}),
      };
      const stream = createEventStream(signal ?? undefined);
      const answer = fetcher
        .fetch(request, { signal: signal ?? undefined, events: stream.listener })
        .then((result) => count(readResponse(result)));
      // What fails in a stream that the client only listens to is not why a call failed.
      const fail = (error: unknown): void => {
        if (method === "POST") failure = error;
      };
      answer.catch(fail);
      const done = endStream(answer, stream).then((isUseless) => {
        if (isUseless && method === "POST") broken.abort();
      });
      open.add(done);
      void done.finally(() => open.delete(done));
      const response = Promise.race([stream.response, answer.then(toFetchResponse)]);
      newest = response;
      try {
        return await response;
      } catch (error) {
        fail(error);
        throw error;
      }
    },
  };
}

/** @returns whether events arrived, the answer did not, and the client cannot continue there */
async function endStream(
  answer: Promise<McpResponse>,
  { state, ...stream }: ReturnType<typeof createEventStream>,
): Promise<boolean> {
  try {
    const { headers, body } = await answer;
    stream.end();
    return state.isStarted && !state.hasId && !answersEnd(headers["content-type"] ?? "", body);
  } catch (error) {
    stream.fail(error);
    // The client continues a stream with IDs whose connection was lost.
    return state.isStarted && !(state.hasId && isPackError(error, "FETCH_FAILED"));
  }
}

function createSizeError(endpoint: string): PackError<"MCP_SERVER_FAILED"> {
  return new PackError(
    "MCP_SERVER_FAILED",
    `The MCP server sent more than ${MAX_RECEIVED / 1024 / 1024} MB in one run.`,
    {
      details: { status: undefined, code: undefined },
      hint: `Check how many tools ${endpoint} lists: each page of tools is one request.`,
    },
  );
}

/** Requests of the protocol's client through a `fetch` that reads complete bodies. */
export function watchRefusals(send: typeof fetch, endpoint: string): McpFetch {
  let failure: unknown;
  return {
    get failure() {
      return failure;
    },
    broken: new AbortController().signal,
    settle: async () => undefined,
    settleNewest: async () => undefined,
    async fetch(_url, init = {}) {
      if ((init.method ?? "GET") === "GET") return new Response(null, { status: 405 });
      try {
        const response = await send(endpoint, init);
        const { status, headers } = response;
        if (status !== 401 && status !== 403) return response;
        throw new McpRefusal({ status, headers: Object.fromEntries(headers) });
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

/** A response whose body grows while events arrive. */
function createEventStream(end: AbortSignal | undefined) {
  let begin: (response: Response) => void;
  const response = new Promise<Response>((resolve) => {
    begin = resolve;
  });
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isEnded = false;
  const state = { isStarted: false, hasId: false };
  const listener: EventListener = {
    end,
    start(status, headers) {
      state.isStarted = true;
      const body = new ReadableStream<Uint8Array>({
        start(opened) {
          controller = opened;
        },
        cancel() {
          isEnded = true;
        },
      });
      begin(new Response(body, { status, headers: { ...headers } }));
    },
    write(events) {
      state.hasId ||= /^id:/m.test(Buffer.from(events).toString("latin1"));
      if (!isEnded) controller?.enqueue(events);
    },
  };
  const finish = (act: () => void): void => {
    if (!isEnded) act();
    isEnded = true;
  };
  return {
    response,
    listener,
    /** Whether events arrive, and whether one has an ID, from which a stream can be continued. */
    state,
    end: () => finish(() => controller?.close()),
    fail: (error: unknown) => finish(() => controller?.error(error)),
  };
}

/** @throws {McpRefusal} for status 401 and 403 */
function toFetchResponse({ status, headers, body }: McpResponse): Response {
  if (status === 401 || status === 403) throw new McpRefusal({ status, headers });
  return new Response(NULL_BODY.has(status) ? null : body, { status, headers: { ...headers } });
}

function readResponse(result: Awaited<ReturnType<HostFetcher["fetch"]>>): McpResponse {
  if (result.ok) {
    const { status, headers, body } = result.response as {
      status: number;
      headers: Record<string, string>;
      body?: unknown;
    };
    return {
      status,
      headers,
      body: typeof body === "string" ? body : (JSON.stringify(body) ?? ""),
    };
  }
  const { statusCode, response } = result.failure.members as Partial<StatusMembers>;
  if (typeof statusCode !== "number" || response === undefined) throw result.error;
  const { headers, body = "" } = response;
  return {
    status: statusCode,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Members of a failure that has a status. */
interface StatusMembers {
  statusCode: number;
  response: { headers: Record<string, string>; body: unknown };
}
