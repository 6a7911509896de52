import { runInNewContext } from "node:vm";
import {
  Client,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type LoggingLevel,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { PackError } from "../../errors.ts";
import type { LogEntry } from "../../sandbox/log-entry.ts";
import { askInTurn, type Elicit, type ElicitationAnswer } from "./elicitation.ts";
import { catchWarnings } from "./excluded-tools.ts";
import { type McpFetch, McpRefusal } from "./mcp-fetch.ts";
import { type ElicitationParams, readElicitation } from "./read-elicitation.ts";

export interface McpClientOptions {
  /** The server's endpoint. */
  url: URL;
  /** The version of the client, for the server's log. */
  version: string;
  requests: McpFetch;
  /** Asks the user. @default the server is told that no one can answer */
  elicit?: Elicit | undefined;
  /** Receives the progress and the log messages of a tool. */
  onLog(entry: LogEntry): void;
  /** Limit of one request in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A tool as the server describes it. */
export type McpTool = Tool;

export interface McpClient {
  /** All tools, from all pages. */
  listTools(): Promise<readonly McpTool[]>;
  /** @returns the result, as the server sent it */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Ends the session, if the server keeps one. Never fails. */
  close(): Promise<void>;
}

const MAX_PAGES = 100;
const MAX_MESSAGE = 300;
const NO_MODEL =
  "The tool needs a language model (sampling), but packsmith does not support sampling. Use the tool in an assistant that supports sampling.";
const NO_USER =
  "The tool asks a question that a person must answer. Call the tool on the page of packsmith dev, or in a terminal: packsmith execute pack.ts Mcp:call:TOOL";

const NOT_VISITED =
  "You must visit a page before you can use the tool. Call the tool again, and confirm the question to open the page.";

/** Why a request of a server is refused. */
const REFUSALS: Readonly<Record<string, string>> = {
  "sampling/createMessage": NO_MODEL,
  "elicitation/create": NO_USER,
};

/** The levels of the protocol (RFC 5424) as those of a console. */
const LEVELS: Readonly<Record<LoggingLevel, LogEntry["level"]>> = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warn",
  error: "error",
  critical: "error",
  alert: "error",
  emergency: "error",
};

/**
 * Connects to a server of the Model Context Protocol over Streamable HTTP, in the newest version
 * that both know.
 * This and all functions throw `McpRefusal` for status 401 and 403, what the fetcher throws, and a
 * `PackError` MCP_SERVER_FAILED for everything else.
 */
export async function connectMcpClient(options: McpClientOptions): Promise<McpClient> {
  const { url, requests, signal, onLog } = options;
  // The fetcher reports its own limit first, which says more.
  const limits = {
    timeout: options.timeoutMs + 1_000,
    signal: AbortSignal.any([requests.broken, ...(signal === undefined ? [] : [signal])]),
  };
  const closing = new AbortController();
  const ask = createAsk(options, closing.signal);
  const client = createClient(options, ask);
  let transport = createTransport(options);
  await attempt(() => client.connect(transport, limits));
  return {
    listTools: () =>
      attempt(() => {
        const warn = (message: string): void => onLog({ level: "warn", message });
        return catchWarnings(warn, async () => (await client.listTools({}, limits)).tools);
      }),
    callTool: (name, args) => attempt(() => visitFirst(() => callOnce(name, args))),
    async close() {
      closing.abort();
      await transport.terminateSession().catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };

  function callOnce(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const onprogress = (progress: Progress): void => onLog(createProgressEntry(progress));
    return client.callTool({ name, arguments: { ...args } }, { ...limits, onprogress });
  }

  /** A tool may fail until the user has visited pages. Then it is called again, once. */
  async function visitFirst(call: () => Promise<unknown>): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      if (ask === undefined || !UrlElicitationRequiredError.isInstance(error)) throw error;
      for (const page of error.elicitations) {
        const { action } = await ask({ ...page, mode: "url" }, closing.signal);
        if (action !== "accept") throw error;
      }
      return await call();
    }
  }

  async function attempt<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await retryWithNewSession(act);
    } catch (error) {
      throw explain(error, requests, url.host);
    }
  }

  /** A server may forget a session (status 404); then another one is opened, once. */
  async function retryWithNewSession<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!SdkHttpError.isInstance(error) || error.status !== 404) throw error;
      if (transport.sessionId === undefined) throw error;
      await client.close();
      transport = createTransport(options);
      await client.connect(transport, limits);
      return await act();
    }
  }
}

