import { PackError } from "../errors.ts";
import { createTokenSet, type TokenSet } from "../oauth/token-set.ts";
import { open, seal } from "../shared/crypto.ts";
import {
  type AccountSecrets,
  accountId,
  createStoredAccount,
  type StoredAccount,
  splitAccount,
} from "./account.ts";
import type { AccountSummary } from "./account-summary.ts";

/** An account as the database has it. */
export interface SealedAccount {
  id: string;
  summary_sealed: string;
  secrets_sealed: string;
}

/** The encrypted form of accounts. */
export interface VaultRecords {
  /** Encrypts a value of an account. `part` says which one, so that no value passes for another. */
  seal(id: string, part: string, value: unknown): string;
  /** @throws {PackError} VAULT_CORRUPT */
  open<Value>(id: string, part: string, text: string): Value;
  sealAccount(account: StoredAccount): SealedAccount;
  /** @throws {PackError} VAULT_CORRUPT, DATABASE_NEWER */
  openAccount(row: SealedAccount): StoredAccount;
}

interface SecretRecord extends AccountSecrets {
  format: number;
}

const RECORD_FORMAT = 1;

/** @param name the vault's name in messages: its file */
export function createVaultRecords(vaultKey: Uint8Array, name: string): VaultRecords {
  const sealValue = (id: string, part: string, value: unknown): string =>
    seal(vaultKey, [part, id], JSON.stringify(value));
  const openValue = <Value>(id: string, part: string, text: string): Value => {
    const json = open(vaultKey, [part, id], text);
    if (json === undefined) throw corrupt(name);
    return JSON.parse(json) as Value;
  };
  return {
    seal: sealValue,
    open: openValue,
    sealAccount(account) {
      const id = accountId(account.key);
      const { summary, secrets } = splitAccount(account);
      return {
        id,
        summary_sealed: sealValue(id, "summary", summary),
        secrets_sealed: sealValue(id, "secrets", { ...secrets, format: RECORD_FORMAT }),
      };
    },
    openAccount({ id, summary_sealed, secrets_sealed }) {
      const {
        file,
        slot,
        name: account,
        clientId: _,
        expiresAt: __,
        renewable: ___,
        ...summary
      } = openValue<AccountSummary>(id, "summary", summary_sealed);
      const { format, client, tokenSet, ...secrets } = openValue<SecretRecord>(
        id,
        "secrets",
        secrets_sealed,
      );
      if (format > RECORD_FORMAT) throw newer(name);
      return createStoredAccount({
        ...summary,
        ...secrets,
        key: { pack: file, slot, name: account },
        client: { ...client, clientSecret: client.clientSecret },
        tokenSet: tokenSet === undefined ? undefined : reviveTokenSet(tokenSet),
      });
    },
  };
}

// JSON drops members that are undefined.
function reviveTokenSet(stored: TokenSet): TokenSet {
  const { expiresAtMs, refreshToken, scopes, endpoint } = stored;
  return createTokenSet({
    ...stored,
    expiresAtMs,
    refreshToken,
    scopes,
    endpoint,
  });
}

function newer(url: string): PackError<"DATABASE_NEWER"> {
  return new PackError("DATABASE_NEWER", `A newer version of packsmith wrote a record in ${url}.`, {
    details: { url },
    hint: "Update packsmith.",
  });
}

function corrupt(path: string): PackError<"VAULT_CORRUPT"> {
  return new PackError(
    "VAULT_CORRUPT",
    `A record in ${path} is damaged, or another program changed it.`,
    {
      details: { path },
      hint: "Restore the file from a backup, or revoke the account and connect it again.",
    },
  );
}
