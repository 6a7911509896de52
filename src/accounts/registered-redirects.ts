import type { Transaction } from "kysely";
import { sha256 } from "../shared/crypto.ts";
import type { Storage } from "../storage/storage.ts";
import type { RedirectReservation, RegisteredRedirect } from "./account.ts";
import type { VaultRecords } from "./vault-records.ts";
import type { VaultSchema } from "./vault-schema.ts";

/** What a vault has for its redirect URIs. */
interface RedirectParts {
  storage: Storage<VaultSchema>;
  records: VaultRecords;
  now: () => number;
}

/**
 * The redirect URIs of all accounts that were saved, including those that are removed, and of
 * connections that have not ended.
 */
export async function listRedirects({
  storage,
  records,
  now,
}: RedirectParts): Promise<RegisteredRedirect[]> {
  const nowMs = await readClock({ storage, now });
  const rows = await storage.read((db) => db.selectFrom("redirects").selectAll().execute());
  return rows.map((row) => openRedirect(records, row)).filter((one) => !hasExpired(one, nowMs));
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
  await writeRedirect(transaction, records, id, redirect);
}

/**
 * Claims an address for a connection, or extends its claim. One transaction reads and writes, so of
 * two connections only one gets the address.
 * @returns false if a connection to another server has it
 */
export async function reserveRedirect(
  { storage, records, now }: RedirectParts,
  { flowId, address, binding, lifetimeMs }: RedirectReservation,
): Promise<boolean> {
  const nowMs = await readClock({ storage, now });
  return await storage.transaction(async (transaction) => {
    for (const row of await transaction.selectFrom("redirects").selectAll().execute()) {
      const other = openRedirect(records, row);
      if (other.expiresAtMs === undefined) continue;
      if (hasExpired(other, nowMs))
        await transaction.deleteFrom("redirects").where("id", "=", row.id).execute();
      else if (other.address === address && other.binding !== binding) return false;
    }
    await writeRedirect(transaction, records, flowId, {
      address,
      binding,
      // Not known before its response.
      namesIssuer: false,
      expiresAtMs: nowMs + lifetimeMs,
    });
    return true;
  });
}

/** Ends the claim of a connection. An address that is registered stays so. */
export async function releaseRedirect(
  { storage }: Pick<RedirectParts, "storage">,
  flowId: string,
): Promise<void> {
  await storage.transaction((transaction) =>
    transaction.deleteFrom("redirects").where("id", "=", flowId).execute(),
  );
}

/** Machines whose clocks disagree still agree on the database server's. */
async function readClock({ storage, now }: Omit<RedirectParts, "records">): Promise<number> {
  return storage.sharedClock === undefined ? now() : await storage.sharedClock();
}

function hasExpired({ expiresAtMs }: RegisteredRedirect, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

function openRedirect(
  records: VaultRecords,
  { id, redirect_sealed }: VaultSchema["redirects"],
): RegisteredRedirect {
  return records.open<RegisteredRedirect>(id, "redirect", redirect_sealed);
}

async function writeRedirect(
  transaction: Transaction<VaultSchema>,
  records: VaultRecords,
  id: string,
  redirect: RegisteredRedirect,
): Promise<void> {
  const redirect_sealed = records.seal(id, "redirect", redirect);
  await transaction
    .insertInto("redirects")
    .values({ id, redirect_sealed })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ redirect_sealed }))
    .execute();
}
