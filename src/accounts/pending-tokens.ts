import { isPackError } from "../errors.ts";
import type { PendingTokens } from "../oauth/token-response.ts";
import { type AccountKey, accountId } from "./account.ts";
import type { VaultParts } from "./account-writes.ts";

/**
 * Keeps a token response until its tokens are stored. In a file of this machine, while the database
 * cannot be written.
 */
export async function savePendingTokens(
  { storage, records, kept, refreshLock }: VaultParts,
  key: AccountKey,
  pending: PendingTokens,
): Promise<void> {
  const id = accountId(key);
  const fence = refreshLock.findFence(key);
  const storing = storage.transaction((transaction) => {
    const update = transaction
      .updateTable("accounts")
      .set({ pending_sealed: records.seal(id, "pending", pending) })
      .where("id", "=", id);
    return (fence === undefined ? update : update.where("version", "=", fence.version)).execute();
  });
  await storing.catch(async (error: unknown) => {
    if (fence === undefined || !isPackError(error) || !error.code.startsWith("DATABASE_"))
      throw error;
    await kept.keep(id, { pending, version: fence.version }).catch(() => {
      throw error;
    });
  });
}

/** @returns undefined if there is none, or if it belongs to older tokens than those of the account */
export async function findPendingTokens(
  { storage, records, kept }: VaultParts,
  key: AccountKey,
): Promise<PendingTokens | undefined> {
  const id = accountId(key);
  const row = await storage.read((db) =>
    db
      .selectFrom("accounts")
      .select(["pending_sealed", "version"])
      .where("id", "=", id)
      .executeTakeFirst(),
  );
  const local = kept.find(id);
  if (local !== undefined && local.version === row?.version) return local.pending;
  kept.forget(id);
  return typeof row?.pending_sealed === "string"
    ? records.open<PendingTokens>(id, "pending", row.pending_sealed)
    : undefined;
}
