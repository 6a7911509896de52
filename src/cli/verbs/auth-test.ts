import type { Command } from "commander";
import type { ProfileResult, StepFailure } from "../../connect/simulation/profile-result.ts";
import type { AuthenticationTest } from "../../connect/simulation/test-authentication.ts";
import { isPackError, usageError } from "../../errors.ts";
import { type Output, printable } from "../output.ts";
import {
  accountOption,
  collect,
  EXIT_CODES,
  examples,
  findSlot,
  type SlotFlags,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";

interface AuthTestFlags extends SlotFlags {
  account: string;
  route?: string[];
  profile?: string[];
  allProfiles?: boolean;
}

export function addAuthTestVerb(auth: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  withCommonOptions(
    withSlotOptions(auth.command("test"))
      .description("Test the authentication of a Pack against simulated OAuth providers")
      .addHelpText(
        "after",
        examples("packsmith auth test pack.ts", "packsmith auth test pack.ts --profile basic-only"),
      )
      .argument("<file>", "entry file of the Pack")
      .option(
        "--profile <name>",
        "test only with this provider profile; can be repeated. To list the profiles, run packsmith provider --list-profiles",
        collect,
      )
      .option("--all-profiles", "test with every profile (default)")
      .addOption(
        accountOption(
          "for authentication without OAuth2: test the connected account with this name",
          "default",
        ),
      )
      .option(
        "--route <origin=url>",
        "route the Pack's requests for an https origin to a local server; can be repeated",
        collect,
      ),
    async () => (await import("../outputs/account-outputs.ts")).testOutput,
  ).action(async (file: string, flags: AuthTestFlags) => {
    if (flags.allProfiles && flags.profile !== undefined) {
      throw usageError(
        "--all-profiles and --profile cannot be used together.",
        "Remove one of the two options.",
      );
    }
    const { testAuthentication } = await import("../../connect/simulation/test-authentication.ts");
    const slot = findSlot(flags);
    const test = await testAuthentication({
      file,
      cwd: streams.cwd,
      slot,
      profiles: flags.profile,
    }).catch((error: unknown) => {
      if (isPackError(error, "OAUTH_NOT_CONFIGURED") && flags.profile === undefined)
        return undefined;
      throw error;
    });
    if (test === undefined) return await testEntered(file, flags, context);
    if (output.json) output.document(test);
    else printMatrix(test, output);
    if (!test.ok) end(EXIT_CODES.problem);
  });
}

/**
 * An account whose credentials were entered: there is nothing to simulate, so the account itself is
 * tried.
 */
async function testEntered(
  file: string,
  flags: AuthTestFlags,
  { streams, output, redactor }: VerbContext,
): Promise<void> {
  const [{ checkAccount }, { vaultLocation }] = await Promise.all([
    import("../../connect/manage-accounts.ts"),
    import("../../accounts/vault-location.ts"),
    import("../connection-prompts.ts"),
  ]);
  const check = await checkAccount({
    file,
    account: flags.account,
    slot: findSlot(flags),
    routes: flags.route,
    cwd: streams.cwd,
    ...vaultLocation(streams.env),
    redactor,
  });
  if (output.json) return output.document({ ok: true, account: check });
  const { type, connectionName } = check;
  output.data(
    `${output.dataStyle("good", "passed")}   ${type}  ${connectionName === undefined ? "the account has all values; packsmith sent no request" : printable(connectionName)}`,
  );
}

function printMatrix({ results, durationMs }: AuthenticationTest, output: Output): void {
  const width = Math.max(...results.map(({ profile }) => profile.length));
  for (const result of results) {
    output.data(`${mark(result, output)}  ${result.profile.padEnd(width)}  ${result.summary}`);
    for (const line of explain(result)) output.data(`${" ".repeat(width + 11)}${line}`);
  }
  const count = (outcome: ProfileResult["outcome"]) =>
    results.filter((each) => each.outcome === outcome).length;
  const skipped = count("skipped") === 0 ? "" : `, ${count("skipped")} apply to another grant`;
  output.progress(
    `${count("passed")} passed, ${count("failed")} failed${skipped}, in ${(durationMs / 1_000).toFixed(1)} s`,
  );
}

function mark({ outcome }: ProfileResult, output: Output): string {
  const tones = { passed: "good", failed: "bad", skipped: "quiet" } as const;
  return output.dataStyle(tones[outcome], outcome.padEnd(7));
}

function explain({ failure, edit, remaining }: ProfileResult): string[] {
  if (failure === undefined) return [];
  const what = describe(failure);
  if (edit === undefined) return [what, "→ no authentication option supports this"];
  return [
    what,
    `→ ${edit}`,
    ...(remaining === undefined ? [] : [`  and after that  ${describe(remaining)}`]),
  ];
}

function describe({ step, code, message }: StepFailure): string {
  return `${step}: ${code}  ${printable(message)}`;
}
