import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import {
  openRegistryPack,
  type RegistryFlags,
  tokenPlaces,
  withRegistryOption,
} from "../registry.ts";
import { accountOption, examples, type VerbContext, withCommonOptions } from "../verb.ts";

export function addOAuthConfigVerbs(program: Command, context: VerbContext): void {
  const { streams, output, redactor } = context;
  const group = program
    .command("oauth-config")
    .description("Send the OAuth client of a Pack to a registry")
    .addHelpText(
      "after",
      examples("packsmith oauth-config push", "packsmith oauth-config push pack.ts --account work"),
    );
  withCommonOptions(
    withRegistryOption(
      group
        .command("push")
        .description(
          "Send the client ID and secret of an account to the registry, and show the redirect URI to register",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith oauth-config push",
            "packsmith oauth-config push pack.ts --account work",
          ),
        )
        .argument("[file]", "entry file of the Pack", "pack.ts")
        .addOption(accountOption("name of the connected account with the OAuth client", "default")),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).oauthConfigOutput,
  ).action(async (file: string, flags: RegistryFlags & { account: string }) => {
    const { client, packId } = await openRegistryPack(
      context,
      flags,
      dirname(resolve(streams.cwd, file)),
    );
    const { pushOAuthConfig, readOAuthClient } = await import(
      "../../publish/registry/oauth-config.ts"
    );
    const places = await tokenPlaces(context);
    const credentials = await readOAuthClient({
      ...places,
      file,
      cwd: streams.cwd,
      account: flags.account,
      redactor,
    });
    const config = await pushOAuthConfig(client, packId, credentials);
    if (output.json) return output.document({ ok: true, packId, ...config });
    output.progress(
      `${output.style("good", "sent")}  client ${config.maskedClientId}, secret ${config.maskedClientSecret || "none"}`,
    );
    output.progress("register this redirect URI with the provider:");
    output.data(config.redirectUri);
  });
}
