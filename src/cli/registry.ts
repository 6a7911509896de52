import type { Command } from "commander";
import type { RegistryAddress } from "../publish/registry/registry-address.ts";
import type { RegistryClient } from "../publish/registry/registry-client.ts";
import type { TokenPlaces } from "../publish/registry/registry-token.ts";
import type { VerbContext } from "./verb.ts";

export interface RegistryFlags {
  registry?: string;
}

export function withRegistryOption(command: Command): Command {
  return command.option(
    "--registry <url>",
    "where Packs are published (default: PACKSMITH_REGISTRY, the project's apiEndpoint, or the public one)",
  );
}

/** The registry that a command means. @param folder a Pack's, whose file may name one */
export async function registryOf({ streams }: VerbContext, { registry }: RegistryFlags, folder?: string): Promise<RegistryAddress> {
  const { registryAddress } = await import("../publish/registry/registry-address.ts");
  const { readPackIdFile } = await import("../publish/registry/pack-id-file.ts");
  const ofProject = folder === undefined ? undefined : readPackIdFile(folder).options?.apiEndpoint;
  return registryAddress(registry, streams.env, ofProject);
}

/** A client with the token of the registry. @throws {PackError} REGISTRY_TOKEN_MISSING, REGISTRY_URL_INVALID */
export async function openRegistry(context: VerbContext, flags: RegistryFlags, folder: string): Promise<RegistryClient> {
  const registry = await registryOf(context, flags, folder);
  const { findToken } = await import("../publish/registry/registry-token.ts");
  const { createRegistryClient } = await import("../publish/registry/registry-client.ts");
  const { token } = await findToken(registry, await tokenPlaces(context));
  return createRegistryClient({ registry, token, signal: context.signal });
}

export async function tokenPlaces({ streams, redactor }: VerbContext): Promise<TokenPlaces> {
  const { vaultLocation } = await import("../accounts/vault-location.ts");
  return { ...vaultLocation(streams.env), cwd: streams.cwd, env: streams.env, redactor };
}
