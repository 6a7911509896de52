import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";
import { type Answer, answerTo } from "./messages.ts";

export interface McpRequest {
  url: string;
  method: "POST" | "DELETE";
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface McpResponse {
  status: number;
  /** With lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface McpClientOptions {
  /** The server's endpoint. */
  url: string;
  /** The version of the client, for the server's log. */
  version: string;
  /** Sends one request. A response with a status of 400 and above is returned, not thrown. */
  send(request: McpRequest): Promise<McpResponse>;
}

/** A tool as the server describes it. */
export interface McpTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  /** A JSON Schema of the arguments. */
  inputSchema?: Record<string, unknown> | undefined;
  [member: string]: unknown;
}

/** The result of a tool, as the server sent it. */
export interface McpToolResult {
  content?: unknown[] | undefined;
  structuredContent?: unknown;
  /** The tool ran and failed. */
  isError?: boolean | undefined;
  [member: string]: unknown;
}

export interface McpClient {
  /** All tools, from all pages. */
  listTools(): Promise<McpTool[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpToolResult>;
  /** Ends the session, if the server keeps one. Never fails. */
  close(): Promise<void>;
}

/** The server refused a request before it reached a tool, usually because of the token. */
export class McpRefusal extends Error {
  override readonly name = "McpRefusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, headers }: McpResponse) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

const SESSION_VERSION = "2025-11-25";
const STATELESS_VERSION = "2026-07-28";
const MAX_PAGES = 100;
const MAX_MESSAGE = 300;

/**
 * A client of the Model Context Protocol over Streamable HTTP, for tools only. It opens a session
 * as the versions until
 * 2025-11-25 demand; a server that refuses this gets the requests without a session, as in version
 * 2026-07-28.
 * All functions throw `McpRefusal` for status 401 and 403, and a `PackError` MCP_SERVER_FAILED for
 * what cannot be used.
 */
export function createMcpClient({ url, version, send }: McpClientOptions): McpClient {
  const clientInfo = { name: "packsmith", version };
  let lastId = 0;
  let session: { version: string; id: string | undefined } | undefined;

  return {
    async listTools() {
      const tools: McpTool[] = [];
      let cursor: unknown;
      for (let page = 0; page < MAX_PAGES; page++) {
        const result = await request("tools/list", cursor === undefined ? {} : { cursor });
        const { tools: listed, nextCursor } = result;
        if (!Array.isArray(listed)) throw failed("its list of tools is not a list");
        for (const tool of listed)
          if (isRecord(tool) && typeof tool["name"] === "string") tools.push(tool as McpTool);
        if (typeof nextCursor !== "string" || nextCursor === "") return tools;
        cursor = nextCursor;
      }
      throw failed(`its list of tools has more than ${MAX_PAGES} pages`);
    },
    async callTool(name, args) {
      return await request("tools/call", { name, arguments: args });
    },
    async close() {
      if (session?.id === undefined) return;
      await send({ url, method: "DELETE", headers: sessionHeaders() }).catch(() => undefined);
      session = undefined;
    },
  };

  async function request(
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const isNew = session === undefined;
    if (isNew) await open();
    const { answer, status } = await post(method, params);
    if (answer?.ok === true) return answer.result;
    // The server forgot the session, so a new one is opened, once.
    if (status === 404 && !isNew && session?.id !== undefined) {
      session = undefined;
      return await request(method, params);
    }
    throw refusedBy(answer, status);
  }

  async function open(): Promise<void> {
    const { answer, status, headers } = await post("initialize", {
      protocolVersion: SESSION_VERSION,
      capabilities: {},
      clientInfo,
    });
    if (answer?.ok === true) {
      const { protocolVersion } = answer.result;
      session = {
        version: typeof protocolVersion === "string" ? protocolVersion : SESSION_VERSION,
        id: headers["mcp-session-id"],
      };
      await post("notifications/initialized", undefined);
      return;
    }
    if (status >= 500 || status === 429) throw refusedBy(answer, status);
    session = { version: STATELESS_VERSION, id: undefined };
  }

  /** @param params undefined for a notification, which has no answer */
  async function post(method: string, params: Record<string, unknown> | undefined) {
    const id = ++lastId;
    const message =
      params === undefined
        ? { jsonrpc: "2.0", method }
        : { jsonrpc: "2.0", id, method, params: { ...params, ...statelessMembers() } };
    const response = await send({
      url,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-method": method,
        ...(typeof params?.["name"] === "string"
          ? { "mcp-name": headerValue(params["name"]) }
          : {}),
        ...sessionHeaders(),
      },
      body: JSON.stringify(message),
    });
    if (response.status === 401 || response.status === 403) throw new McpRefusal(response);
    const { status, headers } = response;
    return {
      status,
      headers,
      answer:
        params === undefined
          ? undefined
          : answerTo(id, headers["content-type"] ?? "", response.body),
    };
  }

  function sessionHeaders(): Record<string, string> {
    if (session === undefined) return {};
    return {
      "mcp-protocol-version": session.version,
      ...(session.id === undefined ? {} : { "mcp-session-id": session.id }),
    };
  }

  function statelessMembers(): Record<string, unknown> {
    if (session?.version !== STATELESS_VERSION) return {};
    const prefix = "io.modelcontextprotocol/";
    return {
      _meta: {
        [`${prefix}protocolVersion`]: STATELESS_VERSION,
        [`${prefix}clientInfo`]: clientInfo,
        [`${prefix}clientCapabilities`]: {},
      },
    };
  }

  function refusedBy(answer: Answer | undefined, status: number): PackError<"MCP_SERVER_FAILED"> {
    if (answer?.ok !== false)
      return failed(`status ${status} without an answer of the protocol`, status);
    return failed(`${clean(answer.message)} (error ${answer.code})`, status, answer.code);
  }

  function failed(reason: string, status?: number, code?: number): PackError<"MCP_SERVER_FAILED"> {
    return new PackError(
      "MCP_SERVER_FAILED",
      `The MCP server ${new URL(url).host} did not do what was asked: ${reason}.`,
      {
        details: { status, code },
        hint: "Check endpointUrl and the arguments of the tool. packsmith speaks the Streamable HTTP transport.",
      },
    );
  }
}

/** Header values are ASCII; other names are sent as the protocol encodes them. */
function headerValue(name: string): string {
  return /^[\x21-\x7e]+$/.test(name)
    ? name
    : `=?base64?${Buffer.from(name, "utf8").toString("base64")}?=`;
}

function clean(text: string): string {
  return (
    text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, MAX_MESSAGE) || "an error without a message"
  );
}
