import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { createConcurrencyLimit } from "../../shared/concurrency.ts";
import { toFailure } from "../../shared/failures.ts";
import { jsonText } from "../../shared/json.ts";
import { packageVersion } from "../../shared/own-package.ts";
import { failure } from "../outputs/parts.ts";
import { untilInterrupted, type VerbContext } from "../verb.ts";
import { DEV_TOOLS } from "./dev-tools.ts";
import { READ_REQUESTS_TOOL } from "./last-run.ts";
import { LIST_TARGETS_TOOL } from "./list-targets.ts";
import { SEARCH_TOOL } from "./search-docs.ts";
import type { Tool } from "./tool.ts";
import { adaptHints } from "./tool-hints.ts";
import { VERB_TOOLS } from "./verb-tools.ts";

const TOOLS: readonly Tool[] = [
  ...[LIST_TARGETS_TOOL, ...VERB_TOOLS, READ_REQUESTS_TOOL],
  ...[SEARCH_TOOL, ...DEV_TOOLS],
];

/** What a person allows a client to do beyond the other tools. */
export interface AllowedTools {
  /** `run_tests`, which starts programs of the project. */
  tests: boolean;
}

async function chooseTools({ tests }: AllowedTools): Promise<readonly Tool[]> {
  if (!tests) return TOOLS;
  const { RUN_TESTS_TOOL } = await import("./run-tests.ts");
  return [...TOOLS, RUN_TESTS_TOOL];
}

/** Each call may start a compiler and a sandbox. More calls wait, so that memory stays bounded. */
const CALLS_AT_ONCE = 2;
/** A longer message needs up to 40 times its length in memory. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A larger answer helps no one: the client pays for every word. */
const MAX_ANSWER = 100_000;

/** Serves the tools on stdin and stdout, until the client or the user ends it. */
export async function serveTools(
  { streams, redactor, signal }: VerbContext,
  allowed: AllowedTools,
): Promise<void> {
  const { cwd, env } = streams;
  const refused = new AbortController();
  const ended = new AbortController();
  const inTurn = createConcurrencyLimit(CALLS_AT_ONCE);
  const described = await Promise.all(
    (await chooseTools(allowed)).map(async (tool) => ({
      ...tool,
      answer: await createAnswerSchema(tool),
    })),
  );
  const createServer = () => {
    const server = new McpServer({ name: "packsmith", version: packageVersion() });
    for (const { name, title, description, input, answer, effects, call } of described) {
      const annotations = describeEffects(effects);
      const inputs = Object.keys(input.shape);
      server.registerTool(
        name,
        { title, description, inputSchema: input, outputSchema: answer, annotations },
        async (given, { mcpReq }) => {
          const stop = AbortSignal.any([mcpReq.signal, signal, ended.signal]);
          const document = await inTurn(() => call(given, { cwd, env, signal: stop })).catch(
            (error: unknown) => ({ ok: false, error: toFailure(error).error }),
          );
          const adapted = adaptHints(document, inputs);
          return writeResult(redactor.data(adapted) as Record<string, unknown>);
        },
      );
    }
    return server;
  };
  const handle = serveStdio(createServer, {
    transport: new StdioServerTransport(undefined, undefined, { maxBufferSize: MAX_MESSAGE_BYTES }),
    onerror({ message }) {
      // The transport reads nothing more, and has no class for this error.
      if (!message.startsWith("ReadBuffer exceeded")) return;
      streams.stdout.write(`${JSON.stringify(MESSAGE_TOO_LONG)}\n`);
      refused.abort();
    },
  });
  const closed = new Promise<void>((done) => {
    streams.stdin.once("end", done);
    streams.stdin.once("close", done);
    refused.signal.addEventListener("abort", () => done());
  });
  await Promise.race([closed, untilInterrupted(signal)]);
  ended.abort();
  await handle.close();
}

/** JSON-RPC 2.0 §5: the id of a request that cannot be read is null. */
const MESSAGE_TOO_LONG = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32600,
    message: `A message can have at most ${MAX_MESSAGE_BYTES / 1024 / 1024} MB. The server stops.`,
  },
};

/** The tools as a client sees them. */
export async function listTools(allowed: AllowedTools) {
  return await Promise.all(
    (await chooseTools(allowed)).map(async (tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: z.toJSONSchema(tool.input),
      outputSchema: z.toJSONSchema(await createAnswerSchema(tool)),
      annotations: describeEffects(tool.effects),
    })),
  );
}

/** Clients until version 2025-11-25 of the protocol only know schemas of objects. */
async function createAnswerSchema({ output }: Tool): Promise<z.ZodType> {
  return (await output()).or(failure).meta({ type: "object" });
}

function describeEffects({ isReadOnly, isDestructive, usesNetwork }: Tool["effects"]) {
  return { readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: usesNetwork };
}

function writeResult(document: Record<string, unknown>): CallToolResult {
  const text = jsonText(document);
  if (text.length > MAX_ANSWER) {
    const long = `The result has ${text.length} characters, but the limit is ${MAX_ANSWER}. Request less data, such as fewer rows.`;
    return { content: [{ type: "text", text: long }], isError: true };
  }
  return {
    content: [{ type: "text", text }],
    structuredContent: document,
    isError: document["ok"] === false,
  };
}
