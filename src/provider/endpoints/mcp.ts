import type { Request, Response } from "express";
import { parseJson } from "../../shared/json.ts";
import { isRecord } from "../../shared/values.ts";
import { Path } from "../paths.ts";
import type { ProviderState } from "../state/provider-state.ts";
import type { IssuedToken } from "../state/token-store.ts";
import { authorizeRequest } from "./protected-resource.ts";

const VERSION = "2025-11-25";

const TOOLS = [
  {
    name: "whoami",
    description: "Returns the user that the token belongs to.",
    inputSchema: { type: "object", properties: {} },
  },
  {
    name: "echo",
    description: "Returns a text.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
];

/**
 * A protected MCP server with two tools (Streamable HTTP transport, without sessions). A profile
 * can demand a scope for calls.
 */
export function mcpEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    const message = parseJson(String(request.body));
    const method = isRecord(message) ? message["method"] : undefined;
    const { callScope } = state.policy.profile.resource ?? {};
    const token = authorizeRequest(
      state,
      request,
      response,
      Path.Mcp,
      method === "tools/call" ? callScope : undefined,
    );
    if (token === undefined) return;
    if (!isRecord(message) || typeof method !== "string") {
      response.status(400).json({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32700, message: "The body is not a JSON-RPC message." },
      });
      return;
    }
    const { id, params } = message;
    if (id === undefined) return void response.status(202).end();
    response.json({
      jsonrpc: "2.0",
      id,
      ...answer(state, method, isRecord(params) ? params : {}, token),
    });
  };
}

function answer(
  state: ProviderState,
  method: string,
  params: Record<string, unknown>,
  token: IssuedToken,
): Record<string, unknown> {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: VERSION,
          capabilities: { tools: {} },
          serverInfo: { name: "packsmith provider", version: "1" },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: TOOLS } };
    case "tools/call":
      return callTool(state, params, token);
    default:
      return { error: { code: -32601, message: `There is no method ${method.slice(0, 60)}.` } };
  }
}

function callTool(
  state: ProviderState,
  params: Record<string, unknown>,
  { grant, scopes }: IssuedToken,
): Record<string, unknown> {
  const { name, arguments: given } = params;
  const args = isRecord(given) ? given : {};
  if (name === "whoami") {
    const user = {
      sub: grant.user?.id ?? grant.clientId,
      name: grant.user?.name ?? state.clients.get(grant.clientId)?.name,
      scopes,
    };
    return {
      result: { content: [{ type: "text", text: JSON.stringify(user) }], structuredContent: user },
    };
  }
  if (name !== "echo") return { error: { code: -32602, message: "There is no such tool." } };
  if (typeof args["text"] !== "string")
    return { result: { content: [{ type: "text", text: "text is missing" }], isError: true } };
  return { result: { content: [{ type: "text", text: args["text"] }] } };
}
