import type { Migration } from "kysely";

/**
 * Tables of the vault. Columns named `sealed` are encrypted; the others are needed for queries.
 * `id` is `accountId(key)`.
 */
export interface VaultSchema {
  vault: { id: number; key_check_sealed: string };
  accounts: {
    id: string;
    summary_sealed: string;
    secrets_sealed: string;
    /** A token response that was received, but not read and stored yet. */
    pending_sealed: string | null;
    /** Grows with every change of the tokens. The refresh lock uses it as its fence. */
    version: number;
  };
  refresh_locks: { id: string; owner: string; expires_at_ms: number };
  /**
   * One row per redirect URI and connection. They stay when the account is removed. A connection
   * that has not ended has a row whose `id` is its own.
   */
  redirects: { id: string; redirect_sealed: string };
}

export const vaultMigrations: Record<string, Migration> = {
  "vault-001": {
    async up(db) {
      await db.schema
        .createTable("vault")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("key_check_sealed", "text", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("accounts")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("summary_sealed", "text", (column) => column.notNull())
        .addColumn("secrets_sealed", "text", (column) => column.notNull())
        .addColumn("pending_sealed", "text")
        .addColumn("version", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("refresh_locks")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("redirects")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("redirect_sealed", "text", (column) => column.notNull())
        .execute();
    },
  },
};
