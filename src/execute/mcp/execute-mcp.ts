import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import { tokenChallengeOf } from "../../oauth/challenge.ts";
import { packageVersion } from "../../shared/own-package.ts";
import { createRedactor } from "../../shared/redact.ts";
import type { FormulaArguments } from "../arguments/arguments.ts";
import type { ExecutionResult } from "../execution-result.ts";
import { createHostFetcher, type HostFetcher } from "../fetch/fetcher.ts";
import type { RequestRecord } from "../request-record.ts";
import { failed, type RunOptions } from "../run.ts";
import { connectCommand, type RunAccount, stepUpOf } from "../step-up.ts";
import { createMcpClient, type McpClient, McpRefusal, type McpResponse } from "./mcp-client.ts";
import { answersEnd } from "./messages.ts";
import { toolArguments } from "./tool-arguments.ts";

export interface ExecuteMcpOptions extends RunOptions {
  /** @default the default account of `pack.ts` */
  runAccount?: RunAccount | undefined;
}

/** What to do with the Pack's MCP server. */
export type McpTarget = { kind: "mcpTools" } | { kind: "mcpCall"; tool: string };

/** A list of tools, or the answer of one. More would be a download. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Lists the tools of the Pack's MCP server, or calls one, with the account of the run.
 * @throws {ExecutionFailure} MCP_SERVER_MISSING, MCP_SERVER_FAILED, MCP_TOOL_UNKNOWN,
 *   ARGUMENT_TYPE, FETCH_*
 * @throws {ExecutionFailure} ACCOUNT_MISSING, ACCOUNT_RECONNECT, ACCOUNT_SCOPES, ACCOUNT_LOGIN when
 *   the server refuses the request
 */
export async function executeMcp(
  options: ExecuteMcpOptions,
  target: McpTarget,
  args: FormulaArguments,
): Promise<ExecutionResult> {
  const now = options.now ?? Date.now;
  const startedAtMs = now();
  const redactor = options.redactor ?? createRedactor();
  const requests: RequestRecord[] = [];
  const trace = () => ({ logs: [], requests: [...requests], durationMs: now() - startedAtMs });
  const fetcher = createHostFetcher({
    ...options,
    redactor,
    startedAtMs,
    cache: undefined,
    definition: options.isolate.definition,
    maxResponseBytes: MAX_BYTES,
    endsAt: ({ "content-type": type = "" }, text) => answersEnd(type, text),
    onRequest: (record) => requests.push(record),
  });
  const interrupt = (): void => fetcher.close();
  options.signal?.addEventListener("abort", interrupt, { once: true });
  try {
    const client = createMcpClient({
      url: endpointOf(options.isolate.definition),
      version: packageVersion(),
      send: async (request) => responseOf(await fetcher.fetch(request)),
    });
    try {
      return { result: redactor.value(await ask(client, target, args)), ...trace() };
    } finally {
      await client.close();
    }
  } catch (error) {
    if (options.signal?.aborted === true) {
      const reason = new PackError("INTERRUPTED", "The run was stopped.", { details: undefined });
      throw failed(reason, trace(), redactor);
    }
    throw failed(
      error instanceof McpRefusal ? accountError(error, options) : error,
      trace(),
      redactor,
    );
  } finally {
    options.signal?.removeEventListener("abort", interrupt);
    fetcher.close();
  }
}

async function ask(client: McpClient, target: McpTarget, args: FormulaArguments): Promise<unknown> {
  if (target.kind === "mcpTools") return await client.listTools();
  const tools = await client.listTools();
  const tool = tools.find(({ name }) => name === target.tool);
  if (tool === undefined) {
    const known = tools.map(({ name }) => name);
    throw new PackError("MCP_TOOL_UNKNOWN", `The MCP server has no tool named ${target.tool}.`, {
      details: { name: target.tool, known },
      hint:
        known.length === 0
          ? "The server offers no tools to this account."
          : `The server has: ${known.slice(0, 20).join(", ")}.`,
    });
  }
  return await client.callTool(tool.name, toolArguments(tool, args));
}

/** The fetcher adds the account's endpoint to a path. */
function endpointOf({ mcpServers }: PackVersionDefinition): string {
  const [server] = mcpServers ?? [];
  if (server !== undefined) return server.endpointUrl;
  throw new PackError("MCP_SERVER_MISSING", "The Pack has no MCP server.", {
    details: undefined,
    hint: 'Add one: pack.addMCPServer({ name: "Tasks", endpointUrl: "https://mcp.tasks.example/mcp" }).',
  });
}

function responseOf(result: Awaited<ReturnType<HostFetcher["fetch"]>>): McpResponse {
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
  return { status: statusCode, headers: response.headers, body: String(response.body ?? "") };
}

/** Members of a failure that has a status. */
interface StatusMembers {
  statusCode: number;
  response: { headers: Record<string, string>; body: unknown };
}

/** What a refusal means for the account (RFC 6750 §3.1). */
function accountError(
  { status, headers }: McpRefusal,
  { account, runAccount }: ExecuteMcpOptions,
): PackError {
  const run = runAccount ?? { file: "pack.ts", account: "default", slot: "user" };
  const name = run.account;
  const command = connectCommand(run);
  const stepUp = stepUpOf("The MCP server", status, headers, run);
  if (stepUp !== undefined) return stepUp;
  if (status === 401 && account === undefined) {
    return new PackError(
      "ACCOUNT_MISSING",
      "The MCP server needs an account, and none is connected.",
      {
        details: { account: name },
        hint: `Run ${command}.`,
      },
    );
  }
  if (status === 401) {
    return new PackError(
      "ACCOUNT_RECONNECT",
      `The MCP server refused the token of the account "${name}".`,
      {
        details: {
          account: name,
          error: tokenChallengeOf(headers["www-authenticate"])?.error ?? "invalid_token",
        },
        hint: `Run ${command}.`,
      },
    );
  }
  return new PackError(
    "FETCH_STATUS",
    `The MCP server refused the request with status ${status}.`,
    {
      details: { status },
      hint: "Check that the account may use this server.",
    },
  );
}
