import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";
import { countIssues, printIssues } from "../issues.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

export function addValidateVerb(program: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("validate")
      .alias("check")
      .description("check Packs against every rule; prints the code, the place and how to fix each problem")
      .argument("<files...>", "entry files of the Packs"),
  ).action(async (files: string[]) => {
    const { validatePacks } = await import("../../commands/validate-packs.ts");
    const { ok, issues, failure } = await validatePacks(files, { cwd: streams.cwd });
    if (failure !== undefined) end(EXIT_CODES[failure.exitClass]);
    if (output.json) return output.document({ ok, issues, error: failure?.error });
    printIssues(issues, output);
    output.progress(
      `${ok ? output.style("good", "valid") : output.style("bad", "invalid")}  ${files.length === 1 ? files[0] : `${files.length} Packs`}  ${countIssues(issues)}`,
    );
  });
}
