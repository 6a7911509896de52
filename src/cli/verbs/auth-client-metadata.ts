import type { Command } from "commander";
import { checkUrlFlag } from "../parse-flags.ts";
import {
  examples,
  findSlot,
  type SlotFlags,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";

interface ClientMetadataFlags extends SlotFlags {
  redirectUri?: string;
}

/** `auth client-metadata`: the document that an author publishes at `clientMetadataUrl`. */
export function addClientMetadataVerb(auth: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("client-metadata"))
      .description("Print the client metadata document to publish at a Pack's clientMetadataUrl")
      .addHelpText(
        "after",
        examples(
          "packsmith auth client-metadata pack.ts > client.json",
          "packsmith auth client-metadata pack.ts \\\n    --redirect-uri https://tunnel.example/cb",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .option(
        "--redirect-uri <uri>",
        "use this redirect URI in the document (default: http://127.0.0.1 with the Pack's path, on any port)",
      ),
    async () => (await import("../outputs/account-outputs.ts")).clientMetadataOutput,
  ).action(async (file: string, flags: ClientMetadataFlags) => {
    checkUrlFlag("--redirect-uri", flags.redirectUri);
    const { describeClient } = await import("../../connect/describe-client.ts");
    const document = await describeClient({
      file,
      cwd: streams.cwd,
      slot: findSlot(flags) ?? "user",
      redirectUri: flags.redirectUri,
    });
    if (output.json) output.document(document);
    else output.data(JSON.stringify(document, undefined, 2));
  });
}
