import type { StoredAccount } from "../../accounts/account.ts";
import { accountKey, accountMissing } from "../../accounts/pack-account.ts";
import { openVault } from "../../accounts/vault.ts";
import type { VaultLocation } from "../../accounts/vault-location.ts";
import { PackError } from "../../errors.ts";
import type { PackOAuthConfig } from "../../service/contract/registry/registry-models.ts";
import type { Redactor } from "../../shared/redact.ts";
import type { RegistryClient } from "./registry-client.ts";

export interface OAuthClientPlace extends VaultLocation {
  file: string;
  cwd: string;
  /** @default "default" */
  account: string;
  redactor: Redactor;
}

/**
 * The OAuth client of an account in the vault.
 * @throws {PackError} ACCOUNT_MISSING; OAUTH_CLIENT_MISSING for an account without one
 */
export async function readOAuthClient({
  file,
  cwd,
  account,
  redactor,
  ...location
}: OAuthClientPlace): Promise<StoredAccount["client"]> {
  const key = await accountKey({ file, cwd, slot: "user", account });
  await using vault = await openVault({
    directory: location.home,
    databaseUrl: location.databaseUrl,
    keyStore: location.keyStore,
  });
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(file, account);
  const { clientId, clientSecret } = stored.client;
  if (clientSecret !== undefined) redactor.add(clientSecret);
  if (clientId !== "") return { clientId, clientSecret };
  throw new PackError("OAUTH_CLIENT_MISSING", `The account "${account}" has no OAuth client.`, {
    details: undefined,
    hint: "Connect an account of a Pack with OAuth2 authentication.",
  });
}

/** Gives the registry the client, and says which redirect URI to register with the provider. */
export async function pushOAuthConfig(
  client: RegistryClient,
  packId: number,
  credentials: StoredAccount["client"],
): Promise<PackOAuthConfig> {
  const { clientId, clientSecret } = credentials;
  return await client.call("setPackOAuthConfig", {
    path: { packId: String(packId) },
    body: { clientId, clientSecret },
  });
}

/** What a masked secret proves about a secret that is known here. */
export type MaskComparison = "same" | "different" | "unknown";

/** Fewer characters than this are in many secrets. */
const MIN_SHOWN = 4;

/**
 * Compares a secret with what the registry shows of it: nothing for one that is not set, otherwise
 * any part of it, or no part at all.
 */
export function compareMask(mask: string, secret: string | undefined): MaskComparison {
  if (secret === undefined || secret === "") return mask === "" ? "same" : "different";
  if (mask === "") return "different";
  const shown = mask.match(/[A-Za-z0-9_-]+/g) ?? [];
  if (!shown.every((part) => secret.includes(part))) return "different";
  return shown.join("").length >= MIN_SHOWN ? "same" : "unknown";
}

/** What several comparisons prove together. */
export function combineComparisons(comparisons: readonly MaskComparison[]): MaskComparison {
  if (comparisons.includes("different")) return "different";
  return comparisons.includes("unknown") ? "unknown" : "same";
}
