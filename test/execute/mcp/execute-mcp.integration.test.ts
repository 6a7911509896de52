import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AccountSession } from "../../../src/accounts/account-session.ts";
import type { Elicitation, ElicitationAnswer } from "../../../src/execute/mcp/elicitation.ts";
import { executeMcp } from "../../../src/execute/mcp/execute-mcp.ts";
import type { RunOptions } from "../../../src/execute/run.ts";
import { listenOnLoopback } from "../../../src/shared/loopback-server.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { MCP_GREETING } from "../../support/mcp-server.ts";

const HOST = "mcp.tasks.example";
const TOKEN = "token-of-this-account";
const CALL = { kind: "mcpCall", tool: "clear" } as const;
const QUESTION = {
  message: "Which tasks?",
  requestedSchema: {
    type: "object",
    properties: {
      status: { type: "string", title: "Status", enum: ["open", "done"], default: "done" },
      count: { type: "integer" },
    },
    required: ["status"],
  },
};
const DONE = { content: [{ type: "text", text: "cleared" }] };

const accept = async (): Promise<ElicitationAnswer> => ({ action: "accept", content: {} });

function readText(result: unknown): unknown {
  return JSON.parse((result as { content: [{ text: string }] }).content[0].text);
}

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** A stream that answers a call; the server may write more events before. */
interface Call {
  id: number | string | undefined;
  headers: IncomingMessage["headers"];
  params: Record<string, unknown>;
  response: ServerResponse;
  event(message: object, id?: string): void;
}

/** A server of version 2025-11-25 that answers calls with a stream of events. */
async function startStreamingServer(onCall: (call: Call) => void) {
  const seen: { message: Message; headers: IncomingMessage["headers"]; method: string }[] = [];
  const waiting = new Map<string, (message: Message) => void>();
  const server = await listenOnLoopback(async (request, response) => {
    const body = await text(request);
    const message = (body === "" ? {} : JSON.parse(body)) as Message;
    seen.push({ message, headers: request.headers, method: request.method ?? "" });
    const { id, method, params = {} } = message;
    if (request.method === "GET" && request.headers["last-event-id"] === undefined)
      return void response.writeHead(405).end();
    if (method === "tools/call" || request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = (sent: object, eventId = "") =>
        response.write(
          `${eventId === "" ? "" : `id: ${eventId}\n`}data: ${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n\n`,
        );
      return onCall({ id, headers: request.headers, params, response, event });
    }
    if (method === undefined) waiting.get(String(id))?.(message);
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: { ...MCP_GREETING, capabilities: { tools: {}, logging: {} } },
      "tools/list": { tools: [{ name: "clear", inputSchema: { type: "object" } }] },
    };
    const result = results[method];
    const outcome = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  }, 0);
  onTestFinished(() => server.close());
  return {
    seen,
    origin: `http://127.0.0.1:${server.port}`,
    /** What the client answers to a request of the server. */
    answerTo: (id: string) => new Promise<Message>((resolve) => waiting.set(id, resolve)),
  };
}

function run(origin: string, options: Partial<RunOptions> = {}) {
  const definition = {
    networkDomains: [HOST],
    mcpServers: [{ name: "Tasks", endpointUrl: `https://${HOST}/mcp` }],
  };
  return executeMcp(
    {
      isolate: { definition } as unknown as RunOptions["isolate"],
      routes: { [`https://${HOST}`]: origin },
      redactor: createRedactor(),
      ...options,
    },
    CALL,
    [],
  );
}

const account = {
  endpoint: undefined,
  hosts: [HOST],
  authentication: { type: "OAuth2", networkDomain: HOST },
  getAccessToken: async () => TOKEN,
  renewAfterUnauthorized: async () => undefined,
} as unknown as AccountSession;

