import type { Command } from "commander";
import type { StepFailure } from "../../commands/simulated-account.ts";
import type { AuthenticationTest, ProfileResult } from "../../commands/test-authentication.ts";
import { PackError } from "../../errors.ts";
import { type SlotFlags, slotOf, withSlotOptions } from "../account-slot.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { type Output, printable } from "../output.ts";
import { collect, type VerbContext, withCommonOptions } from "../verb.ts";

interface AuthTestFlags extends SlotFlags {
  profile?: string[];
  allProfiles?: boolean;
}

export function addAuthTestVerb(auth: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("test"))
      .description("try the OAuth definition against simulated providers, and name the edit for each one that it does not survive")
      .argument("<file>", "entry file of the Pack")
      .option("--profile <name>", "a provider profile (packsmith provider --list-profiles); may be repeated", collect)
      .option("--all-profiles", "every profile; the default"),
  ).action(async (file: string, flags: AuthTestFlags) => {
    if (flags.allProfiles && flags.profile !== undefined) {
      throw new PackError("USAGE_INVALID", "--all-profiles and --profile contradict each other.", {
        details: undefined,
        hint: "Leave one of them out.",
      });
    }
    const { testAuthentication } = await import("../../commands/test-authentication.ts");
    const slot = slotOf(flags);
    const test = await testAuthentication({ file, cwd: streams.cwd, slot, profiles: flags.profile });
    if (output.json) output.document(test);
    else printMatrix(test, output);
    if (!test.ok) end(EXIT_CODES.problem);
  });
}

function printMatrix({ results, durationMs }: AuthenticationTest, output: Output): void {
  const width = Math.max(...results.map(({ profile }) => profile.length));
  for (const result of results) {
    output.data(`${mark(result, output)}  ${result.profile.padEnd(width)}  ${result.summary}`);
    for (const line of explain(result)) output.data(`${" ".repeat(width + 11)}${line}`);
  }
  const count = (outcome: ProfileResult["outcome"]) => results.filter((each) => each.outcome === outcome).length;
  const skipped = count("skipped") === 0 ? "" : `, ${count("skipped")} concern another grant`;
  output.progress(`${count("passed")} passed, ${count("failed")} failed${skipped}, in ${(durationMs / 1_000).toFixed(1)} s`);
}

function mark({ outcome }: ProfileResult, output: Output): string {
  const tones = { passed: "good", failed: "bad", skipped: "quiet" } as const;
  return output.style(tones[outcome], outcome.padEnd(7));
}

function explain({ failure, edit, remaining }: ProfileResult): string[] {
  if (failure === undefined) return [];
  const what = describe(failure);
  if (edit === undefined) return [what, "→ no member of the definition copes with this"];
  return [what, `→ ${edit}`, ...(remaining === undefined ? [] : [`  and after that  ${describe(remaining)}`])];
}

function describe({ step, code, message }: StepFailure): string {
  return `${step}: ${code}  ${printable(message)}`;
}
