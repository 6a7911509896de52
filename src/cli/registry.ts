import { type Command, Option } from "commander";
import type { RegistryAddress } from "../publish/registry/registry-address.ts";
import type { RegistryClient } from "../publish/registry/registry-client.ts";
import type { TokenPlaces } from "../publish/registry/registry-token.ts";
import type { VerbContext } from "./verb.ts";

export interface RegistryFlags {
  registry?: string;
  apiToken?: string;
}

export function withRegistryOption(command: Command): Command {
  return command
    .option(
      "--registry <url>",
      "URL of the registry (default: PACKSMITH_REGISTRY, the project's apiEndpoint, or the public registry)",
    )
    .addOption(new Option("--api-token <token>").hideHelp());
}

/** The registry that a command means. @param folder a Pack's, whose file may name one */
export async function chooseRegistry(
  { streams }: VerbContext,
  { registry }: RegistryFlags,
  folder?: string,
): Promise<RegistryAddress> {
  const { registryOfFolder } = await import("../publish/registry/open-registry.ts");
  return registryOfFolder(folder, { registry, env: streams.env });
}

/**
 * A client with the token of the registry. @throws {PackError} REGISTRY_TOKEN_MISSING,
 * REGISTRY_URL_INVALID
 */
export async function openRegistry(
  context: VerbContext,
  { registry, apiToken }: RegistryFlags,
  folder: string,
): Promise<RegistryClient> {
  const { openRegistry: open } = await import("../publish/registry/open-registry.ts");
  const { signal } = context;
  const token = apiToken === undefined ? undefined : readArgumentToken(apiToken, context);
  return await open(folder, { ...(await tokenPlaces(context)), registry, token, signal });
}

/**
 * The Pack of a folder in its registry. @throws {PackError} PACK_ID_MISSING, and those of
 * `openRegistry`
 */
export async function openRegistryPack(
  context: VerbContext,
  flags: RegistryFlags,
  folder: string,
): Promise<{ client: RegistryClient; packId: number }> {
  const { requirePackId } = await import("../publish/registry/pack-id-file.ts");
  const client = await openRegistry(context, flags, folder);
  return { client, packId: requirePackId(folder, client.registry) };
}

/** A token that is an argument: shells and other users can see it. */
export function readArgumentToken(text: string, { output, redactor }: VerbContext): string {
  const token = text.trim();
  redactor.add(token);
  output.progress(
    `${output.style("warning", "warning")}: the history of your shell now contains the token. Next time, run packsmith login without the token, and enter the token when packsmith asks for it`,
  );
  return token;
}

export async function tokenPlaces({ streams, redactor }: VerbContext): Promise<TokenPlaces> {
  const { vaultLocation } = await import("../accounts/vault-location.ts");
  return { ...vaultLocation(streams.env), cwd: streams.cwd, env: streams.env, redactor };
}
