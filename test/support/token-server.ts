import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  params: URLSearchParams;
}

export interface Answer {
  status?: number | undefined;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

export type Behaviour = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>;

/**
 * A token endpoint on a free loopback port that does what a test says. No answer leaves the request
 * open.
 */
export async function startTokenServer(behave: Behaviour): Promise<TokenServer> {
  const requests: ReceivedRequest[] = [];
  const server: Server = createServer(async (incoming, response) => {
    const request: ReceivedRequest = {
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      headers: incoming.headers,
      params: new URLSearchParams(await text(incoming)),
    };
    requests.push(request);
    const answer = await behave(request, response);
    if (answer === undefined) return;
    const { status = 200, body = "", headers = {} } = answer;
    const isText = typeof body === "string";
    response.writeHead(
      status,
      isText ? headers : { "content-type": "application/json", ...headers },
    );
    response.end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The usual answer of a token endpoint. */
export const baseTokens = {
  access_token: "at",
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: "rt",
  scope: "a b",
};
