import type { Command } from "commander";
import type { Explained, ExplainedChange } from "../../validate/explanations/explained.ts";
import type { Output, Tone } from "../output.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";
import { CHANGE_TONES } from "./diff.ts";

export function addExplainVerb(program: Command, { output }: VerbContext): void {
  withCommonOptions(
    program
      .command("explain")
      .description("Explain an error code, with a bad and a good example")
      .addHelpText(
        "after",
        examples(
          "packsmith explain",
          "packsmith explain PARAMETER_ORDER",
          "packsmith explain OAUTH_STATE_MISMATCH --json",
        ),
      )
      .argument(
        "[code]",
        "code of a problem or an error; without a code, the command lists all codes",
      ),
    async () => (await import("../outputs/pack-outputs.ts")).explainOutput,
    "explainOne",
  ).action(async (code: string | undefined) => {
    const { explainOne, listCodes } = await import("../../validate/explanations/explain.ts");
    if (code === undefined) {
      const codes = listCodes();
      if (output.json) return output.document({ ok: true, codes });
      const width = Math.max(...codes.map((each) => each.code.length));
      for (const each of codes)
        output.data(`${each.code.padEnd(width)}  ${each.severity.padEnd(8)}  ${each.meaning}`);
      return;
    }
    const explained = explainOne(code);
    if (output.json) return output.document({ ok: true, ...explained });
    print(explained, output);
  });
}

function print(explained: Explained | ExplainedChange, output: Output): void {
  const { code, severity, meaning, why } = explained;
  const style = output.dataStyle;
  output.data(`${style("strong", code)}  ${style(TONES[severity], severity)}`);
  output.data(meaning);
  output.data(`\n${why}`);
  if (explained.kind === "change") {
    output.data(`\n${style("quiet", "Before")}\n${indent(explained.before)}`);
    output.data(`\n${style("quiet", "After")}\n${indent(explained.after)}`);
    return;
  }
  output.data(`\n${style("bad", "Bad")}\n${indent(explained.bad)}`);
  output.data(`\n${style("good", "Good")}\n${indent(explained.good)}`);
}

const TONES: Readonly<Record<(Explained | ExplainedChange)["severity"], Tone>> = {
  error: "bad",
  warning: "warning",
  ...CHANGE_TONES,
};

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
