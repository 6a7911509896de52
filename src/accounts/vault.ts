import { join } from "node:path";
import { isPackError, PackError } from "../errors.ts";
import type { PendingTokens } from "../oauth/token-response.ts";
import type { TokenSet } from "../oauth/token-set.ts";
import { openDatabase } from "../storage/database.ts";
import type { Storage } from "../storage/storage.ts";
import {
  type AccountHosts,
  type AccountKey,
  accountId,
  type DiscoveredUrls,
  type RedirectReservation,
  type RegisteredRedirect,
  type StoredAccount,
} from "./account.ts";
import type { AccountSummary } from "./account-summary.ts";
import {
  changeAccount,
  removeAccount,
  saveAccount,
  type VaultParts,
  withTokens,
} from "./account-writes.ts";
import { createKeptResponses } from "./kept-responses.ts";
import { KEY_FILE_ONLY, type KeyStore, openKeyFile } from "./key-file.ts";
import { findPendingTokens, savePendingTokens } from "./pending-tokens.ts";
import { checkPrivateFile, checkPrivateFolder } from "./private-file.ts";
import { createRefreshLock, type RefreshLockOptions } from "./refresh-lock.ts";
import { listRedirects, releaseRedirect, reserveRedirect } from "./registered-redirects.ts";
import { checkKey, findKeyCheck } from "./vault-key.ts";
import { createVaultRecords } from "./vault-records.ts";
import { type VaultSchema, vaultMigrations } from "./vault-schema.ts";

export interface VaultOptions {
  /** Holds `vault.db` and `vault.key`. Created with mode 0700. Never inside a project. */
  directory: string;
  /**
   * A `postgres://` URL keeps the records on a server, so that several machines can share accounts.
   * Records are encrypted
   * before they leave the machine. Each machine needs the same `vault.key`. @default `vault.db` in
   * the folder
   */
  databaseUrl?: string | undefined;
  /** Where a new vault keeps its key. @default a key file */
  keyStore?: KeyStore | undefined;
  /** @default Date.now */
  now?: (() => number) | undefined;
  /** @default a lease of 15 seconds, waiting at most 120 */
  lock?: Omit<RefreshLockOptions, "now"> | undefined;
  /**
   * Called before, during and after every write, so that a test can kill the process there.
   * @default nothing
   */
  onWrite?: ((moment: WriteMoment) => void) | undefined;
}

/** A moment of a write: nothing is written, all is written but not committed, all is committed. */
export type WriteMoment = "before" | "uncommitted" | "after";

/**
 * Accounts with their secrets, encrypted at rest. Every change is one transaction: after a crash,
 * the vault has the old
 * state or the new one. Closing waits for renewals that are running.
 */
