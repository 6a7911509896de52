import type { Command } from "commander";
import { type ManyFlags, printTitle, runPacks, withContinuation } from "../many-packs.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface SubmitFlags extends ManyFlags {
  packVersion?: string;
  notes?: string;
}

/** `config submit` and `config withdraw`: the review of a version. */
export function addReviewVerbs(config: Command, context: VerbContext): void {
  const { output } = context;
  withCommonOptions(
    withContinuation(
      config
        .command("submit")
        .summary("Request a review of a version")
        .description(
          "Request a review of an uploaded version, which replaces a pending review of another version",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith config submit",
            'packsmith config submit --pack-version 1.2.0 --notes "Adds a table of tasks"',
            'packsmith config submit "packs/*/pack.ts"',
          ),
        )
        .option(
          "--pack-version <version>",
          "version to review (default: the newest uploaded version)",
        )
        .option("--notes <text>", "release notes that users see after the version is approved"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configSubmitOutput,
  ).action(async (patterns: string[], flags: SubmitFlags) => {
    const { submitForReview } = await import("../../publish/registry/reviews.ts");
    const { packVersion: version, notes } = flags;
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client, readPackId }) {
        const packId = readPackId();
        return { file, packId, ...(await submitForReview(client, packId, { version, notes })) };
      },
      print({ file, packId, version: submitted, isPending }, isOne) {
        printTitle(output, file, isOne);
        output.progress(
          isPending
            ? `Version ${submitted} of Pack ${packId} is already waiting for its review`
            : `${output.style("good", "submitted")}  version ${submitted} of Pack ${packId}; packsmith status shows the review`,
        );
      },
      mayContinue: true,
      word: ({ isPending }) => (isPending ? "already waiting" : "submitted"),
    });
  });

  withCommonOptions(
    withContinuation(
      config
        .command("withdraw")
        .description("Withdraw the pending review requests of Packs")
        .addHelpText(
          "after",
          examples("packsmith config withdraw", 'packsmith config withdraw "packs/*/pack.ts"'),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configWithdrawOutput,
  ).action(async (patterns: string[], flags: ManyFlags) => {
    const { withdrawReview } = await import("../../publish/registry/reviews.ts");
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client, readPackId }) {
        const packId = readPackId();
        return { file, packId, ...(await withdrawReview(client, packId)) };
      },
      print({ file, packId, reviewId, version }, isOne) {
        printTitle(output, file, isOne);
        output.progress(
          reviewId === undefined
            ? `no review of Pack ${packId} is pending`
            : `${output.style("good", "withdrawn")}  the review of ${version === undefined ? "the listing" : `version ${version}`} of Pack ${packId}`,
        );
      },
      mayContinue: true,
      word: ({ reviewId }) => (reviewId === undefined ? "nothing pending" : "withdrawn"),
    });
  });
}
