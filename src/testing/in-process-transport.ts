import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as sendRequest,
} from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { createResilientSend } from "../service/client/resilient-send.ts";
import type { RawResponse } from "../service/client/retry-policy.ts";
import { createThrottle } from "../service/client/throttle.ts";
import type { ServiceRequest, Timer, Transport } from "../service/client/transport.ts";

export interface InProcessTransportOptions {
  /** The local service, or its `handler`, token and clock. */
  service: {
    handler: RequestListener;
    token: string;
    clock: { now(): number; advance(ms: number): void };
  };
  /** @default the token of the service */
  token?: string | undefined;
}

/**
 * Sends the requests of a client to a local service in the same process, without a socket. A wait
 * advances the clock of the service and takes no time, so tests with delays, limits and retries are
 * fast.
 */
export function inProcessTransport({
  service,
  token = service.token,
}: InProcessTransportOptions): Transport {
  const server = createServer(service.handler);
  const timer: Timer = {
    now: () => service.clock.now(),
    sleep: async (ms) => service.clock.advance(ms),
  };

  async function exchange(
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string | undefined },
  ) {
    const { pathname, search, host } = new URL(url);
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const createConnection = (): Duplex => {
        const [near, far] = duplexPair();
        // Destroying one side does not end the other side.
        far.once("close", () => near.push(null));
        server.emit("connection", far);
        return near;
      };
      const headers = { ...init.headers, host, connection: "close" };
      sendRequest({
        method: init.method,
        path: pathname + search,
        headers,
        createConnection,
      })
        .once("response", resolve)
        .once("error", reject)
        .end(init.body);
    });
  }

  async function sendOnce({ method, url, headers, body }: ServiceRequest): Promise<RawResponse> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const response = await exchange(url, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers, ...json },
      body,
    });
    const text = (await readBytes(response)).toString("utf8");
    const requestId = response.headers["x-request-id"];
    return {
      status: response.statusCode ?? 0,
      body: parseJsonOrText(text),
      requestId: typeof requestId === "string" ? requestId : undefined,
      retryAfter: response.headers["retry-after"],
    };
  }

  return {
    timer,
    send: createResilientSend(sendOnce, {
      timer,
      random: () => 1,
      attempts: 4,
      throttle: createThrottle(undefined),
    }),
    async download(url) {
      const response = await exchange(url, { method: "GET", headers: {} });
      return { status: response.statusCode ?? 0, body: await readBytes(response) };
    },
  };
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}
