import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../../src/shared/loopback-server.ts";
import { MCP_GREETING } from "./mcp-server.ts";

interface Message {
  id?: number | string;
  method?: string;
  params?: { _meta?: { progressToken?: number } };
  result?: unknown;
}

/** A server whose tool `clear` reports progress, asks this, and returns what the client answered. */
export async function startAskingServer(question: object) {
  const answers: unknown[] = [];
  const waiting = new Map<string, (answer: unknown) => void>();
  const results: Record<string, object> = {
    initialize: MCP_GREETING,
    "tools/list": { tools: [{ name: "clear", inputSchema: { type: "object" } }] },
  };
  const server = await listenOnLoopback(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    const { id, method = "" } = message;
    if (method === "tools/call") return void (await answerCall(message, response));
    waiting.get(String(id))?.(message.result);
    if (id === undefined || method === "") return void response.writeHead(202).end();
    const result = results[method];
    const outcome = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  }, 0);

  async function answerCall({ id, params }: Message, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (sent: object): void =>
      void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n\n`);
    const { progressToken } = params?._meta ?? {};
    const progress = { progressToken, progress: 1, total: 2, message: "looking" };
    send({ method: "notifications/progress", params: progress });
    const answer = new Promise<unknown>((resolve) => waiting.set(`question-${id}`, resolve));
    send({ id: `question-${id}`, method: "elicitation/create", params: question });
    const given = await answer;
    answers.push(given);
    send({ id, result: { content: [{ type: "text", text: JSON.stringify(given) }] } });
  }

  const origin = `http://127.0.0.1:${server.port}`;
  return { origin, url: `${origin}/mcp`, answers, [Symbol.asyncDispose]: () => server.close() };
}
