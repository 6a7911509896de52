import type { Command } from "commander";
import type { Explained } from "../../validate/explanations/explain.ts";
import type { Output } from "../output.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

export function addExplainVerb(program: Command, { output }: VerbContext): void {
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
    print(explained, output);
  });
}

function print({ code, severity, rules, meaning, why, bad, good }: Explained, output: Output): void {
  const numbers = rules.length === 0 ? "" : `  ${rules.length === 1 ? "rule" : "rules"} ${rules.join(", ")}`;
  output.data(
    `${output.style("strong", code)}  ${output.style(severity === "error" ? "bad" : "warning", severity)}${output.style("quiet", numbers)}`,
  );
  output.data(meaning);
  output.data(`\n${why}`);
  output.data(`\n${output.style("bad", "Bad")}\n${indented(bad)}`);
  output.data(`\n${output.style("good", "Good")}\n${indented(good)}`);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
