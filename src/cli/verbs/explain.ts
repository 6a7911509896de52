import type { Command } from "commander";
import type { Explained } from "../../validate/explanations/explain.ts";
import type { Output } from "../output.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

export function addExplainVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("explain")
      .description("say what a code means, why it exists, and show a bad and a good example")
      .argument("[code]", "code of a problem or an error; without it, all of them are listed"),
  ).action(async (code: string | undefined) => {
    const { explainOne, listCodes } = await import("../../commands/explain-code.ts");
    if (code === undefined) {
      const codes = listCodes();
      if (output.json) return output.document({ ok: true, codes });
      const width = Math.max(...codes.map((each) => each.code.length));
      for (const each of codes) output.data(`${each.code.padEnd(width)}  ${each.severity.padEnd(7)}  ${each.meaning}`);
      return;
    }
    const explained = explainOne(code);
    if (output.json) return output.document({ ok: true, ...explained });
    // What goes into a file has no colours, whoever reads stderr.
    print(explained, output, streams.stdout.isTTY === true ? output.style : (_, text) => text);
  });
}

function print({ code, severity, rules, meaning, why, bad, good }: Explained, output: Output, style: Output["style"]): void {
  const numbers = rules.length === 0 ? "" : `  ${rules.length === 1 ? "rule" : "rules"} ${rules.join(", ")}`;
  output.data(`${style("strong", code)}  ${style(severity === "error" ? "bad" : "warning", severity)}${style("quiet", numbers)}`);
  output.data(meaning);
  output.data(`\n${why}`);
  output.data(`\n${style("bad", "Bad")}\n${indented(bad)}`);
  output.data(`\n${style("good", "Good")}\n${indented(good)}`);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
