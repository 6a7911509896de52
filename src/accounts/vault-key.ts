import { open, seal } from "../shared/crypto.ts";
import type { Storage } from "../storage/storage.ts";
import { wrongKeyError } from "./key-file.ts";
import type { VaultSchema } from "./vault-schema.ts";

const KEY_CHECK = "packsmith vault";

/**
 * A text that only the vault's key decrypts. It distinguishes a wrong key from a damaged record.
 */
export async function findKeyCheck(storage: Storage<VaultSchema>): Promise<string | undefined> {
  const row = await storage.read((db) =>
    db.selectFrom("vault").select("key_check_sealed").where("id", "=", 1).executeTakeFirst(),
  );
  return row?.key_check_sealed;
}

/**
 * Checks that a key is the one of the vault. A new vault takes it.
 * @throws {PackError} VAULT_KEY_INVALID
 */
export async function checkKey(
  storage: Storage<VaultSchema>,
  key: Uint8Array,
  keyPath: string,
  found: string | undefined,
): Promise<void> {
  let check = found;
  if (check === undefined) {
    const row = { id: 1, key_check_sealed: seal(key, ["check"], KEY_CHECK) };
    // If two processes open a new vault at the same time, the vault gets the key of the first.
    await storage.transaction((transaction) =>
      transaction
        .insertInto("vault")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute(),
    );
    check = await findKeyCheck(storage);
  }
  if (check === undefined || open(key, ["check"], check) !== KEY_CHECK)
    throw wrongKeyError(keyPath);
}
