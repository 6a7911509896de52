import type { Command } from "commander";
import type { Finding } from "../../doctor/examination.ts";
import { countText } from "../../shared/count-text.ts";
import { type Output, printable, type Tone } from "../output.ts";
import { parsePort } from "../parse-flags.ts";
import { EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface DoctorFlags {
  ports?: string;
}

export function addDoctorVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    program
      .command("doctor")
      .description("Check this machine for problems, and show how to fix each problem")
      .addHelpText("after", examples("packsmith doctor", "packsmith doctor --ports 3000,3001"))
      .option(
        "--ports <list>",
        "also check these ports, such as the ports of redirect URIs: 3000,3001",
      ),
    async () => (await import("../../doctor/examination.ts")).examination,
    "examineMachine",
  ).action((flags: DoctorFlags) => examine(flags, context));
}

async function examine(
  { ports }: DoctorFlags,
  { streams, output, end }: VerbContext,
): Promise<void> {
  const { examineMachine } = await import("../../doctor/examine-machine.ts");
  const { findings, ok, durationMs } = await examineMachine({
    cwd: streams.cwd,
    env: streams.env,
    ports: ports?.split(",").map((port) => parsePort(port.trim())),
  });
  if (!ok) end(EXIT_CODES.problem);
  if (output.json) return output.document({ ok, findings, durationMs });
  for (const finding of findings)
    for (const line of formatLines(finding, output.dataStyle)) output.data(line);
  const counted = (["problem", "warning", "note"] as const).flatMap((status) => {
    const number = findings.filter((finding) => finding.status === status).length;
    return number === 0 ? [] : [countText(number, status)];
  });
  const verdict = ok
    ? output.style("good", "ready to use")
    : output.style("bad", "fix the problems before you use packsmith");
  output.progress([verdict, counted.join(", ") || "all is fine", `${durationMs} ms`].join("  "));
}

const TONES: Readonly<Record<Finding["status"], Tone>> = {
  fine: "good",
  note: "quiet",
  warning: "warning",
  problem: "bad",
};

function formatLines(
  { check, status, message, hint }: Finding,
  style: Output["dataStyle"],
): string[] {
  const line = `${style(TONES[status], status.padEnd(7))}  ${check.padEnd(10)}  ${printable(message)}`;
  return hint === undefined ? [line] : [line, `${" ".repeat(21)}→ ${printable(hint)}`];
}
