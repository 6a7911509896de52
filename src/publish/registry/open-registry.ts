import { readPackIdFile } from "./pack-id-file.ts";
import { type RegistryAddress, registryAddress } from "./registry-address.ts";
import { createRegistryClient, type RegistryClient } from "./registry-client.ts";
import { findToken, type TokenPlaces } from "./registry-token.ts";

export interface OpenRegistryOptions extends TokenPlaces {
  /** Its URL, when the user named one. */
  registry?: string | undefined;
  /** @default the one that `findToken` finds */
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The registry that a user means for a Pack.
 * @param folder of the Pack; its file may name a registry
 * @throws {PackError} REGISTRY_URL_INVALID, PACK_ID_FILE_INVALID
 */
export function registryOfFolder(
  folder: string | undefined,
  { registry, env }: { registry?: string | undefined; env: NodeJS.ProcessEnv },
): RegistryAddress {
  const ofProject = folder === undefined ? undefined : readPackIdFile(folder).options?.apiEndpoint;
  return registryAddress(registry, env, ofProject);
}

/**
 * A client with the token of the registry. @throws {PackError} REGISTRY_TOKEN_MISSING and those of
 * `registryOfFolder`
 */
export async function openRegistry(
  folder: string,
  options: OpenRegistryOptions,
): Promise<RegistryClient> {
  const registry = registryOfFolder(folder, options);
  const token = options.token ?? (await findToken(registry, options)).token;
  return createRegistryClient({ registry, token, signal: options.signal });
}
