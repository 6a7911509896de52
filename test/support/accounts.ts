import {
  type AccountKey,
  createStoredAccount,
  isoTime,
  type StoredAccount,
} from "../../src/accounts/account.ts";
import type { AccountSummary } from "../../src/accounts/account-summary.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { createTokenSet, type TokenSet } from "../../src/oauth/token-set.ts";

export const accountKey = { pack: "/packs/tasks/pack.ts", slot: "user", name: "default" } as const;

/** A token set that expired long ago. */
export function makeTokenSet(changes: Partial<TokenSet> = {}): TokenSet {
  return createTokenSet({
    accessToken: "planted-access",
    tokenType: "Bearer",
    expiresAtMs: 1_000,
    refreshToken: "planted-refresh",
    scopes: ["read"],
    endpoint: undefined,
    extra: { team: "planted-extra" },
    clientAuthentication: "body",
    ...changes,
  });
}

export function makeAccount(changes: Partial<StoredAccount> = {}): StoredAccount {
  return createStoredAccount({
    key: accountKey,
    pack: "Tasks",
    type: "OAuth2",
    client: { clientId: "client-1", clientSecret: "planted-secret" },
    tokenSet: makeTokenSet(),
    hosts: "any",
    endpoint: "https://eu.tasks.example",
    connectionName: "Ada",
    requestedScopes: ["read", "write"],
    scopes: ["read"],
    status: "connected",
    createdAt: isoTime(1),
    updatedAt: isoTime(1),
    ...changes,
  });
}

/** What a vault finds the account of a summary with. */
export function summaryKey({ file, slot, name }: AccountSummary): AccountKey {
  return { pack: file, slot, name };
}

/** The account in a vault that has only one. */
export async function storedAccount(home: string): Promise<StoredAccount> {
  await using vault = await openVault({ directory: home });
  const [summary] = await vault.list();
  const account = summary === undefined ? undefined : await vault.get(summaryKey(summary));
  if (account === undefined) throw new Error("nothing is stored");
  return account;
}
