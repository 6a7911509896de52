import type { Command } from "commander";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

const HELP = `
The tools validate, build and execute are the commands of these names;
explain_code is explain, and diff_live is diff --live. list_targets lists what
execute can run, read_requests shows what the last run sent, and search_docs
searches the documentation. dev_run, dev_requests and dev_connection read what
packsmith dev shows. All reach only files of the current folder. run_tests runs
the script test of the project, with --allow-tests only.
`;

/** `mcp`: the commands as tools for a program that speaks the Model Context Protocol. */
export function addMcpVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    program
      .command("mcp")
      .summary("Offer the commands to assistants, on stdio")
      .description("Offer the commands as tools of the Model Context Protocol, on stdin and stdout")
      .addHelpText("after", examples("packsmith mcp", "packsmith mcp --json"))
      .option("--list", "print the descriptions of the tools, then exit")
      .option(
        "--allow-tests",
        "also offer the tool run_tests, which runs the project's tests outside of the sandbox",
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
