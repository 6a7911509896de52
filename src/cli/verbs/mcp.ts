import type { Command } from "commander";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

const HELP = `
The tools validate, build and execute run the commands with the same names.
explain_code runs explain. diff_live runs diff --live. list_targets lists the
targets of execute. read_requests shows the requests of the last run.
search_docs searches the documentation. dev_run, dev_requests and
dev_connection read the state of packsmith dev. With --allow-tests, run_tests
runs the project's test script. The tools can use only files in the
current folder.
`;

/** `mcp`: the commands as tools for a program that speaks the Model Context Protocol. */
export function addMcpVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    program
      .command("mcp")
      .summary("Offer the commands to assistants, on stdio")
      .description("Offer the commands as Model Context Protocol (MCP) tools on stdin and stdout")
      .addHelpText("after", examples("packsmith mcp", "packsmith mcp --json"))
      .option("--list", "print the tool descriptions, then exit")
      .option(
        "--allow-tests",
        "also offer the tool run_tests, which runs the project's tests outside the sandbox",
      )
      .addHelpText("after", HELP),
    async () => (await import("../outputs/pack-outputs.ts")).mcpOutput,
  ).action(async (flags: { list?: boolean; allowTests?: boolean }) => {
    const { listTools, serveTools } = await import("../mcp/tool-server.ts");
    const { output } = context;
    const allowed = { tests: flags.allowTests === true };
    if (flags.list !== true && !output.json) return await serveTools(context, allowed);
    const tools = await listTools(allowed);
    if (output.json) return output.document({ ok: true, tools });
    for (const { name, description } of tools) output.data(`${name.padEnd(16)}  ${description}`);
  });
}
