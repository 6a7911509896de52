import { dirname, join, resolve } from "node:path";
import { type AccountKey, createStoredAccount } from "../../accounts/account.ts";
import { openVault, type Vault } from "../../accounts/vault.ts";
import type { VaultLocation } from "../../accounts/vault-location.ts";
import { PackError } from "../../errors.ts";
import type { Redactor } from "../../shared/redact.ts";
import { readRegularFile } from "../../shared/regular-file.ts";
import type { RegistryAddress } from "./registry-address.ts";

/** Where the token of a registry is looked for. */
export interface TokenPlaces extends VaultLocation {
  cwd: string;
  env: NodeJS.ProcessEnv;
  redactor: Redactor;
  /** @default Date.now */
  now?: (() => number) | undefined;
}

export interface FoundToken {
  token: string;
  /** For people: where it was found. */
  source: string;
}

/** The file of `@codahq/packs-sdk` that holds tokens in clear text. */
const TOKEN_FILE = ".coda.json";
const MAX_FOLDERS = 10;

/**
 * The token of a registry: `PACKSMITH_REGISTRY_TOKEN`, the vault, `.coda.json` in the folder or one above it, or
 * `CODA_PACKS_API_KEY`. A token of the environment never goes to a registry that only a file of the project names.
 * @throws {PackError} REGISTRY_TOKEN_MISSING, REGISTRY_TOKEN_REFUSED for a text that cannot be a token, and those of opening the vault
 */
export async function findToken(registry: RegistryAddress, places: TokenPlaces): Promise<FoundToken> {
  const { env, redactor } = places;
  const ofEnvironment = (name: string) => {
    const token = env[name]?.trim() ?? "";
    return registry.isOfProject || token === "" ? undefined : { token, source: name };
  };
  const found =
    ofEnvironment("PACKSMITH_REGISTRY_TOKEN") ??
    (await ofVault(registry, places)) ??
    ofFile(registry, places.cwd) ??
    ofEnvironment("CODA_PACKS_API_KEY");
  if (found === undefined) throw missing(registry);
  redactor.add(found.token);
  if (!isToken(found.token)) throw notAToken(registry, found.source);
  return found;
}

/** Whether a header can carry the text: visible characters of ASCII. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Keeps a token in the vault, in the place of the one before. */
export async function saveToken(registry: RegistryAddress, token: string, user: string, places: TokenPlaces): Promise<void> {
  const nowMs = (places.now ?? Date.now)();
  await using vault = await open(places);
  await vault.save(
    createStoredAccount({
      key: keyOf(registry),
      packName: `Registry ${registry.host}`,
      authType: "HeaderBearerToken",
      client: { clientId: "", clientSecret: undefined },
      tokenSet: undefined,
      secrets: { token },
      endpoint: registry.origin,
      connectionName: user,
      requestedScopes: [],
      grantedScopes: undefined,
      status: "connected",
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }),
  );
}

/** @returns whether there was one */
export async function removeToken(registry: RegistryAddress, places: TokenPlaces): Promise<boolean> {
  await using vault = await open(places);
  return await vault.remove(keyOf(registry));
}

async function ofVault(registry: RegistryAddress, places: TokenPlaces): Promise<FoundToken | undefined> {
  await using vault = await open(places);
  const token = (await vault.get(keyOf(registry)))?.secrets?.["token"];
  return token === undefined ? undefined : { token, source: "the vault" };
}

function open({ home, databaseUrl, keyStore }: TokenPlaces): Promise<Vault> {
  return openVault({ directory: home, databaseUrl, keyStore });
}

/** No Pack has this path, so no Pack can use the account. */
function keyOf({ origin }: RegistryAddress): AccountKey {
  return { pack: `registry:${origin}`, slot: "user", name: "default" };
}

function ofFile({ host, isDefault }: RegistryAddress, cwd: string): FoundToken | undefined {
  let folder = resolve(cwd);
  for (let depth = 0; depth < MAX_FOLDERS; depth++) {
    const path = join(folder, TOKEN_FILE);
    const content = readJson(path);
    if (content !== undefined) {
      const { apiKey, environmentApiKeys } = content as { apiKey?: unknown; environmentApiKeys?: Record<string, unknown> };
      const token = isDefault ? apiKey : environmentApiKeys?.[host];
      return typeof token === "string" && token.trim() !== "" ? { token: token.trim(), source: path } : undefined;
    }
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

function readJson(path: string): object | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path).toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function notAToken({ origin }: RegistryAddress, source: string): PackError<"REGISTRY_TOKEN_REFUSED"> {
  return new PackError(
    "REGISTRY_TOKEN_REFUSED",
    `What ${source} holds is not a token: it has a space, a line break or another special character.`,
    {
      details: { registry: origin },
      hint: "Copy the token again, and nothing else. A secret of a pipeline that holds several lines is a common reason.",
    },
  );
}

function missing({ origin, isOfProject, host }: RegistryAddress): PackError<"REGISTRY_TOKEN_MISSING"> {
  const option = isOfProject ? ` --registry ${origin}` : "";
  return new PackError("REGISTRY_TOKEN_MISSING", `There is no token for ${host}.`, {
    details: { registry: origin },
    hint: `Run packsmith login${option}, or set PACKSMITH_REGISTRY_TOKEN in a pipeline.`,
  });
}
