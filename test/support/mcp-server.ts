import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../../src/shared/loopback-server.ts";

/** Tools with arguments of every kind, and what each returns. */
export const MCP_TASKS = JSON.parse(
  readFileSync(new URL("../browser/fixtures/mcp-tasks.json", import.meta.url), "utf8"),
) as {
  tools: object[];
  results: Record<string, object>;
};

/** What a server answers to `initialize`. */
export const MCP_GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "tasks", version: "1" },
};

/** A Pack with an MCP server. */
export function mcpPack(endpointUrl: string, authentication = ""): string {
  return `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain(${JSON.stringify(new URL(endpointUrl).host)});
${authentication}
pack.addMCPServer({ name: "Tasks", endpointUrl: ${JSON.stringify(endpointUrl)} });
`;
}

/** A server of the Model Context Protocol that asks for no token and keeps no session. */
export async function startMcpServer({ tools, results } = MCP_TASKS) {
  const calls: { name: string; arguments: unknown }[] = [];
  const answerTo = (method: string, params: { name: string; arguments: unknown }): object => {
    switch (method) {
      case "initialize":
        return { result: MCP_GREETING };
      case "tools/list":
        return { result: { tools } };
      case "tools/call":
        calls.push({ name: params.name, arguments: params.arguments });
        return { result: results[params.name] ?? { content: [] } };
      default:
        return { error: { code: -32601, message: "There is no such method." } };
    }
  };
  const server = await listenOnLoopback(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params) }));
  }, 0);
  const origin = `http://127.0.0.1:${server.port}`;
  return { origin, url: `${origin}/mcp`, calls, [Symbol.asyncDispose]: () => server.close() };
}