export interface Vault extends AsyncDisposable {
  /** All accounts, without their secrets, which are not decrypted. */
  list(): Promise<AccountSummary[]>;
  get(key: AccountKey): Promise<StoredAccount | undefined>;
  /**
   * The redirect URIs of all accounts that were saved, including those that are removed, and of
   * connections that have not ended.
   */
  listRedirects(): Promise<RegisteredRedirect[]>;
  /**
   * Claims a redirect URI for a connection before its browser opens, or extends the claim.
   * @returns false if a connection to another server that has not ended uses the redirect URI
   */
  reserveRedirect(reservation: RedirectReservation): Promise<boolean>;
  /** Ends the claim of a connection. What is registered stays. */
  releaseRedirect(flowId: string): Promise<void>;
  /** Adds an account, or replaces all of it. */
  save(account: StoredAccount): Promise<void>;
  /**
   * Stores renewed tokens and marks the account as connected. Inside `withRefreshLock` it refuses
   * to overwrite tokens that
   * another process has stored meanwhile.
   * @throws {PackError} ACCOUNT_MISSING; ACCOUNT_BUSY when the tokens have changed since the lock
   *   was taken
   */
  saveTokens(key: AccountKey, tokenSet: TokenSet): Promise<void>;
  /**
   * Keeps a token response before it is validated. `saveTokens` and `save` clear it. Inside
   * `withRefreshLock` it is ignored
   * if the tokens have changed since the lock was taken, because it belongs to the older ones.
   * While the database cannot be
   * written, the response is kept in a file on this machine.
   */
  savePendingTokens(key: AccountKey, pending: PendingTokens): Promise<void>;
  getPendingTokens(key: AccountKey): Promise<PendingTokens | undefined>;
  /**
   * Marks an account that the user must connect again. Its tokens stay.
   * @throws {PackError} ACCOUNT_MISSING; ACCOUNT_BUSY inside `withRefreshLock` when the tokens have
   *   changed
   */
  markReconnect(key: AccountKey, reason: string): Promise<void>;
  /**
   * Sets the account's display name. Its tokens stay, because another process may be renewing them.
   * @throws {PackError} ACCOUNT_MISSING
   */
  saveConnectionName(key: AccountKey, connectionName: string): Promise<void>;
  /**
   * Sets the endpoint that the user chose. It stays when tokens are renewed.
   * @throws {PackError} ACCOUNT_MISSING
   */
  saveEndpoint(key: AccountKey, endpoint: string): Promise<void>;
  /**
   * Sets the hosts that the account's credentials may go to.
   * @throws {PackError} ACCOUNT_MISSING
   */
  saveHosts(key: AccountKey, hosts: AccountHosts): Promise<void>;
  /**
   * Sets the URLs from the metadata of the account's server. Its tokens stay.
   * @throws {PackError} ACCOUNT_MISSING
   */
  saveServer(key: AccountKey, server: DiscoveredUrls): Promise<void>;
  /** @returns whether the account existed */
  remove(key: AccountKey): Promise<boolean>;
  /**
   * Runs work while no other process, and no other call in this one, renews this account.
   * @throws {PackError} ACCOUNT_BUSY
   */
  withRefreshLock<Result>(key: AccountKey, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Opens the vault of a folder, or creates it. A file that cannot be opened is left unchanged.
 * @throws {PackError} VAULT_PERMISSIONS when other users can reach a file, or one is a symbolic
 *   link
 * @throws {PackError} VAULT_KEY_INVALID when the key is missing, damaged or belongs to another
 *   vault
 * @throws {PackError} KEYCHAIN_UNAVAILABLE when the key is in a keychain that cannot be opened
 * @throws {PackError} VAULT_CORRUPT when the file is not a vault
 * @throws {PackError} DATABASE_NEWER, DATABASE_BUSY, DATABASE_UNREACHABLE
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { directory, databaseUrl, keyStore = KEY_FILE_ONLY, now = Date.now } = options;
  const keyPath = join(directory, "vault.key");
  checkPrivateFolder(directory);
  if (databaseUrl !== undefined) {
    const storage = await openDatabase<VaultSchema>({
      url: databaseUrl,
      schema: "packsmith_vault",
      migrations: vaultMigrations,
    });
    return openStorage({
      storage,
      name: "The vault on the database server",
      // Other machines need the same key, so it is in a file that you can copy.
      openKey: (isNew) =>
        openKeyFile(keyPath, { directory, create: isNew, keyStore: shareable(keyStore) }),
    });
  }
  const databasePath = join(directory, "vault.db");
  for (const suffix of ["-wal", "-shm", "-journal"]) checkPrivateFile(`${databasePath}${suffix}`);
  const key = await openKeyFile(keyPath, {
    directory,
    create: !checkPrivateFile(databasePath),
    keyStore,
  });
  const storage = await openDatabase<VaultSchema>({
    url: databasePath,
    migrations: vaultMigrations,
  }).catch((error: unknown) => {
    throw isPackError(error, "DATABASE_UNREADABLE") ? notAVault(databasePath, error) : error;
  });
  return openStorage({ storage, name: databasePath, openKey: async () => key });

  async function openStorage(parts: {
    storage: Storage<VaultSchema>;
    name: string;
    openKey: (isNew: boolean) => Promise<Uint8Array>;
  }): Promise<Vault> {
    const storage =
      options.onWrite === undefined ? parts.storage : watchWrites(parts.storage, options.onWrite);
    try {
      const check = await findKeyCheck(storage);
      const key = await parts.openKey(check === undefined);
      await checkKey(storage, key, keyPath, check);
      return createVault({
        storage,
        records: createVaultRecords(key, parts.name),
        kept: createKeptResponses(directory, key),
        refreshLock: createRefreshLock(storage, { ...options.lock, now }),
        now,
      });
    } catch (error) {
      await storage.close();
      throw error;
    }
  }
}

function shareable(keyStore: KeyStore): KeyStore {
  return keyStore.prefer === "auto" ? { ...keyStore, prefer: "file" } : keyStore;
}

function watchWrites(
  storage: Storage<VaultSchema>,
  onWrite: (moment: WriteMoment) => void,
): Storage<VaultSchema> {
  return {
    ...storage,
    async transaction(work) {
      onWrite("before");
      const result = await storage.transaction(async (transaction) => {
        const value = await work(transaction);
        onWrite("uncommitted");
        return value;
      });
      onWrite("after");
      return result;
    },
  };
}

function createVault(parts: VaultParts): Vault {
  const { storage, records, refreshLock } = parts;
  const change = (key: AccountKey, edit: (account: StoredAccount) => StoredAccount) =>
    changeAccount(parts, key, edit);
  return {
    async list() {
      const rows = await storage.read((db) =>
        db.selectFrom("accounts").select(["id", "summary_sealed"]).orderBy("id").execute(),
      );
      return rows.map((row) => records.open<AccountSummary>(row.id, "summary", row.summary_sealed));
    },
    async get(key) {
      const row = await storage.read((db) =>
        db
          .selectFrom("accounts")
          .select(["id", "summary_sealed", "secrets_sealed"])
          .where("id", "=", accountId(key))
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : records.openAccount(row);
    },
    listRedirects: () => listRedirects(parts),
    reserveRedirect: (reservation) => reserveRedirect(parts, reservation),
    releaseRedirect: (flowId) => releaseRedirect(parts, flowId),
    save: (account) => saveAccount(parts, account),
    saveTokens: (key, tokenSet) => change(key, (account) => withTokens(account, tokenSet)),
    savePendingTokens: (key, pending) => savePendingTokens(parts, key, pending),
    getPendingTokens: (key) => findPendingTokens(parts, key),
    markReconnect: (key, reason) =>
      change(key, (account) => ({ ...account, status: "reconnect", reconnectReason: reason })),
    saveConnectionName: (key, connectionName) =>
      change(key, (account) => ({ ...account, connectionName })),
    saveHosts: (key, hosts) => change(key, (account) => ({ ...account, hosts })),
    saveServer: (key, server) => change(key, (account) => ({ ...account, server })),
    saveEndpoint: (key, endpoint) => change(key, (account) => ({ ...account, endpoint })),
    remove: (key) => removeAccount(parts, key),
    withRefreshLock: (key, work) => refreshLock.run(key, work),
    async [Symbol.asyncDispose]() {
      // A refresh without a waiting caller must still store its tokens, because the provider has
      // rotated the old ones.
      await refreshLock.idle();
      await storage.close();
    },
  };
}

function notAVault(path: string, cause: unknown): PackError<"VAULT_CORRUPT"> {
  return new PackError(
    "VAULT_CORRUPT",
    `${path} is damaged, or is not a packsmith vault. packsmith did not change the file.`,
    {
      details: { path },
      hint: "Restore the file from a backup. Without a backup, move the file away and connect the accounts again.",
      cause,
    },
  );
}
