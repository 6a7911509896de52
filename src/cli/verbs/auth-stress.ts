import type { Command } from "commander";
import type { StressResult } from "../../connect/stress/stress-account.ts";
import type { Output } from "../output.ts";
import {
  EXIT_CODES,
  examples,
  numberOption,
  type SlotFlags,
  slotOf,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";

interface StressFlags extends SlotFlags {
  parallel: string;
  processes: string;
}

/**
 * `auth stress`: proves with real processes that an account can be neither lost nor renewed twice.
 */
export function addStress(
  auth: Command,
  { streams, output, redactor, signal, end }: VerbContext,
): void {
  withCommonOptions(
    withSlotOptions(auth.command("stress"))
      .description("Prove that tokens survive racing processes and kill -9 at every write")
      .addHelpText(
        "after",
        examples(
          "packsmith auth stress pack.ts",
          "packsmith auth stress pack.ts --processes 5 --parallel 50",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .addOption(numberOption("--parallel <number>", "calls at once in each process", "20"))
      .addOption(
        numberOption("--processes <number>", "processes that race for one expired account", "3"),
      ),
    async () => (await import("../outputs/account-outputs.ts")).stressOutput,
    "stressAccount",
  ).action(async (file: string, flags: StressFlags) => {
    const [{ stressAccount }, { parseCount }] = await Promise.all([
      import("../../connect/stress/stress-account.ts"),
      import("../parse-flags.ts"),
    ]);
    const result = await stressAccount({
      file,
      cwd: streams.cwd,
      slot: slotOf(flags),
      parallel: parseCount("--parallel", flags.parallel, 1_000),
      processes: parseCount("--processes", flags.processes, 32),
      redactor,
      signal,
      onProgress: (line) => output.progress(line),
    });
    if (!result.ok) end(EXIT_CODES.problem);
    if (output.json) return output.document({ ...result });
    printResult(result, output);
  });
}

function printResult({ ok, race, kills }: StressResult, output: Output): void {
  const count = (outcome: string) => kills.filter((kill) => kill.outcome === outcome).length;
  const calls = race.processes * race.parallel;
  output.data(
    `race      ${calls} calls in ${race.processes} processes: ${race.tokenRequests} token request, ${race.tokens} access token, ${race.durationMs.toFixed(0)} ms`,
  );
  output.data(
    `kill -9   ${kills.length} times, at every moment of every write: ${count("recovered")} went on by themselves`,
  );
  const windows = kills.filter(
    ({ unavoidable, outcome }) => unavoidable && outcome === "reconnect",
  ).length;
  if (windows > 0) {
    output.data(
      `          ${windows} asked for a reconnection: the provider had answered and nothing was written yet; no client can fix that`,
    );
  }
  output.data(ok ? output.dataStyle("good", "passed") : output.dataStyle("bad", "failed"));
}
