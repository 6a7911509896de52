import { relative } from "node:path";
import type { Command } from "commander";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface DocsFlags {
  out: string;
  check?: boolean;
}

export function addDocsVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("docs")
      .summary("Write a Markdown page about a Pack")
      .description("Write a Markdown page about the formulas, tables and accounts of a Pack")
      .addHelpText(
        "after",
        examples(
          "packsmith docs pack.ts",
          "packsmith docs pack.ts --out docs/tasks.md",
          "packsmith docs pack.ts --check",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .option("-o, --out <file>", "path of the page", "PACK.md")
      .option("--check", "do not write the page; fail if it is out of date"),
    async () => (await import("../outputs/pack-outputs.ts")).docsOutput,
  ).action(async (file: string, { out, check }: DocsFlags) => {
    const { documentPack } = await import("../../build/document-pack.ts");
    const path = await documentPack(file, { cwd: streams.cwd, out, check });
    if (output.json) return output.document({ ok: true, path });
    output.progress(
      `${output.style("good", check ? "up to date" : "written")}  ${relative(streams.cwd, path)}`,
    );
  });
}
