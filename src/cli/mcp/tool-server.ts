import { resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Command } from "commander";
import * as z from "zod";
import { vaultLocation } from "../../accounts/vault-location.ts";
import { openDevClient } from "../../dev/dev-client.ts";
import { toFailure } from "../../shared/failures.ts";
import { jsonText } from "../../shared/json.ts";
import { packageVersion } from "../../shared/own-package.ts";
import { untilInterrupted, type VerbContext } from "../verb.ts";
import { DEV_TOOLS } from "./dev-tools.ts";
import { runVerb } from "./run-verb.ts";
import { searchDocs } from "./search-docs.ts";
import { commandLine, inputOf, requireInside, type VerbTool } from "./verb-tool.ts";

/**
 * The commands that are tools. Options that write or read elsewhere, such as `--out-dir` and
 * `--record`, are left out.
 */
const VERB_TOOLS: readonly VerbTool[] = [
  {
    verb: "validate",
    options: [],
    isReadOnly: true,
    note: "Call it after each edit. Each problem has a position and a hint.",
  },
  {
    verb: "build",
    options: ["budget", "why"],
    isReadOnly: false,
    note: "Writes to the folder build.",
  },
  {
    verb: "execute",
    options: ["arg", "account", "max-rows", "dynamic-url", "timezone", "no-fetch"],
    isReadOnly: false,
    note: "Requests are really sent, with the connected account; an action has its effects.",
  },
  { verb: "explain", options: [], isReadOnly: true },
];

const SEARCH = {
  name: "search_docs",
  description: "Search the documentation of the installed version",
  input: z.strictObject({ query: z.string().max(500).describe("a few words") }),
};

interface Tool {
  name: string;
  description: string;
  input: z.ZodObject;
  isReadOnly: boolean;
  /** @returns a document like those of `--json` */
  call(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<object>;
}

/** A larger answer helps no one: the client pays for every word. */
const MAX_ANSWER = 100_000;

/** Serves the tools on stdin and stdout, until the client or the user ends it. */
export async function serveTools(program: Command, context: VerbContext): Promise<void> {
  const { streams, redactor, signal } = context;
  const tools = toolsOf(program, context);
  const ended = new AbortController();
  const handle = serveStdio(() => {
    const server = new McpServer({ name: "packsmith", version: packageVersion() });
    for (const { name, description, input, isReadOnly, call } of tools) {
      const annotations = {
        readOnlyHint: isReadOnly,
        openWorldHint: name === "execute",
        destructiveHint: name === "execute",
      };
      server.registerTool(
        name,
        { description, inputSchema: input, annotations },
        async (given, { mcpReq }) => {
          const stop = AbortSignal.any([mcpReq.signal, signal, ended.signal]);
          const answer = await call(given, stop).catch((error: unknown) => ({
            ok: false,
            error: toFailure(error).error,
          }));
          return resultOf(redactor.data(answer) as object);
        },
      );
    }
    return server;
  });
  const closed = new Promise<void>((done) => {
    streams.stdin.once("end", done);
    streams.stdin.once("close", done);
  });
  await Promise.race([closed, untilInterrupted(signal)]);
  ended.abort();
  await handle.close();
}

/** The tools as a client sees them. */
export function listTools(
  program: Command,
): { name: string; description: string; inputSchema: object }[] {
  return [...verbTools(program), SEARCH, ...DEV_TOOLS].map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(input),
  }));
}

function verbTools(program: Command) {
  return VERB_TOOLS.map((tool) => {
    const command = program.commands.find((each) => each.name() === tool.verb);
    if (command === undefined) throw new TypeError(`There is no command ${tool.verb}.`);
    const description = [command.description(), tool.note].filter(Boolean).join(". ");
    return {
      name: tool.verb,
      description,
      input: inputOf(command, tool),
      isReadOnly: tool.isReadOnly,
      command,
      tool,
    };
  });
}

function toolsOf(program: Command, { streams }: VerbContext): Tool[] {
  const { cwd, env } = streams;
  return [
    ...verbTools(program).map(({ command, tool, ...facts }) => ({
      ...facts,
      async call(input: Readonly<Record<string, unknown>>, signal: AbortSignal) {
        return await runVerb([tool.verb, ...commandLine(command, tool, input, cwd)], {
          cwd,
          env,
          signal,
        });
      },
    })),
    {
      ...SEARCH,
      isReadOnly: true,
      call: async ({ query }) => ({ ok: true, sections: searchDocs(String(query)) }),
    },
    ...DEV_TOOLS.map(({ read, ...facts }) => ({
      ...facts,
      isReadOnly: true,
      async call({ file = "pack.ts", ...input }: Readonly<Record<string, unknown>>) {
        requireInside(String(file), cwd);
        const { home } = vaultLocation(env);
        const client = await openDevClient(home, resolve(cwd, String(file)));
        return { ok: true, ...(await read(client, input)) };
      },
    })),
  ];
}

function resultOf(answer: object) {
  const text = jsonText(answer);
  if (text.length > MAX_ANSWER) {
    const long = `The answer has ${text.length} characters, which is more than ${MAX_ANSWER}. Ask for less, such as fewer rows.`;
    return { content: [{ type: "text" as const, text: long }], isError: true };
  }
  const isError = (answer as { ok?: unknown }).ok === false;
  return { content: [{ type: "text" as const, text }], isError };
}
