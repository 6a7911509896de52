import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { connectMcpClient } from "../../../src/execute/mcp/mcp-client.ts";
import { McpRefusal, watchRefusals } from "../../../src/execute/mcp/mcp-fetch.ts";
import type { LogEntry } from "../../../src/sandbox/log-entry.ts";
import { MCP_GREETING } from "../../support/mcp-server.ts";

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
}

const TOOL = { name: "echo", inputSchema: { type: "object" as const } };
const RESULTS: Record<string, object> = {
  initialize: MCP_GREETING,
  "tools/list": { tools: [TOOL] },
  "tools/call": { content: [{ type: "text", text: "tea" }] },
};

describe("the client of the Model Context Protocol", () => {
  it("asks for the newest version first, opens a session with an older server, and ends it", async () => {
    await using server = await startServer((message, response) => {
      if (message.method === "initialize") response.setHeader("mcp-session-id", "session-1");
      answer(message, response);
    });
    const client = await server.connect();
    expect(await client.listTools()).toEqual([TOOL]);
    expect(await client.callTool("echo", { text: "tea" })).toEqual(RESULTS["tools/call"]);
    await client.close();
    expect(server.seen.map(({ method, message }) => message?.method ?? method)).toEqual([
      ...["server/discover", "initialize", "notifications/initialized"],
      ...["tools/list", "tools/call", "DELETE"],
    ]);
    for (const { headers } of server.seen.slice(2)) {
      expect(headers).toMatchObject({
        "mcp-session-id": "session-1",
        "mcp-protocol-version": MCP_GREETING.protocolVersion,
      });
    }
    expect(server.seen[4]?.message?.params).toMatchObject({ arguments: { text: "tea" } });
  });

  it("opens another session when the server has forgotten the first one", async () => {
    let sessions = 0;
    await using server = await startServer((message, response, headers) => {
      if (message.method === "initialize")
        response.setHeader("mcp-session-id", `session-${++sessions}`);
      if (message.method === "tools/call" && headers["mcp-session-id"] === "session-1")
        return void response.writeHead(404).end();
      answer(message, response);
    });
    const client = await server.connect();
    expect(await client.callTool("echo", {})).toEqual(RESULTS["tools/call"]);
    expect(sessions).toBe(2);
  });

  it("sends version, client and headers with each request to a server of the newest version", async () => {
    const tool = {
      name: "größe",
      inputSchema: {
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
      },
    };
    const excluded = {
      name: "wrong",
      inputSchema: {
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "not a name" } },
      },
    };
    await using server = await startServer((message, response) => {
      const result = MODERN[message.method] ?? {
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
        tools: [tool, excluded],
      };
      send(response, 200, { jsonrpc: "2.0", id: message.id, result });
    });
    const lines: string[] = [];
    const client = await server.connect(({ message }) => lines.push(message));
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["größe"]);
    expect(lines).toEqual([expect.stringMatching(/excluding tool 'wrong'/)]);
    await client.callTool("größe", { region: "eu" });
    expect(server.seen.at(-1)).toMatchObject({
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "=?base64?Z3LDtsOfZQ==?=",
        "mcp-param-region": "eu",
      },
      message: {
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "packsmith" },
          },
        },
      },
    });
  });

  it("collects the tools of all pages, and ends when they never end", async () => {
    await using server = await startServer((message, response) => {
      if (message.method !== "tools/list") return answer(message, response);
      const page = Number(message.params?.["cursor"] ?? 0);
      send(response, 200, {
        jsonrpc: "2.0",
        id: message.id,
        result: {
          tools: [{ ...TOOL, name: `tool-${page}` }],
          ...(page === 2 ? {} : { nextCursor: String(page + 1) }),
        },
      });
    });
    expect((await (await server.connect()).listTools()).map(({ name }) => name)).toEqual([
      ...["tool-0", "tool-1", "tool-2"],
    ]);
    await using endless = await startServer((message, response) => {
      if (message.method !== "tools/list") return answer(message, response);
      const cursor = String(Number(message.params?.["cursor"] ?? 0) + 1);
      send(response, 200, {
        jsonrpc: "2.0",
        id: message.id,
        result: { tools: [], nextCursor: cursor },
      });
    });
    await expect((await endless.connect()).listTools()).rejects.toMatchObject({
      code: "MCP_SERVER_FAILED",
      message: expect.stringContaining("100"),
    });
  });

  it.each<[string, number, unknown, object]>([
    [
      "an error of the server, without control characters",
      200,
      { error: { code: -32602, message: "no\u001b[31m such tool" } },
      { details: { status: undefined, code: -32602 } },
    ],
    ["a page", 200, "<html>", { details: { status: undefined, code: undefined } }],
    ["a failure", 500, "", { details: { status: 500, code: undefined } }],
    [
      "a result that is not an object",
      200,
      { result: 7 },
      { details: { status: undefined, code: undefined } },
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
    const client = await server.connect();
    const error = await client.callTool("echo", {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "MCP_SERVER_FAILED", ...expected });
    expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  });

  it.each([401, 403])("leaves status %i to the caller, with the challenge", async (status) => {
    await using server = await startServer((_message, response) => {
      response.writeHead(status, { "www-authenticate": 'Bearer error="insufficient_scope"' }).end();
    });
    const error = await server.connect().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(McpRefusal);
    expect(error).toMatchObject({
      status,
      headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    });
  });
});

/** Answers of a server of the newest version. */
const MODERN: Record<string, object> = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "tasks", version: "1" },
  },
  "tools/call": { resultType: "complete", content: [{ type: "text", text: "tea" }] },
};

function answer(message: Message, response: ServerResponse): void {
  if (message.id === undefined) return void response.writeHead(202).end();
  const result = RESULTS[message.method];
  const outcome =
    result === undefined ? { error: { code: -32601, message: "There is no method." } } : { result };
  send(response, 200, { jsonrpc: "2.0", id: message.id, ...outcome });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An MCP server that does what a test says, and clients of it. */
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
  return {
    seen,
    connect: (onLog: (entry: LogEntry) => void = () => undefined) =>
      connectMcpClient({
        url: new URL(url),
        version: "1.2.3",
        requests: watchRefusals(fetch, url),
        onLog,
        timeoutMs: 10_000,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
