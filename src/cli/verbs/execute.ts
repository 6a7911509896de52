import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";
import { printable } from "../output.ts";
import { collect, type VerbContext, withCommonOptions } from "../verb.ts";

interface ExecuteFlags {
  account: string;
  route?: string[];
  timezone?: string;
  debug?: boolean;
}

export function addExecuteVerb(program: Command, { streams, output, redactor, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("execute")
      .alias("run")
      .description("run a formula of a Pack, as the document service would")
      .argument("<file>", "entry file of the Pack")
      .argument("<formula>", "name of the formula")
      .argument("[args...]", "arguments in the order of the parameters; put -- before arguments that begin with a dash")
      .option("--account <name>", "which connected account to use", "default")
      .option("--route <origin=url>", "send requests for an https origin to a server on this machine; may be repeated", collect)
      .option("--timezone <zone>", "time zone of the document, such as Europe/Berlin"),
  ).action(async (file: string, formula: string, args: string[], flags: ExecuteFlags) => {
    const { runFormula } = await import("../../commands/run-formula.ts");
    const { vaultLocation } = await import("../../commands/home.ts");
    const run = await runFormula({
      file,
      formula,
      args: { text: args },
      account: flags.account,
      routes: flags.route,
      timezone: flags.timezone,
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    });
    if (!run.ok) end(EXIT_CODES[run.failure.exitClass]);
    if (output.json) {
      const { logs, requests, durationMs } = run;
      return output.document(
        run.ok
          ? { ok: true, result: run.result ?? null, logs, requests, durationMs }
          : { ok: false, error: run.failure.error, logs, requests, durationMs },
      );
    }
    for (const { level, message } of run.logs) output.progress(output.style("quiet", `${level}: ${printable(message)}`));
    if (run.ok) output.data(typeof run.result === "string" ? printable(run.result) : (JSON.stringify(run.result, undefined, 2) ?? ""));
    else output.error(run.failure.cause, flags.debug === true);
  });
}
