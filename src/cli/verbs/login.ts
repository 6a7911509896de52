import type { Command } from "commander";
import { PackError, usageError } from "../../errors.ts";
import { ask, isInteractive, readAll } from "../client-credentials.ts";
import {
  openRegistry,
  type RegistryFlags,
  registryOf,
  tokenPlaces,
  withRegistryOption,
} from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface LoginFlags extends RegistryFlags {
  tokenStdin?: boolean;
}

/** `login`, `whoami` and `logout`: the token of a registry. */
export function addLoginVerbs(program: Command, context: VerbContext): void {
  const { streams, output, redactor, signal } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("login")
        .alias("register")
        .description("Keep the token of a registry in the vault")
        .addHelpText(
          "after",
          examples(
            "packsmith login",
            "packsmith login --token-stdin < token.txt",
            "packsmith login --registry https://docs.example",
          ),
        )
        .option("--token-stdin", "read the token from stdin instead of a prompt"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).loginOutput,
  ).action(async (flags: LoginFlags) => {
    const registry = await registryOf(context, flags, streams.cwd);
    const token = await readToken(flags, context, registry.origin);
    redactor.add(token);
    const { createRegistryClient } = await import("../../publish/registry/registry-client.ts");
    const { saveToken } = await import("../../publish/registry/registry-token.ts");
    // A token that does not work is not kept.
    const { name, loginId } = await createRegistryClient({ registry, token, signal }).whoami();
    await saveToken(registry, token, loginId, await tokenPlaces(context));
    if (output.json) return output.document({ ok: true, registry: registry.origin, name, loginId });
    output.progress(
      `${output.style("good", "logged in")}  ${registry.host} as ${name} (${loginId})`,
    );
    output.progress("the token is in the vault, encrypted");
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("whoami")
        .description("Show whose token a registry would get")
        .addHelpText("after", examples("packsmith whoami", "packsmith whoami --json")),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).whoamiOutput,
  ).action(async (flags: RegistryFlags) => {
    const client = await openRegistry(context, flags, streams.cwd);
    const { findToken } = await import("../../publish/registry/registry-token.ts");
    const { source } = await findToken(client.registry, await tokenPlaces(context));
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
        .description("Remove the token of a registry from the vault")
        .addHelpText(
          "after",
          examples("packsmith logout", "packsmith logout --registry https://docs.example"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).logoutOutput,
  ).action(async (flags: RegistryFlags) => {
    const registry = await registryOf(context, flags, streams.cwd);
    const { removeToken } = await import("../../publish/registry/registry-token.ts");
    const removed = await removeToken(registry, await tokenPlaces(context));
    if (output.json) return output.document({ ok: true, registry: registry.origin, removed });
    output.progress(
      removed
        ? `logged out  ${registry.host}; delete the token in your account as well`
        : `no token for ${registry.host} was in the vault`,
    );
  });
}

async function readToken(
  { tokenStdin }: LoginFlags,
  { streams }: VerbContext,
  origin: string,
): Promise<string> {
  if (tokenStdin !== true && !isInteractive(streams))
    throw usageError(
      "There is no terminal to ask for the token.",
      "Pipe it into packsmith login --token-stdin.",
    );
  const text =
    tokenStdin === true
      ? await readAll(streams.stdin)
      : await ask(`Token of ${origin}`, streams, true);
  const token = text.trim();
  if (token !== "" && !/\s/.test(token)) return token;
  throw new PackError("REGISTRY_TOKEN_MISSING", "No token was given.", {
    details: { registry: origin },
    hint: "Make a token in the settings of your account, with the scope of Packs, and give exactly that text.",
  });
}
