import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { plainEnv } from "./plain-env.ts";
import { makeProject } from "./project.ts";

const main = fileURLToPath(new URL("../../dist/bin/packsmith.cjs", import.meta.url));

export interface ToolAnswer {
  ok: boolean;
  error?: { code: string; message: string; thrown?: string; hint?: string };
  [member: string]: unknown;
}

/** The official client, with packsmith mcp as its child process, in a project with these files. */
export async function startToolsClient(
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
) {
  const project = makeProject({
    "package.json": '{ "name": "greetings", "type": "module" }',
    ...files,
  });
  const env = { ...plainEnv(), PACKSMITH_HOME: join(project.path, ".home"), ...variables };
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp", ...options],
    cwd: project.path,
    env,
    stderr: "pipe",
  });
  await client.connect(transport);
  return {
    project,
    env,
    client,
    pid: transport.pid ?? 0,
    /** The client itself checks the answer against the output schema of the tool. */
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: args,
      });
      const [first] = content as { text: string }[];
      const answer = JSON.parse(first?.text ?? "") as ToolAnswer;
      expect(structuredContent).toEqual(answer);
      expect(isError).toBe(!answer.ok);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      project[Symbol.dispose]();
    },
  };
}
