import type { Command } from "commander";
import { PackError, usageError } from "../../errors.ts";
import type { RegistryAddress } from "../../publish/registry/registry-address.ts";
import { ask, checkSecretLength, isInteractive, readAll } from "../client-credentials.ts";
import {
  chooseRegistry,
  openRegistry,
  type RegistryFlags,
  readArgumentToken,
  tokenPlaces,
  withRegistryOption,
} from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface LoginFlags extends RegistryFlags {
  tokenStdin?: boolean;
  browser?: boolean;
}

/** `login`, `whoami` and `logout`: the token of a registry. */
export function addLoginVerbs(program: Command, context: VerbContext): void {
  const { streams, output } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("login")
        .description("Store a registry token in the vault")
        .addHelpText(
          "after",
          examples(
            "packsmith login",
            "packsmith login --token-stdin < token.txt",
            "packsmith login --registry https://docs.example",
          ),
        )
        .option("--token-stdin", "read the token from stdin instead of a prompt")
        .option(
          "--no-browser",
          "print the URL of the page where you create tokens instead of opening it",
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).loginOutput,
  ).action((flags: LoginFlags) => login(flags, context));

  // The name of the command in the command line of @codahq/packs-sdk, which takes a token.
  withRegistryOption(
    program.command("register", { hidden: true }).argument("[token]").option("--json"),
  )
    .option("--debug")
    .option("--token-stdin")
    .action((token: string | undefined, flags: LoginFlags) =>
      login(token === undefined ? flags : { ...flags, apiToken: token }, context),
    );

  withCommonOptions(
    withRegistryOption(
      program
        .command("whoami")
        .usage("[options]")
        .argument("[token]")
        .description("Show which user a registry token belongs to")
        .addHelpText("after", examples("packsmith whoami", "packsmith whoami --json")),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).whoamiOutput,
  ).action(async (argument: string | undefined, options: RegistryFlags) => {
    const flags = argument === undefined ? options : { ...options, apiToken: argument };
    const client = await openRegistry(context, flags, streams.cwd);
    const { findToken } = await import("../../publish/registry/registry-token.ts");
    const { source } =
      flags.apiToken === undefined
        ? await findToken(client.registry, await tokenPlaces(context))
        : { source: "the command line" };
    const { name, loginId, tokenName, scoped, workspace } = await client.whoami();
    const { origin } = client.registry;
    if (output.json)
      return output.document({
        ok: true,
        registry: origin,
        name,
        loginId,
        tokenName,
        scoped,
        workspace,
        source,
      });
    output.data(`${name} (${loginId})`);
    output.progress(`registry   ${origin}`);
    output.progress(`token      ${tokenName}${scoped ? ", scoped" : ""}, from ${source}`);
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("logout")
        .description("Remove a registry token from the vault")
        .addHelpText(
          "after",
          examples("packsmith logout", "packsmith logout --registry https://docs.example"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).logoutOutput,
  ).action(async (flags: RegistryFlags) => {
    const registry = await chooseRegistry(context, flags, streams.cwd);
    const { removeToken } = await import("../../publish/registry/registry-token.ts");
    const removed = await removeToken(registry, await tokenPlaces(context));
    if (output.json) return output.document({ ok: true, registry: registry.origin, removed });
    output.progress(
      removed
        ? `logged out  ${registry.host}; also delete the token in your account`
        : `no token for ${registry.host} was in the vault`,
    );
  });
}

async function login(flags: LoginFlags, context: VerbContext): Promise<void> {
  const { output, redactor, signal, streams } = context;
  const registry = await chooseRegistry(context, flags, streams.cwd);
  const token = await readToken(flags, context, registry);
  redactor.add(token);
  const { createRegistryClient } = await import("../../publish/registry/registry-client.ts");
  const { saveToken } = await import("../../publish/registry/registry-token.ts");
  // A token that does not work is not kept.
  const { name, loginId } = await createRegistryClient({ registry, token, signal }).whoami();
  await saveToken(registry, token, loginId, await tokenPlaces(context));
  if (output.json) return output.document({ ok: true, registry: registry.origin, name, loginId });
  output.progress(`${output.style("good", "logged in")}  ${registry.host} as ${name} (${loginId})`);
  output.progress("the token is in the vault, encrypted");
}

async function readToken(
  { tokenStdin, apiToken, browser }: LoginFlags,
  context: VerbContext,
  registry: RegistryAddress,
): Promise<string> {
  const { streams } = context;
  const { origin } = registry;
  if (apiToken !== undefined) return readArgumentToken(apiToken, context);
  if (tokenStdin !== true && !isInteractive(streams))
    throw usageError(
      "packsmith cannot ask for the token, because there is no terminal.",
      "Pass the token on stdin: packsmith login --token-stdin < token.txt",
    );
  const text =
    tokenStdin === true
      ? await readAll(streams.stdin)
      : await askForToken(registry, context, browser !== false);
  const token = checkSecretLength(text.trim());
  if (token !== "" && !/\s/.test(token)) return token;
  throw new PackError("REGISTRY_TOKEN_MISSING", "No token was given.", {
    details: { registry: origin },
    hint: "Create a token for Packs in your account settings, and paste the complete token.",
  });
}

/** Shows and opens the page where a token is made, and asks for the token. */
async function askForToken(
  registry: RegistryAddress,
  { streams, output }: VerbContext,
  opensBrowser: boolean,
): Promise<string> {
  const { getTokenPage } = await import("../../publish/registry/registry-address.ts");
  const page = getTokenPage(registry);
  output.progress(`create a token for Packs:  ${page}`);
  if (opensBrowser) {
    const { findBrowserObstacle } = await import("../../shared/browser-obstacle.ts");
    const { openSystemBrowser } = await import("../../connect/open-browser.ts");
    const obstacle = findBrowserObstacle({ env: streams.env, platform: process.platform });
    if (obstacle === undefined) await openSystemBrowser(page, (line) => output.progress(line));
  }
  return await ask(`Token of ${registry.origin}`, streams, true);
}
