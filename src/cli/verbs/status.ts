import type { Command } from "commander";
import type { FormulaHealth, PackStatus } from "../../publish/pack-status.ts";
import { countText } from "../../shared/count-text.ts";
import { type ManyFlags, printTitle, runPacks, withManyPacks } from "../many-packs.ts";
import { type Output, printable } from "../output.ts";
import { EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";
import { printChanges } from "./diff.ts";

interface StatusFlags extends ManyFlags {
  failOnErrors?: boolean;
}

/** `status`: where Packs stand. */
export function addStatusVerb(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  withCommonOptions(
    withManyPacks(
      program
        .command("status")
        .summary("Show the released and uploaded versions of Packs, and failing formulas")
        .description(
          "Show the released version, newer uploads, the changes in the source, pending reviews and invitations, and formulas that have failed since the release",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith status",
            'packsmith status "packs/*/pack.ts"',
            "packsmith status --fail-on-errors",
          ),
        )
        .option(
          "--fail-on-errors",
          "exit with code 1 if a formula fails more often than in the previous version",
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).statusOutput,
  ).action(async (patterns: string[], flags: StatusFlags) => {
    const { readPackStatus } = await import("../../publish/registry/read-pack-status.ts");
    let isWorse = false;
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client }) {
        const status = await readPackStatus(file, { cwd: streams.cwd, client });
        if (flags.failOnErrors === true && status.formulas?.some((each) => each.isWorse)) {
          isWorse = true;
          end(EXIT_CODES.problem);
        }
        return status;
      },
      print(status, isOne) {
        printTitle(output, status.file, isOne);
        printStatus(status, output);
      },
      word: ({ released, changes }) => {
        if (released === undefined) return "not released";
        return changes?.length === 0 ? "up to date" : "to release";
      },
      isFine: () => !isWorse,
    });
  });
}

function printStatus(status: PackStatus, output: Output): void {
  const {
    name,
    packId,
    released,
    releasedAt = "",
    newest,
    changes,
    findings,
    nextVersion,
  } = status;
  output.data(`Pack ${packId}  ${printable(name)}`);
  output.data(
    `users have  ${released === undefined ? "no version" : `${released}  since ${releasedAt.slice(0, 10)}`}`,
  );
  if (newest !== released) output.data(`uploaded    ${newest ?? "nothing"}`);
  printChanges(changes ?? [], output);
  if (changes === undefined)
    for (const finding of findings) output.data(`source      ${printable(finding)}`);
  const hasChanges = (changes ?? findings).length > 0;
  output.data(
    `source      ${hasChanges ? `would be ${nextVersion ?? "the next version"}` : "changes nothing for users"}`,
  );
  for (const { version, submittedAt = "" } of status.reviews)
    output.data(`review      ${version ?? "listing"}  waits since ${submittedAt.slice(0, 10)}`);
  for (const { email, access, expiresAt } of status.invitations)
    output.data(`invited     ${printable(email)}  ${access}  until ${expiresAt.slice(0, 10)}`);
  if (status.hasListingDraft) output.data("listing     the saved draft is not visible to users");
  if (status.formulas === undefined) output.progress("the registry has no analytics for this Pack");
  for (const formula of status.formulas ?? []) output.data(healthLine(formula, output));
}

function healthLine({ name, now, before, isWorse }: FormulaHealth, output: Output): string {
  const label = isWorse ? output.dataStyle("bad", "errors") : "errors";
  const earlier =
    before === undefined ? "" : `; before: ${before.errors} in ${countText(before.calls, "call")}`;
  return `${label}      ${printable(name)}  ${now.errors} in ${countText(now.calls, "call")}${earlier}`;
}
