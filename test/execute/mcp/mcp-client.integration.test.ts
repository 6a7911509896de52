import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createMcpClient, McpRefusal } from "../../../src/execute/mcp/mcp-client.ts";

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
}

const TOOL = { name: "echo", inputSchema: { type: "object" } };
const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} } },
  "tools/list": { tools: [TOOL] },
  "tools/call": { content: [{ type: "text", text: "tea" }] },
};

describe("the client of the Model Context Protocol", () => {
  it("opens a session, names its version in every request and ends it", async () => {
    await using server = await startServer((message, response) => {
      if (message.method === "initialize") response.setHeader("mcp-session-id", "session-1");
      answer(message, response);
    });
    expect(await server.client.listTools()).toEqual([TOOL]);
    expect(await server.client.callTool("echo", { text: "tea" })).toEqual(RESULTS["tools/call"]);
    await server.client.close();
    expect(server.seen.map(({ method, message }) => message?.method ?? method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/call",
      "DELETE",
    ]);
    for (const { headers } of server.seen.slice(1)) {
      expect(headers).toMatchObject({
        "mcp-session-id": "session-1",
        "mcp-protocol-version": "2025-06-18",
      });
    }
    expect(server.seen[3]).toMatchObject({
      headers: { "mcp-method": "tools/call", "mcp-name": "echo" },
      message: { params: { arguments: { text: "tea" } } },
    });
  });

  it("opens another session when the server has forgotten the first one", async () => {
    let sessions = 0;
    await using server = await startServer((message, response, headers) => {
      if (message.method === "initialize")
        response.setHeader("mcp-session-id", `session-${++sessions}`);
      else if (
        sessions === 2 ||
        headers["mcp-session-id"] !== "session-1" ||
        message.method !== "tools/call"
      )
        return answer(message, response);
      else return void response.writeHead(404).end();
      answer(message, response);
    });
    await server.client.listTools();
    expect(await server.client.callTool("echo", {})).toEqual(RESULTS["tools/call"]);
    expect(sessions).toBe(2);
  });

  it("sends requests without a session to a server that has none, with version and client in each", async () => {
    await using server = await startServer((message, response) => {
      if (message.params?._meta === undefined)
        return send(response, 400, {
          jsonrpc: "2.0",
          id: message.id,
          error: { code: -32602, message: "no _meta" },
        });
      answer(message, response);
    });
    expect(await server.client.listTools()).toEqual([TOOL]);
    expect(server.seen.at(-1)).toMatchObject({
      headers: { "mcp-protocol-version": "2026-07-28" },
      message: {
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
    });
  });

  it("reads the answer from a stream of events, after other messages, with any line ends", async () => {
    await using server = await startServer((message, response) => {
      if (message.method !== "tools/list") return answer(message, response);
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const events = [
        { jsonrpc: "2.0", method: "notifications/message", params: {} },
        { jsonrpc: "2.0", id: 999, result: { tools: [] } },
      ];
      for (const event of events)
        response.write(`event: message\r\ndata: ${JSON.stringify(event)}\r\n\r\n`);
      const [first, second] = JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        result: RESULTS["tools/list"],
      }).split(/(?<=,)/, 2);
      expect(second).toBeDefined();
      const whole = JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        result: RESULTS["tools/list"],
      });
      response.end(
        `: comment\r\nid: 7\r\ndata: ${first}\r\ndata: ${whole.slice(first?.length)}\r\n\r\n`,
      );
    });
    expect(await server.client.listTools()).toEqual([TOOL]);
  });

  it("collects the tools of all pages, and ends when they never end", async () => {
    await using server = await startServer((message, response) => {
      if (message.method !== "tools/list") return answer(message, response);
      const page = Number(message.params?.["cursor"] ?? 0);
      send(response, 200, {
        jsonrpc: "2.0",
        id: message.id,
        result: {
          tools: [{ name: `tool-${page}` }, 7],
          ...(page === 2 ? {} : { nextCursor: String(page + 1) }),
        },
      });
    });
    expect((await server.client.listTools()).map(({ name }) => name)).toEqual([
      "tool-0",
      "tool-1",
      "tool-2",
    ]);
    await using endless = await startServer((message, response) => {
      if (message.method !== "tools/list") return answer(message, response);
      send(response, 200, {
        jsonrpc: "2.0",
        id: message.id,
        result: { tools: [], nextCursor: "again" },
      });
    });
    await expect(endless.client.listTools()).rejects.toMatchObject({
      code: "MCP_SERVER_FAILED",
      message: expect.stringContaining("100 pages"),
    });
  });

  it.each<[string, number, unknown, object]>([
    [
      "an error of the server, without control characters",
      200,
      { error: { code: -32602, message: "no\u001b[31m such tool" } },
      { details: { status: 200, code: -32602 } },
    ],
    ["a page", 200, "<html>", { details: { status: 200, code: undefined } }],
    ["a failure", 500, "", { details: { status: 500, code: undefined } }],
    [
      "a result that is not an object",
      200,
      { result: 7 },
      { details: { status: 200, code: undefined } },
    ],
  ])("fails with MCP_SERVER_FAILED for %s", async (_name, status, body, expected) => {
    await using server = await startServer((message, response) => {
      if (message.method !== "tools/call") return answer(message, response);
      send(
        response,
        status,
        typeof body === "string" ? body : { jsonrpc: "2.0", id: message.id, ...(body as object) },
      );
    });
    const error = await server.client.callTool("echo", {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "MCP_SERVER_FAILED", ...expected });
    expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  });

  it.each([401, 403])("leaves status %i to the caller, with the challenge", async (status) => {
    await using server = await startServer((_message, response) => {
      response.writeHead(status, { "www-authenticate": 'Bearer error="insufficient_scope"' }).end();
    });
    const error = await server.client.listTools().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(McpRefusal);
    expect(error).toMatchObject({
      status,
      headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    });
  });

  it("encodes the name of a tool that is not ASCII in the header", async () => {
    await using server = await startServer(answer);
    await server.client.callTool("größe", {});
    expect(server.seen.at(-1)?.headers["mcp-name"]).toBe("=?base64?Z3LDtsOfZQ==?=");
  });
});

function answer(message: Message, response: ServerResponse): void {
  if (message.id === undefined) return void response.writeHead(202).end();
  send(response, 200, { jsonrpc: "2.0", id: message.id, result: RESULTS[message.method] });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An MCP server that does what a test says, and a client of it. */
async function startServer(
  behave: (message: Message, response: ServerResponse, headers: IncomingMessage["headers"]) => void,
) {
  const seen: {
    method: string;
    headers: IncomingMessage["headers"];
    message: Message | undefined;
  }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message = body === "" ? undefined : (JSON.parse(body) as Message);
    seen.push({ method: request.method ?? "", headers: request.headers, message });
    if (message === undefined) return void response.writeHead(200).end();
    behave(message, response, request.headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const client = createMcpClient({
    url,
    version: "1.2.3",
    async send({ url, method, headers, body }) {
      const response = await fetch(url, { method, headers, body: body ?? null });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
  });
  return {
    client,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
