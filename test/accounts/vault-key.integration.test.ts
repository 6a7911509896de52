import { expect, it } from "vitest";
import { checkKey, findKeyCheck } from "../../src/accounts/vault-key.ts";
import { type VaultSchema, vaultMigrations } from "../../src/accounts/vault-schema.ts";
import { seal } from "../../src/shared/crypto.ts";
import { openDatabase } from "../../src/storage/database.ts";

const FIRST = new Uint8Array(32).fill(1);
const SECOND = new Uint8Array(32).fill(2);

// docs/rules.md: rule 27
it("a new vault takes the first key, and rejects every other key", async () => {
  await using storage = await openDatabase<VaultSchema>({
    url: ":memory:",
    migrations: vaultMigrations,
  });
  await checkKey(storage, FIRST, "vault.key", undefined);
  const kept = await findKeyCheck(storage);
  await checkKey(storage, FIRST, "vault.key", kept);
  const rejection = { code: "VAULT_KEY_INVALID" };
  await expect(checkKey(storage, SECOND, "vault.key", kept)).rejects.toMatchObject(rejection);
  // Another process created the vault first.
  await expect(checkKey(storage, SECOND, "vault.key", undefined)).rejects.toMatchObject(rejection);
  const foreign = seal(FIRST, ["check"], "another text");
  await expect(checkKey(storage, FIRST, "vault.key", foreign)).rejects.toMatchObject(rejection);
  expect(await findKeyCheck(storage)).toBe(kept);
});