describe("a call of a tool", () => {
  it("asks the user while the call waits, and shows progress and log messages", async () => {
    const server = await startStreamingServer(async ({ id, params, event }) => {
      const { progressToken } = params["_meta"] as { progressToken: number };
      event({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2, message: "looking" },
      });
      event({
        method: "notifications/message",
        params: { level: "warning", logger: "tasks", data: "many tasks" },
      });
      const answer = server.answerTo("question-1");
      event({ id: "question-1", method: "elicitation/create", params: QUESTION });
      const { result } = await answer;
      event({ id, result: { content: [{ type: "text", text: JSON.stringify(result) }] } });
    });
    const asked: Elicitation[] = [];
    const elicit = async (elicitation: Elicitation): Promise<ElicitationAnswer> => {
      asked.push(elicitation);
      return { action: "accept", content: { count: 3 } };
    };
    const shown: unknown[] = [];
    const onToolLog = (entry: unknown): void => void shown.push(entry);
    const { result, logs } = await run(server.origin, { elicit, onToolLog });
    expect(asked).toEqual([
      {
        mode: "form",
        server: HOST,
        message: "Which tasks?",
        fields: [
          expect.objectContaining({ name: "status", type: "choice", default: "done" }),
          expect.objectContaining({ name: "count", type: "integer", isRequired: false }),
        ],
      },
    ]);
    const answer = (result as { content: [{ text: string }] }).content[0].text;
    // A default is a suggestion: what the user did not see is not sent.
    expect(JSON.parse(answer)).toEqual({ action: "accept", content: { count: 3 } });
    expect(logs).toEqual([
      { level: "info", message: "progress 1 of 2: looking" },
      { level: "warn", message: "tasks: many tasks" },
    ]);
    expect(shown).toEqual(logs);
  });

  const PAGE = { mode: "url", message: "Log in.", elicitationId: "page-1" };

  it("calls a tool again after the user has visited the page that it demands", async () => {
    let calls = 0;
    const server = await startStreamingServer(({ id, event }) => {
      calls += 1;
      const elicitations = [{ ...PAGE, url: "https://login.tasks.example/" }];
      const error = { code: -32042, message: "Log in first.", data: { elicitations } };
      event(calls === 1 ? { id, error } : { id, result: DONE });
    });
    expect((await run(server.origin, { elicit: accept })).result).toEqual(DONE);
    expect(calls).toBe(2);
  });

  it("fails and says what to do if the user does not want to visit the page", async () => {
    const server = await startStreamingServer(({ id, event }) => {
      const elicitations = [{ ...PAGE, url: "https://login.tasks.example/" }];
      event({ id, error: { code: -32042, message: "Log in first.", data: { elicitations } } });
    });
    const failure = {
      code: "MCP_SERVER_FAILED",
      hint: expect.stringContaining("confirm the question to open the page"),
    };
    const elicit = async (): Promise<ElicitationAnswer> => ({ action: "decline" });
    await expect(run(server.origin, { elicit })).rejects.toMatchObject(failure);
    await expect(run(server.origin)).rejects.toMatchObject(failure);
  });

  it.each([
    ["javascript:alert(1)", "packsmith opens only https URLs."],
    ["file:///etc/passwd", "packsmith opens only https URLs."],
    ["http://login.tasks.example/", "packsmith opens only https URLs."],
    ["https://bank.example@evil.example/", "a user name or a password"],
    [`https://login.tasks.example/${"a".repeat(9_000)}`, "too long"],
  ])("offers no page that is not safe to open: %s", async (url, reason) => {
    const server = await startStreamingServer(async ({ id, event }) => {
      const answer = server.answerTo("page-1");
      event({ id: "page-1", method: "elicitation/create", params: { ...PAGE, url } });
      const { error } = await answer;
      event({ id, result: { content: [{ type: "text", text: error?.message ?? "" }] } });
    });
    const asked: Elicitation[] = [];
    const { result } = await run(server.origin, {
      async elicit(elicitation) {
        asked.push(elicitation);
        return { action: "accept" };
      },
    });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining(reason) }] });
  });

  it("asks one question at a time, and stops a server that keeps asking", async () => {
    const server = await startStreamingServer(async ({ id, event }) => {
      const names = Array.from({ length: 30 }, (_, index) => `question-${index}`);
      const answers = names.map((name) => server.answerTo(name));
      for (const name of names) event({ id: name, method: "elicitation/create", params: QUESTION });
      const results = (await Promise.all(answers)).map(
        ({ result }) => (result as { action: string }).action,
      );
      event({ id, result: { content: [{ type: "text", text: JSON.stringify(results) }] } });
    });
    let open = 0;
    let most = 0;
    const { result, logs } = await run(server.origin, {
      async elicit() {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return { action: "accept", content: {} };
      },
    });
    expect(most).toBe(1);
    const actions = readText(result) as string[];
    expect(actions.filter((action) => action === "accept")).toHaveLength(10);
    expect(actions.filter((action) => action === "cancel")).toHaveLength(20);
    expect(logs).toEqual([{ level: "warn", message: expect.stringContaining("more than 10") }]);
  });

  it("withdraws a question when the server has ended the call without the answer", async () => {
    const server = await startStreamingServer(({ id, event }) => {
      event({ id: "question-1", method: "elicitation/create", params: QUESTION });
      setImmediate(() => event({ id, result: DONE }));
    });
    const withdrawn = new Promise<void>((resolve) => {
      void run(server.origin, {
        elicit: (_elicitation, signal) =>
          new Promise((answer) => {
            signal.addEventListener("abort", () => {
              resolve();
              answer({ action: "cancel" });
            });
          }),
      });
    });
    await withdrawn;
  });

  it("refuses sampling, and says why to the server and to the user", async () => {
    const server = await startStreamingServer(async ({ id, event }) => {
      const answer = server.answerTo("sample-1");
      event({
        id: "sample-1",
        method: "sampling/createMessage",
        params: { messages: [], maxTokens: 1 },
      });
      const { error } = await answer;
      event({ id, result: { content: [{ type: "text", text: error?.message ?? "" }] } });
    });
    const { result, logs } = await run(server.origin);
    const reason = expect.stringContaining("packsmith does not support sampling");
    expect(result).toMatchObject({ content: [{ text: reason }] });
    expect(logs).toEqual([{ level: "warn", message: reason }]);
  });

  it("tells a server that no one can answer, when there is no terminal", async () => {
    const server = await startStreamingServer(async ({ id, event }) => {
      const answer = server.answerTo("question-1");
      event({ id: "question-1", method: "elicitation/create", params: QUESTION });
      const { error } = await answer;
      event({ id, error: { code: -32603, message: error?.message ?? "" } });
    });
    await expect(run(server.origin)).rejects.toMatchObject({
      code: "MCP_SERVER_FAILED",
      message: expect.stringContaining("that a person must answer"),
    });
    expect(server.seen[1]?.message.params).toMatchObject({ capabilities: {} });
  });

  it("continues a stream that ended before the answer, where it ended", async () => {
    const ids: unknown[] = [];
    const server = await startStreamingServer(({ id, headers, response, event }) => {
      if (id !== undefined) {
        ids.push(id);
        response.write("retry: 10\nid: event-7\ndata:\n\n");
        return void response.end();
      }
      expect(headers["last-event-id"]).toBe("event-7");
      event({ id: ids[0], result: DONE });
    });
    expect((await run(server.origin)).result).toEqual(DONE);
    expect(server.seen.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  it("hands on no event with the account's token, even if it arrives in two pieces", async () => {
    const server = await startStreamingServer(({ id, headers, response, event }) => {
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
      const params = { level: "info", data: `got ${TOKEN}` };
      const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params });
      const middle = message.indexOf(TOKEN) + 5;
      response.write(`data: ${message.slice(0, middle)}`, () => {
        setImmediate(() => {
          response.write(`${message.slice(middle)}\r\n\r\n`);
          event({ id, result: { content: [{ type: "text", text: TOKEN }] } });
        });
      });
    });
    const redactor = createRedactor();
    // Without the redactor's help: what the client gets is masked already.
    const plain = { ...redactor, value: (value: unknown) => value, text: (one: string) => one };
    const { result, logs } = await run(server.origin, {
      account,
      redactor: plain as typeof redactor,
    });
    expect(JSON.stringify([result, logs])).not.toContain(TOKEN);
    expect(JSON.stringify([result, logs])).toContain("*".repeat(TOKEN.length));
  });

  it("stops with the run, and tells the server", async () => {
    const stop = new AbortController();
    const server = await startStreamingServer(() => stop.abort());
    await expect(run(server.origin, { signal: stop.signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
    expect(server.seen.map(({ message }) => message.method)).toContain("notifications/cancelled");
  });

  it("records each request once, with the stream as it was read", async () => {
    const server = await startStreamingServer(({ id, event }) => event({ id, result: DONE }));
    const bodies: (string | undefined)[] = [];
    const { requests } = await run(server.origin, {
      onExchange: ({ responseBody }) => bodies.push(responseBody),
    });
    expect(requests.map(({ method, status }) => [method, status])).toEqual([
      ...[
        ["POST", 200],
        ["POST", 200],
        ["POST", 202],
        ["POST", 200],
      ],
      ["POST", 200],
    ]);
    expect(bodies.at(-1)).toContain("cleared");
  });
});

/** Answers of a server of the newest version whose tool needs something first. */
function inputRequired(method: string, params: object) {
  const common = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  return (message: Message): object => {
    if (message.method === "server/discover")
      return {
        ...common,
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        serverInfo: { name: "tasks", version: "1" },
      };
    if (message.method === "tools/list")
      return { ...common, tools: [{ name: "clear", inputSchema: { type: "object" } }] };
    const { inputResponses, requestState } = message.params ?? {};
    return inputResponses === undefined
      ? {
          resultType: "input_required",
          inputRequests: { first: { method, params } },
          requestState: "state-1",
        }
      : {
          resultType: "complete",
          content: [{ type: "text", text: JSON.stringify({ inputResponses, requestState }) }],
        };
  };
}

describe("a call of a tool that needs input", () => {
  it("asks the user, and calls the tool again with the answer and the state of the server", async () => {
    await using server = await startModernServer(inputRequired("elicitation/create", QUESTION));
    const { result } = await run(server.origin, { elicit: accept });
    expect(readText(result)).toEqual({
      inputResponses: { first: { action: "accept", content: {} } },
      requestState: "state-1",
    });
  });

  it.each(["decline", "cancel"] as const)(
    "tells the server that the user chose %s",
    async (action) => {
      await using server = await startModernServer(inputRequired("elicitation/create", QUESTION));
      const { result } = await run(server.origin, { elicit: async () => ({ action }) });
      expect(readText(result)).toMatchObject({ inputResponses: { first: { action } } });
    },
  );

  it("shows a page that the user should visit, and sends nothing but the consent", async () => {
    await using server = await startModernServer(
      inputRequired("elicitation/create", {
        mode: "url",
        message: "Log in.",
        url: "https://login.tasks.example/a?b=1",
      }),
    );
    const asked: Elicitation[] = [];
    const { result } = await run(server.origin, {
      async elicit(elicitation) {
        asked.push(elicitation);
        return { action: "accept", content: { more: "than consent" } };
      },
    });
    expect(asked).toEqual([
      {
        mode: "url",
        server: HOST,
        message: "Log in.",
        url: "https://login.tasks.example/a?b=1",
      },
    ]);
    expect(readText(result)).toMatchObject({ inputResponses: { first: { action: "accept" } } });
    expect(JSON.stringify(result)).not.toContain("more");
  });

  it.each([
    ["a person", "elicitation/create", QUESTION, "in a terminal"],
    ["a model", "sampling/createMessage", { messages: [], maxTokens: 1 }, "needs a language model"],
  ])("fails and says that it needs %s", async (_name, method, params, reason) => {
    await using server = await startModernServer(inputRequired(method, params));
    await expect(run(server.origin)).rejects.toMatchObject({
      code: "MCP_SERVER_FAILED",
      hint: expect.stringContaining(reason),
    });
  });
});

async function startModernServer(answer: (message: Message) => object) {
  const server = await listenOnLoopback(async (request, response) => {
    const message = JSON.parse(await text(request)) as Message;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) }));
  }, 0);
  return {
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.close(),
  };
}
