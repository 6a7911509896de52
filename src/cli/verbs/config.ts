import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { ListingStep } from "../../publish/listing/plan-listing.ts";
import { type Output, printable } from "../output.ts";
import {
  openRegistryPack,
  type RegistryFlags,
  tokenPlaces,
  withRegistryOption,
} from "../registry.ts";
import {
  EXIT_CODES,
  examples,
  type OutputSchema,
  type VerbContext,
  withCommonOptions,
} from "../verb.ts";

/** `config plan`, `config apply` and `config pull`: the listing of a Pack as a file. */
export function addConfigVerbs(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  const config = program
    .command("config")
    .summary("Keep the listing as a file")
    .description("Keep the listing of a Pack in a file")
    .addHelpText(
      "after",
      examples("packsmith config pull", "packsmith config plan", "packsmith config apply"),
    );
  const verb = (name: string, description: string, schema: OutputSchema, ...lines: string[]) =>
    withCommonOptions(
      withRegistryOption(
        config
          .command(name)
          .description(description)
          .addHelpText("after", examples(...lines))
          .argument("[file]", "entry file of the Pack", "pack.ts"),
      ),
      schema,
    );

  verb(
    "plan",
    "Show what differs between the file and the registry",
    async () => (await import("../outputs/registry-outputs.ts")).configPlanOutput,
    "packsmith config plan",
    "packsmith config plan packs/tasks/pack.ts --json",
  ).action(async (file: string, flags: RegistryFlags) => {
    const steps = await planOf(file, flags, context);
    if (steps.length > 0) end(EXIT_CODES.breaking);
    if (output.json)
      return output.document({
        ok: steps.length === 0,
        changes: steps.map(({ member, from, to }) => ({ member, from, to })),
      });
    printSteps(steps, output);
    output.progress(
      steps.length === 0 ? "nothing would change" : "packsmith config apply makes these changes",
    );
  });

  verb(
    "apply",
    "Change the registry to what the file says",
    async () => (await import("../outputs/registry-outputs.ts")).configApplyOutput,
    "packsmith config apply",
    "packsmith config apply --json",
  ).action(async (file: string, flags: RegistryFlags) => {
    const steps = await planOf(file, flags, context);
    for (const step of steps) {
      await step.apply();
      if (!output.json) printSteps([step], output);
    }
    if (output.json)
      return output.document({
        ok: true,
        changes: steps.map(({ member, from, to }) => ({ member, from, to })),
      });
    output.progress(
      steps.length === 0
        ? "nothing to change"
        : `${output.style("good", "applied")}  ${steps.length} changes`,
    );
  });

  verb(
    "pull",
    "Write the file from the registry",
    async () => (await import("../outputs/registry-outputs.ts")).configPullOutput,
    "packsmith config pull",
    "packsmith config pull packs/tasks/pack.ts",
  ).action(async (file: string, flags: RegistryFlags) => {
    const folder = dirname(resolve(streams.cwd, file));
    const { client, packId } = await openRegistryPack(context, flags, folder);
    const { LISTING_FILE } = await import("../../publish/listing/listing-file.ts");
    const { pullListing } = await import("../../publish/listing/pull-listing.ts");
    const paths = await pullListing(client, packId, join(folder, LISTING_FILE));
    const written = paths.map((path) => relative(streams.cwd, path));
    if (output.json) return output.document({ ok: true, files: written });
    for (const path of written) output.data(path);
  });
}

async function planOf(
  file: string,
  flags: RegistryFlags,
  context: VerbContext,
): Promise<ListingStep[]> {
  const { streams, redactor } = context;
  const folder = dirname(resolve(streams.cwd, file));
  const { LISTING_FILE, readListing } = await import("../../publish/listing/listing-file.ts");
  const path = join(folder, LISTING_FILE);
  const listing = await readListing(path);
  const { client, packId } = await openRegistryPack(context, flags, folder);
  const places = await tokenPlaces(context);
  const accountOf = ({ account }: { account: string }) => ({
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
      : await readOAuthClient(accountOf(listing.oauthClient));
  const systemCredentials =
    listing.systemConnection === undefined
      ? undefined
      : await readSystemCredentials(accountOf(listing.systemConnection));
  const { planListing } = await import("../../publish/listing/plan-listing.ts");
  return await planListing({ client, packId, path, listing, oauthClient, systemCredentials });
}

function printSteps(steps: readonly ListingStep[], output: Output): void {
  for (const { member, from, to } of steps)
    output.data(`${output.style("warning", "~")} ${member}  ${printable(from)} → ${printable(to)}`);
}