function createTransport({ url, requests }: McpClientOptions): StreamableHTTPClientTransport {
  // The fetcher follows redirects, by the rules of the Pack.
  return new StreamableHTTPClientTransport(url, {
    fetch: requests.fetch,
    redirectPolicy: "follow",
    onInsufficientScope: "throw",
  });
}

/** Asks the user what the parameters of a server say, until the client is closed. */
type Ask = (params: ElicitationParams, signal: AbortSignal) => Promise<ElicitationAnswer>;

function createAsk(
  { url, elicit, onLog, signal }: McpClientOptions,
  closing: AbortSignal,
): Ask | undefined {
  if (elicit === undefined) return undefined;
  const inTurn = askInTurn(elicit, onLog);
  return async (params, gone) => {
    const elicitation = readElicitation(url.host, params);
    const ends = [gone, closing, ...(signal === undefined ? [] : [signal])];
    return await inTurn(elicitation, AbortSignal.any(ends));
  };
}

function createClient({ version, onLog }: McpClientOptions, ask: Ask | undefined): Client {
  const client = new Client(
    { name: "packsmith", version },
    {
      capabilities: ask === undefined ? {} : { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: "auto" },
      listMaxPages: MAX_PAGES,
      jsonSchemaValidator: createSchemaValidator(),
    },
  );
  // What a server sends later is not a failure of this run.
  client.onerror = () => undefined;
  if (ask !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const answer = await ask(params, mcpReq.signal);
      if (answer.action !== "accept" || params.mode === "url") return { action: answer.action };
      return { action: "accept", content: answer.content ?? {} };
    });
  client.setNotificationHandler("notifications/message", ({ params: { level, logger, data } }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    onLog({ level: LEVELS[level], message: logger === undefined ? text : `${logger}: ${text}` });
  });
  client.fallbackRequestHandler = async ({ method }) => {
    const reason = REFUSALS[method] ?? `packsmith does not support ${method}.`;
    onLog({ level: "warn", message: `The server asked for ${method}. ${reason}` });
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, reason);
  };
  return client;
}

function createProgressEntry({ progress, total, message }: Progress): LogEntry {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return { level: "info", message: `progress ${share}${message ? `: ${message}` : ""}` };
}

function explain(error: unknown, { failure, broken }: McpFetch, host: string): unknown {
  if (failure instanceof McpRefusal || failure instanceof PackError) return failure;
  if (broken.aborted) return createFailure(host, "its stream ended without a response", {});
  if (ProtocolError.isInstance(error)) {
    const message = cleanText(error.message.replace(/^MCP error -?\d+: /, ""));
    const hint = UrlElicitationRequiredError.isInstance(error) ? NOT_VISITED : undefined;
    return createFailure(host, `${message} (error ${error.code})`, { code: error.code }, hint);
  }
  if (SdkHttpError.isInstance(error)) {
    const { status } = error;
    return createFailure(host, `status ${status} without a valid MCP response`, { status });
  }
  const reason = error instanceof Error ? cleanText(error.message) : "it did not answer";
  return createFailure(host, reason, {}, findInputHint(error));
}

/** A tool that needs a person or a model, which this run does not have. */
function findInputHint(error: unknown): string | undefined {
  if (!SdkError.isInstance(error) || error.code !== SdkErrorCode.CapabilityNotSupported)
    return undefined;
  return error.message.includes("sampling") ? NO_MODEL : NO_USER;
}

function createFailure(
  host: string,
  reason: string,
  { status, code }: { status?: number; code?: number },
  hint = "Check endpointUrl and the arguments of the tool. packsmith supports only the Streamable HTTP transport.",
): PackError<"MCP_SERVER_FAILED"> {
  return new PackError(
    "MCP_SERVER_FAILED",
    `The MCP server ${host} did not complete the request: ${reason}.`,
    { details: { status, code }, hint },
  );
}

function cleanText(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, MAX_MESSAGE);
  return shown.replace(/\.$/, "") || "an error without a message";
}

/** A schema comes from the server: its patterns can take years. */
const LIMIT_MS = 1_000;

/** Checks what a tool returns against its output schema, for a limited time. */
function createSchemaValidator(): jsonSchemaValidator {
  const validator = new AjvJsonSchemaValidator();
  return {
    getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
      const check = limitTime(() => validator.getValidator<Value>(schema));
      return (value) => limitTime(() => check(value));
    },
  };
}

/** Only the virtual machine can end synchronous code, and the regular expressions in it. */
function limitTime<Result>(act: () => Result): Result {
  try {
    return runInNewContext("act()", { act }, { timeout: LIMIT_MS }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`the output schema takes more than ${LIMIT_MS} ms to check`);
  }
}
