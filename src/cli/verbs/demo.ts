import type { Command } from "commander";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

export function addDemoVerb(program: Command, { output, redactor, signal }: VerbContext): void {
  withCommonOptions(
    program
      .command("demo")
      .summary("Build, connect and run a Pack on this machine")
      .description("Build a Pack, connect an account, and read and write rows on this machine")
      .addHelpText("after", examples("packsmith demo", "packsmith demo --json")),
    async () => (await import("../outputs/pack-outputs.ts")).demoOutput,
  ).action(async () => {
    const { runDemo } = await import("../demo.ts");
    const steps: object[] = [];
    const rows = await runDemo({
      redactor,
      signal,
      onStep: (step) => {
        steps.push(step);
        if (output.json) return;
        output.data(
          `${output.dataStyle("good", "✓")} ${step.title.padEnd(26)} ${`${step.durationMs.toFixed(0)} ms`.padStart(8)}  ${step.detail}`,
        );
      },
    });
    if (output.json) return output.document({ ok: true, steps, rows });
    output.data("");
    for (const line of table(rows)) output.data(line);
    output.data("demo ok");
  });
}

function table(rows: readonly Record<string, unknown>[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((line) => line[index]?.length ?? 0)),
  );
  return cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
