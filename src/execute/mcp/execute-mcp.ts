import { setImmediate, setTimeout } from "node:timers/promises";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import { parseTokenChallenge } from "../../oauth/challenge.ts";
import type { LogEntry } from "../../sandbox/log-entry.ts";
import { packageVersion } from "../../shared/own-package.ts";
import { createRedactor } from "../../shared/redact.ts";
import type { FormulaArguments } from "../arguments/arguments.ts";
import type { ExecutionResult } from "../execution-result.ts";
import { createHostFetcher } from "../fetch/fetcher.ts";
import type { RequestRecord } from "../request-record.ts";
import { type RunOptions, toFailure } from "../run.ts";
import { connectCommand, createStepUpError, type RunAccount } from "../step-up.ts";
import { answersEnd } from "./event-stream.ts";
import { connectMcpClient, type McpClient } from "./mcp-client.ts";
import { createMcpFetch, type McpFetch, McpRefusal } from "./mcp-fetch.ts";
import { readToolArguments } from "./tool-arguments.ts";

export interface ExecuteMcpOptions extends RunOptions {
  /** @default the default account of `pack.ts` */
  runAccount?: RunAccount | undefined;
}

/** What to do with the Pack's MCP server. */
export type McpTarget = { kind: "mcpTools" } | { kind: "mcpCall"; tool: string };

/** A list of tools, or the answer of one. More would be a download. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Limit of one request of the protocol. */
const REQUEST_TIMEOUT_MS = 30_000;
/** The same if the tool may ask a person in the meantime. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;
const CANCEL_TIMEOUT_MS = 1_000;
/** More messages of a tool are not kept. */
const MAX_LOGS = 1_000;

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
  const logs: LogEntry[] = [];
  const trace = () => ({
    logs: logs.map(({ level, message }) => ({ level, message: redactor.text(message) })),
    requests: [...requests],
    durationMs: now() - startedAtMs,
  });
  // A list of tools asks no one.
  const elicit = target.kind === "mcpCall" ? options.elicit : undefined;
  const timeoutMs = elicit === undefined ? REQUEST_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  const onLog = (entry: LogEntry): void => {
    if (logs.length >= MAX_LOGS) return;
    logs.push(entry);
    options.onToolLog?.({ ...entry, message: redactor.text(entry.message) });
  };
  const fetcher = createHostFetcher({
    ...options,
    redactor,
    startedAtMs,
    cache: undefined,
    definition: options.isolate.definition,
    requestTimeoutMs: timeoutMs,
    maxResponseBytes: MAX_BYTES,
    endsAt: ({ "content-type": type = "" }, text) => answersEnd(type, text),
    onRequest: (record) => requests.push(record),
  });
  const endpoint = findEndpoint(options.isolate.definition);
  const sender = createMcpFetch(fetcher, endpoint, { listens: elicit !== undefined });
  let client: McpClient | undefined;
  try {
    client = await connectMcpClient({
      // Only its host is shown; the fetcher adds the account's endpoint to a path.
      url: new URL(endpoint, options.account?.endpoint ?? "https://mcp.invalid"),
      version: packageVersion(),
      requests: sender,
      elicit,
      onLog,
      timeoutMs,
      signal: options.signal,
    });
    const result = redactor.value(await ask(client, target, args));
    await client.close();
    await sender.settle();
    return { result, ...trace() };
  } catch (error) {
    if (options.signal?.aborted === true) await tellServer(sender);
    await client?.close();
    throw toFailure(explainFailure(error, options), trace(), redactor);
  } finally {
    fetcher.close();
  }
}

/** The client tells the server that a call was cancelled, without waiting for it. */
async function tellServer(sender: McpFetch): Promise<void> {
  await setImmediate();
  await Promise.race([
    sender.settleNewest(),
    setTimeout(CANCEL_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}

function explainFailure(error: unknown, options: ExecuteMcpOptions): unknown {
  if (options.signal?.aborted === true)
    return new PackError("INTERRUPTED", "The run was stopped.", { details: undefined });
  return error instanceof McpRefusal ? explainRefusal(error, options) : error;
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
          ? "The server does not offer any tools to this account."
          : `The server has these tools: ${known.slice(0, 20).join(", ")}.`,
    });
  }
  return await client.callTool(tool.name, readToolArguments(tool, args));
}

/** The fetcher adds the account's endpoint to a path. */
function findEndpoint({ mcpServers }: PackVersionDefinition): string {
  const [server] = mcpServers ?? [];
  if (server !== undefined) return server.endpointUrl;
  throw new PackError("MCP_SERVER_MISSING", "The Pack has no MCP server.", {
    details: undefined,
    hint: 'Add a server: pack.addMCPServer({ name: "Tasks", endpointUrl: "https://mcp.tasks.example/mcp" }).',
  });
}

/** What a refusal means for the account (RFC 6750 §3.1). */
function explainRefusal(
  { status, headers }: McpRefusal,
  { account, runAccount }: ExecuteMcpOptions,
): PackError {
  const run = runAccount ?? { file: "pack.ts", account: "default", slot: "user" };
  const name = run.account;
  const command = connectCommand(run);
  const stepUp = createStepUpError("The MCP server", status, headers, run);
  if (stepUp !== undefined) return stepUp;
  if (status === 401 && account === undefined) {
    return new PackError(
      "ACCOUNT_MISSING",
      "The MCP server needs an account, but no account is connected.",
      {
        details: { account: name },
        hint: `Run ${command}.`,
      },
    );
  }
  if (status === 401) {
    return new PackError(
      "ACCOUNT_RECONNECT",
      `The MCP server rejected the token of the account "${name}".`,
      {
        details: {
          account: name,
          error: parseTokenChallenge(headers["www-authenticate"])?.error ?? "invalid_token",
        },
        hint: `Run ${command}.`,
      },
    );
  }
  return new PackError(
    "FETCH_STATUS",
    `The MCP server rejected the request with status ${status}.`,
    {
      details: { status },
      hint: "Check that the account is allowed to use this server.",
    },
  );
}
