import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AccountKey, createStoredAccount, isoTime } from "../../accounts/account.ts";
import { openVault, type Vault } from "../../accounts/vault.ts";
import type { VaultLocation } from "../../accounts/vault-location.ts";
import { PackError } from "../../errors.ts";
import { readRegularFile } from "../../shared/files.ts";
import { foldersUpFrom } from "../../shared/folders.ts";
import type { Redactor } from "../../shared/redact.ts";
import { isRecord, type Members, toMembers } from "../../shared/values.ts";
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
 * The token of a registry: `PACKSMITH_REGISTRY_TOKEN`, the vault, `.coda.json` in the folder or one
 * above it, or
 * `CODA_PACKS_API_KEY`. A token of the environment never goes to a registry that only a file of the project names.
 * @throws {PackError} REGISTRY_TOKEN_MISSING, REGISTRY_TOKEN_REFUSED for a text that cannot be a
 *   token, and those of opening the vault
 */
export async function findToken(
  registry: RegistryAddress,
  places: TokenPlaces,
): Promise<FoundToken> {
  const { env, redactor } = places;
  const ofEnvironment = (name: string) => {
    const token = env[name]?.trim() ?? "";
    return registry.isOfProject || token === "" ? undefined : { token, source: name };
  };
  const file = ofFile(registry, places.cwd);
  const found =
    ofEnvironment("PACKSMITH_REGISTRY_TOKEN") ??
    (await ofVault(registry, places)) ??
    file.found ??
    ofEnvironment("CODA_PACKS_API_KEY");
  if (found === undefined) throw createMissingError(registry, file.problem);
  redactor.add(found.token);
  if (!isToken(found.token)) throw notAToken(registry, found.source);
  return found;
}

/** Whether a header can carry the text: visible characters of ASCII. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Keeps a token in the vault, in the place of the one before. */
export async function saveToken(
  registry: RegistryAddress,
  token: string,
  user: string,
  places: TokenPlaces,
): Promise<void> {
  const nowMs = (places.now ?? Date.now)();
  await using vault = await open(places);
  await vault.save(
    createStoredAccount({
      key: getKey(registry),
      pack: `Registry ${registry.host}`,
      type: "HeaderBearerToken",
      client: { clientId: "", clientSecret: undefined },
      tokenSet: undefined,
      secrets: { token },
      hosts: { credentialDomains: [], tokenOrigins: [] },
      endpoint: registry.origin,
      connectionName: user,
      requestedScopes: [],
      scopes: undefined,
      status: "connected",
      createdAt: isoTime(nowMs),
      updatedAt: isoTime(nowMs),
    }),
  );
}

/** @returns whether there was one */
export async function removeToken(
  registry: RegistryAddress,
  places: TokenPlaces,
): Promise<boolean> {
  await using vault = await open(places);
  return await vault.remove(getKey(registry));
}

async function ofVault(
  registry: RegistryAddress,
  places: TokenPlaces,
): Promise<FoundToken | undefined> {
  await using vault = await open(places);
  const token = (await vault.get(getKey(registry)))?.secrets?.["token"];
  return token === undefined ? undefined : { token, source: "the vault" };
}

function open({ home, databaseUrl, keyStore }: TokenPlaces): Promise<Vault> {
  return openVault({ directory: home, databaseUrl, keyStore });
}

/** No Pack has this path, so no Pack can use the account. */
function getKey({ origin }: RegistryAddress): AccountKey {
  return { pack: `registry:${origin}`, slot: "user", name: "default" };
}

/** The token in the nearest file that can be read, or else why one cannot. */
function ofFile(
  { host, isDefault }: RegistryAddress,
  cwd: string,
): { found?: FoundToken; problem?: string } {
  let problem: string | undefined;
  for (const folder of foldersUpFrom(resolve(cwd)).slice(0, MAX_FOLDERS)) {
    const path = join(folder, TOKEN_FILE);
    const content = readTokenFile(path);
    if (content === undefined) continue;
    if (typeof content === "string") {
      problem ??= content;
      continue;
    }
    const { apiKey, environmentApiKeys } = content;
    const token = isDefault ? apiKey : toMembers(environmentApiKeys)[host];
    return typeof token === "string" && token.trim() !== ""
      ? { found: { token: token.trim(), source: path } }
      : {};
  }
  return problem === undefined ? {} : { problem };
}

/** @returns undefined when there is no file; a text that says why it cannot be read */
function readTokenFile(path: string): Members | string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readRegularFile(path).toString());
    return isRecord(value) ? value : `${path} is not a JSON object`;
  } catch (error) {
    return error instanceof SyntaxError ? `${path} is not JSON` : `${path} cannot be read`;
  }
}

function notAToken(
  { origin }: RegistryAddress,
  source: string,
): PackError<"REGISTRY_TOKEN_REFUSED"> {
  return new PackError(
    "REGISTRY_TOKEN_REFUSED",
    `${source} does not contain a valid token: the text has a space, a line break or another special character.`,
    {
      details: { registry: origin },
      hint: "Copy only the token. In a pipeline, a common cause is a secret with several lines.",
    },
  );
}

function createMissingError(
  { origin, isOfProject, host }: RegistryAddress,
  problem: string | undefined,
): PackError<"REGISTRY_TOKEN_MISSING"> {
  const option = isOfProject ? ` --registry ${origin}` : "";
  return new PackError(
    "REGISTRY_TOKEN_MISSING",
    `There is no token for ${host}${problem === undefined ? "" : `: ${problem}`}.`,
    {
      details: { registry: origin },
      hint: `Run packsmith login${option}, or set PACKSMITH_REGISTRY_TOKEN in a pipeline.`,
    },
  );
}
