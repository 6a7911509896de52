import { randomInt } from "node:crypto";
import { PackError } from "../errors.ts";
import type { TokenSet } from "../oauth/token-set.ts";
import type { Storage } from "../storage/storage.ts";
import {
  type AccountKey,
  accountId,
  accountLabel,
  isoTime,
  type StoredAccount,
} from "./account.ts";
import type { KeptResponses } from "./kept-responses.ts";
import type { RefreshLock } from "./refresh-lock.ts";
import { keepRedirect } from "./registered-redirects.ts";
import type { VaultRecords } from "./vault-records.ts";
import type { VaultSchema } from "./vault-schema.ts";

/** What the operations of a vault share. */
export interface VaultParts {
  storage: Storage<VaultSchema>;
  records: VaultRecords;
  /** Token responses that could not be written to the database. */
  kept: KeptResponses;
  refreshLock: RefreshLock;
  now: () => number;
}

/** Adds an account, or replaces all of it. */
export async function saveAccount(
  { storage, records, kept }: VaultParts,
  account: StoredAccount,
): Promise<void> {
  const row = records.sealAccount(account);
  await storage.transaction(async (transaction) => {
    await transaction
      .insertInto("accounts")
      // Starts at a random number: an account that was removed and connected again must not
      // look like the old one.
      .values({ ...row, pending_sealed: null, version: randomInt(2 ** 47) })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet((expression) => ({
          ...row,
          pending_sealed: null,
          version: expression("accounts.version", "+", 1),
        })),
      )
      .execute();
    if (account.registeredRedirect !== undefined)
      await keepRedirect(transaction, records, account.registeredRedirect);
  });
  kept.forget(row.id);
}

/**
 * Reads, changes and writes one account in one transaction. A change of its tokens is a new
 * version.
 * @throws {PackError} ACCOUNT_MISSING; ACCOUNT_BUSY inside the refresh lock, when the tokens have
 *   changed since it was taken
 */
export async function changeAccount(
  { storage, records, kept, refreshLock, now }: VaultParts,
  key: AccountKey,
  edit: (account: StoredAccount) => StoredAccount,
): Promise<void> {
  const fence = refreshLock.findFence(key);
  const id = accountId(key);
  let renewed = false;
  const version = await storage.transaction(async (transaction) => {
    const row = await transaction
      .selectFrom("accounts")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) throw accountMissing(key);
    // The result of a refresh with older tokens says nothing about the tokens that are stored now.
    if (fence !== undefined && row.version !== fence.version) throw createFenceError(key);
    const before = records.openAccount(row);
    const after = { ...edit(before), updatedAt: isoTime(now()) };
    renewed = after.tokenSet !== before.tokenSet;
    const version = renewed ? row.version + 1 : row.version;
    await transaction
      .updateTable("accounts")
      .set({
        ...records.sealAccount(after),
        version,
        ...(renewed ? { pending_sealed: null } : {}),
      })
      .where("id", "=", id)
      .execute();
    return version;
  });
  if (fence !== undefined) fence.version = version;
  if (renewed) kept.forget(id);
}

/** The account with renewed tokens. */
export function withTokens(account: StoredAccount, tokenSet: TokenSet): StoredAccount {
  const { endpoint, tokenSet: previous } = account;
  return {
    ...account,
    tokenSet: { ...tokenSet },
    // An endpoint that the user chose stays; an endpoint from the token response is replaced.
    endpoint: endpoint === previous?.endpoint ? (tokenSet.endpoint ?? endpoint) : endpoint,
    scopes: tokenSet.scopes ?? account.scopes,
    status: "connected",
    reconnectReason: undefined,
  };
}

/** @returns whether the account existed */
export async function removeAccount(
  { storage, kept }: VaultParts,
  key: AccountKey,
): Promise<boolean> {
  const { numDeletedRows } = await storage.transaction((transaction) =>
    transaction.deleteFrom("accounts").where("id", "=", accountId(key)).executeTakeFirstOrThrow(),
  );
  kept.forget(accountId(key));
  return numDeletedRows > 0n;
}

/** The error for an account that the vault does not have. */
export function accountMissing(key: AccountKey): PackError<"ACCOUNT_MISSING"> {
  return new PackError("ACCOUNT_MISSING", `This Pack has no account "${accountLabel(key)}".`, {
    details: { account: accountLabel(key) },
    hint: "Run packsmith auth connect to connect an account.",
  });
}

function createFenceError(key: AccountKey): PackError<"ACCOUNT_BUSY"> {
  return new PackError(
    "ACCOUNT_BUSY",
    `Another process has just refreshed the tokens of the account "${accountLabel(key)}".`,
    {
      details: { account: accountLabel(key) },
      hint: "Run the command again. packsmith then uses the new tokens.",
    },
  );
}
