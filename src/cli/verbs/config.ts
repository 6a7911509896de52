import { join, relative } from "node:path";
import type { Command } from "commander";
import type { ListingStep } from "../../publish/listing/plan-listing.ts";
import {
  type ManyFlags,
  type PackTurn,
  printTitle,
  runPacks,
  withContinuation,
  withManyPacks,
} from "../many-packs.ts";
import { type Output, printable } from "../output.ts";
import { tokenPlaces } from "../registry.ts";
import {
  EXIT_CODES,
  examples,
  type OutputSchema,
  type VerbContext,
  withCommonOptions,
} from "../verb.ts";
import { addInvitationVerbs } from "./config-invitations.ts";
import { addReviewVerbs } from "./config-reviews.ts";

/** `config`: the listing of a Pack as a file, its reviews, and the people who are invited to it. */
export function addConfigVerbs(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  const config = program
    .command("config")
    .summary("Manage listings, reviews and invitations")
    .description("Manage Pack listings as files, request reviews, and invite people")
    .addHelpText(
      "after",
      examples("packsmith config pull", "packsmith config plan", "packsmith config apply"),
    );
  const verb = (name: string, description: string, schema: OutputSchema, ...lines: string[]) => {
    const command = config
      .command(name)
      .description(description)
      .addHelpText("after", examples(...lines));
    return withCommonOptions(
      name === "plan" ? withManyPacks(command) : withContinuation(command),
      schema,
    );
  };

  verb(
    "plan",
    "Show the differences between packsmith.config.json and the registry",
    async () => (await import("../outputs/registry-outputs.ts")).configPlanOutput,
    "packsmith config plan",
    'packsmith config plan "packs/*/pack.ts" --json',
  ).action(async (patterns: string[], flags: ManyFlags) => {
    let differs = false;
    await runPacks(context, {
      patterns,
      flags,
      async work(turn) {
        const steps = await createPlan(turn, context);
        if (steps.length > 0) {
          differs = true;
          end(EXIT_CODES.breaking);
        }
        return { file: turn.file, changes: steps.map(describeStep) };
      },
      print({ file, changes }, isOne) {
        printTitle(output, file, isOne);
        printSteps(changes, output);
        output.progress(
          changes.length === 0
            ? "nothing would change"
            : "to make these changes, run packsmith config apply",
        );
      },
      word: ({ changes }) => (changes.length === 0 ? "unchanged" : "to change"),
      isFine: () => !differs,
    });
  });

  verb(
    "apply",
    "Change the registry to match packsmith.config.json",
    async () => (await import("../outputs/registry-outputs.ts")).configApplyOutput,
    "packsmith config apply",
    'packsmith config apply "packs/*/pack.ts" --json',
  ).action(async (patterns: string[], flags: ManyFlags) => {
    await runPacks(context, {
      patterns,
      flags,
      async work(turn) {
        const steps = await createPlan(turn, context);
        for (const step of steps) {
          await step.apply();
          if (!output.json) printSteps([step], output);
        }
        return { file: turn.file, changes: steps.map(describeStep) };
      },
      print({ file, changes: { length } }, isOne) {
        const place = isOne ? "" : `  ${printable(file)}`;
        output.progress(
          length === 0
            ? `nothing to change${place}`
            : `${output.style("good", "applied")}  ${length} changes${place}`,
        );
      },
      mayContinue: true,
      word: ({ changes }) => (changes.length === 0 ? "unchanged" : "changed"),
    });
  });

  verb(
    "pull",
    "Write packsmith.config.json from the registry",
    async () => (await import("../outputs/registry-outputs.ts")).configPullOutput,
    "packsmith config pull",
    'packsmith config pull "packs/*/pack.ts"',
  ).action(async (patterns: string[], flags: ManyFlags) => {
    const { LISTING_FILE } = await import("../../publish/listing/listing-file.ts");
    const { pullListing } = await import("../../publish/listing/pull-listing.ts");
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, folder, client, readPackId }) {
        const packId = readPackId();
        const paths = await pullListing(client, packId, join(folder, LISTING_FILE));
        return { file, files: paths.map((path) => relative(streams.cwd, path)) };
      },
      print({ files }) {
        for (const path of files) output.data(path);
      },
      mayContinue: true,
      word: () => "written",
    });
  });

  addReviewVerbs(config, context);
  addInvitationVerbs(config, context);
}

async function createPlan(
  { file, folder, client, readPackId }: PackTurn,
  context: VerbContext,
): Promise<ListingStep[]> {
  const { streams, redactor } = context;
  const { LISTING_FILE, readListing } = await import("../../publish/listing/listing-file.ts");
  const path = join(folder, LISTING_FILE);
  const listing = await readListing(path);
  const packId = readPackId();
  const places = await tokenPlaces(context);
  const createAccountOptions = ({ account }: { account: string }) => ({
    ...places,
    file,
    cwd: streams.cwd,
    account,
    redactor,
  });
  const { readOAuthClient } = await import("../../publish/registry/oauth-config.ts");
  const { readSystemCredentials } = await import("../../publish/listing/system-connection.ts");
  const oauthClient =
    listing.oauthClient === undefined
      ? undefined
      : await readOAuthClient(createAccountOptions(listing.oauthClient));
  const systemCredentials =
    listing.systemConnection === undefined
      ? undefined
      : await readSystemCredentials(createAccountOptions(listing.systemConnection));
  const { planListing } = await import("../../publish/listing/plan-listing.ts");
  return await planListing({ client, packId, path, listing, oauthClient, systemCredentials });
}

type StepView = Pick<ListingStep, "member" | "from" | "to">;

function describeStep({ member, from, to }: ListingStep): StepView {
  return { member, from, to };
}

function printSteps(steps: readonly StepView[], output: Output): void {
  for (const { member, from, to } of steps)
    output.data(`${output.style("warning", "~")} ${member}  ${printable(from)} → ${printable(to)}`);
}
