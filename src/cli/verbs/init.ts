import { relative } from "node:path";
import type { Command } from "commander";
import { type VerbContext, withCommonOptions } from "../verb.ts";

const TEMPLATE_HELP = "blank, oauth2 or client-credentials";

export function addInitVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("init")
      .description("create a project for a new Pack from a template; needs no network")
      .argument("<directory>", "folder to create, or of a project to take over")
      .option("-t, --template <name>", TEMPLATE_HELP, "blank"),
  ).action(async (directory: string, options: { template: string }) => {
    const { initProject } = await import("../../commands/init-project.ts");
    const result = await initProject({ directory, template: options.template, cwd: streams.cwd });
    if (output.json) return output.document({ ok: true, ...result });
    const folder = relative(streams.cwd, result.directory) || ".";
    if (result.template === undefined) {
      const changed = result.files.map((file) => `  ${file}  now leads the type checker from @codahq/packs-sdk to packsmith`);
      output.progress([`${output.style("good", "ready")} ${folder}`, ...changed].join("\n"));
      return;
    }
    output.progress(`${output.style("good", "created")} ${folder}  from template ${result.template}`);
    for (const file of result.files) output.progress(`  ${file}`);
    output.progress("\nnext:");
    if (folder !== ".") output.data(`cd ${folder}`);
    output.data("npm install");
    output.data("npx packsmith build pack.ts --out-dir build");
  });
}
