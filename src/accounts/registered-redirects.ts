import type { Transaction } from "kysely";
import { sha256 } from "../shared/crypto.ts";
import type { Storage } from "../storage/storage.ts";
import type { RegisteredRedirect } from "./account.ts";
import type { VaultRecords } from "./vault-records.ts";
import type { VaultSchema } from "./vault-schema.ts";

/** The redirect URIs of all accounts that were saved, including those that are removed. */
export async function listRedirects(
  storage: Storage<VaultSchema>,
  records: VaultRecords,
): Promise<RegisteredRedirect[]> {
  const rows = await storage.read((db) => db.selectFrom("redirects").selectAll().execute());
  return rows.map(({ id, redirect_sealed }) =>
    records.open<RegisteredRedirect>(id, "redirect", redirect_sealed),
  );
}

/**
 * Keeps the redirect URI of an account for longer than the account. The provider still knows it, so
 * its codes still arrive there.
 */
export async function keepRedirect(
  transaction: Transaction<VaultSchema>,
  records: VaultRecords,
  redirect: RegisteredRedirect,
): Promise<void> {
  const { address, binding } = redirect;
  const id = sha256(JSON.stringify([address, binding]), "base64url");
  const redirect_sealed = records.seal(id, "redirect", redirect);
  await transaction
    .insertInto("redirects")
    .values({ id, redirect_sealed })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ redirect_sealed }))
    .execute();
}
