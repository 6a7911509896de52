import { type Kysely, type Migration, sql } from "kysely";

/**
 * Tables of the local service. A row is kept as versions: one was current for the snapshots `from_seq <= n < to_seq` of its
 * document. Every `record` and `cells` is JSON.
 */
export interface ServiceSchema {
  settings: { name: string; value: string };
  users: { id: string; position: number; name: string; email: string; record: string };
  workspaces: { id: string; position: number; name: string; record: string };
  tokens: { token_sha256: string; user_id: string; name: string; record: string };
  docs: {
    id: string;
    title: string;
    owner_id: string;
    created_at_ms: number;
    updated_at_ms: number;
    /** Number of the snapshot that reads see. */
    seq: number;
    deleted: number;
    record: string;
  };
  doc_tables: { doc_id: string; id: string; position: number; name: string; record: string };
  columns: { doc_id: string; table_id: string; id: string; position: number; name: string; record: string };
  /** Pages and their content, formulas, controls, automations, permissions and exports. */
  doc_parts: { doc_id: string; kind: string; id: string; position: number; name: string; record: string };
  /** What a page or its content was until a snapshot; an empty record: it was not there. */
  part_history: { doc_id: string; kind: string; until_seq: number; id: string; position: number; name: string; record: string };
  row_versions: {
    doc_id: string;
    table_id: string;
    id: string;
    from_seq: number;
    to_seq: number;
    position: number;
    created_at_ms: number;
    updated_at_ms: number;
    cells: string;
  };
  /** Places in the order of a table whose row was deleted, and in which snapshot: what the index of a later row is counted with. */
  row_deletions: { doc_id: string; table_id: string; position: number; seq: number };
  /** Which keys of a table are kept in `row_keys`. */
  key_indexes: { doc_id: string; table_id: string; index_name: string };
  /** The current rows by a digest of what an index is made of. */
  row_keys: { doc_id: string; table_id: string; index_name: string; digest: string; row_id: string };
  /** Packs of the registry; `record` is the listing. */
  packs: { id: number; owner_id: string; created_at_ms: number; updated_at_ms: number; deleted: number; record: string };
  /** Versions, releases, permissions, uploads, secrets, logs and everything else that belongs to a Pack. */
  pack_parts: { pack_id: number; kind: string; id: string; position: number; record: string };
  /** Uploaded bytes in base64, by their SHA-256. They never change, so a snapshot does not copy them. */
  pack_files: { id: string; content: string };
  mutations: {
    position: number;
    id: string;
    doc_id: string;
    user_id: string;
    edit: string;
    accepted_at_ms: number;
    due_at_ms: number;
    completed_at_ms: number | null;
    warning: string | null;
    state: EditState;
    /** After how many more polls of its state the edit is due; null when only time counts. */
    polls_left: number | null;
  };
}

/**
 * `pending` waits in the queue, `running` has work outside of the database to do, `stuck` never completes, `done` did.
 */
export type EditState = "pending" | "running" | "stuck" | "done";

/** `to_seq` of a version that is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;

/** The tables that a seed, a snapshot and a reset replace, with their columns. */
export const STATE_TABLES = {
  users: ["id", "position", "name", "email", "record"],
  workspaces: ["id", "position", "name", "record"],
  tokens: ["token_sha256", "user_id", "name", "record"],
  docs: ["id", "title", "owner_id", "created_at_ms", "updated_at_ms", "seq", "deleted", "record"],
  doc_tables: ["doc_id", "id", "position", "name", "record"],
  columns: ["doc_id", "table_id", "id", "position", "name", "record"],
  doc_parts: ["doc_id", "kind", "id", "position", "name", "record"],
  part_history: ["doc_id", "kind", "until_seq", "id", "position", "name", "record"],
  row_versions: ["doc_id", "table_id", "id", "from_seq", "to_seq", "position", "created_at_ms", "updated_at_ms", "cells"],
  row_deletions: ["doc_id", "table_id", "position", "seq"],
  key_indexes: ["doc_id", "table_id", "index_name"],
  row_keys: ["doc_id", "table_id", "index_name", "digest", "row_id"],
  packs: ["id", "owner_id", "created_at_ms", "updated_at_ms", "deleted", "record"],
  pack_parts: ["pack_id", "kind", "id", "position", "record"],
  mutations: [
    ...(["position", "id", "doc_id", "user_id", "edit", "accepted_at_ms", "due_at_ms"] as const),
    ...(["completed_at_ms", "warning", "state", "polls_left"] as const),
  ],
} as const satisfies { [Table in Exclude<keyof ServiceSchema, "settings" | "pack_files">]: readonly (keyof ServiceSchema[Table])[] };

export type StateTable = keyof typeof STATE_TABLES;

export const serviceMigrations: Record<string, Migration> = {
  "service-001": {
    async up(db) {
      const part = { doc_id: "text", id: "text", position: "integer", name: "text", record: "text" } as const;
      const times = { created_at_ms: "bigint", updated_at_ms: "bigint" } as const;
      await createTable(db, "settings", { name: "text", value: "text" }, ["name"]);
      await createTable(db, "users", { id: "text", position: "integer", name: "text", email: "text", record: "text" }, ["id"]);
      await createTable(db, "workspaces", { id: "text", position: "integer", name: "text", record: "text" }, ["id"]);
      await createTable(db, "tokens", { token_sha256: "text", user_id: "text", name: "text", record: "text" }, ["token_sha256"]);
      const doc = { id: "text", title: "text", owner_id: "text", ...times, seq: "bigint", deleted: "integer", record: "text" } as const;
      await createTable(db, "docs", doc, ["id"]);
      await createTable(db, "doc_tables", part, ["doc_id", "id"]);
      await createTable(db, "columns", { ...part, table_id: "text" }, ["doc_id", "table_id", "id"]);
      await createTable(db, "doc_parts", { ...part, kind: "text" }, ["doc_id", "kind", "id"]);
      const place = { doc_id: "text", table_id: "text", id: "text" } as const;
      const version = { ...place, from_seq: "bigint", to_seq: "bigint", position: "bigint", ...times, cells: "text" } as const;
      await createTable(db, "row_versions", version, ["doc_id", "table_id", "id", "from_seq"]);
      for (const column of ["created_at_ms", "updated_at_ms"])
        await createIndex(db, `row_versions_by_${column}`, "row_versions", ["doc_id", "table_id", column, "id"]);
      await createIndex(db, "row_versions_by_position", "row_versions", ["doc_id", "table_id", "position", "from_seq", "to_seq", "id"]);
      await db.schema
        .createTable("mutations")
        // SQLite numbers an integer key automatically; PostgreSQL needs a column type for it.
        .addColumn("position", "integer", (column) =>
          db.getExecutor().adapter.supportsTransactionalDdl ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey(),
        )
        .addColumn("id", "text", (column) => column.notNull().unique())
        .addColumn("doc_id", "text", (column) => column.notNull())
        .addColumn("user_id", "text", (column) => column.notNull())
        .addColumn("edit", "text", (column) => column.notNull())
        .addColumn("accepted_at_ms", "bigint", (column) => column.notNull())
        .addColumn("due_at_ms", "bigint", (column) => column.notNull())
        .addColumn("completed_at_ms", "bigint")
        .addColumn("warning", "text")
        .execute();
    },
  },
  "service-002": {
    async up(db) {
      await db.schema
        .alterTable("mutations")
        .addColumn("state", "text", (column) => column.notNull().defaultTo("pending"))
        .execute();
      await db.schema.alterTable("mutations").addColumn("polls_left", "integer").execute();
      await sql`update mutations set state = 'done' where completed_at_ms is not null`.execute(db);
      await createIndex(db, "mutations_by_state", "mutations", ["state", "position"]);
      await createIndex(db, "mutations_by_doc", "mutations", ["doc_id", "state", "position"]);
      await createIndex(db, "doc_parts_by_id", "doc_parts", ["kind", "id"]);
      const table = { doc_id: "text", table_id: "text" } as const;
      await createTable(db, "row_deletions", { ...table, position: "bigint", seq: "bigint" }, ["doc_id", "table_id", "position"]);
      await sql`insert into row_deletions (doc_id, table_id, position, seq)
        select doc_id, table_id, position, max(to_seq) from row_versions
        group by doc_id, table_id, position having max(to_seq) < ${sql.lit(CURRENT)}`.execute(db);
      const index = { ...table, index_name: "text" } as const;
      await createTable(db, "key_indexes", index, ["doc_id", "table_id", "index_name"]);
      const key = ["doc_id", "table_id", "index_name", "digest", "row_id"];
      await createTable(db, "row_keys", { ...index, digest: "text", row_id: "text" }, key);
      await createIndex(db, "row_keys_by_row", "row_keys", ["doc_id", "table_id", "row_id"]);
      // A copy of each table, for the states that a reset and a restore go back to.
      // What came later brings its own.
      const later = ["part_history", "packs", "pack_parts"];
      for (const name of Object.keys(STATE_TABLES)) if (!later.includes(name)) await createSavedTable(db, name);
    },
  },
  "service-003": {
    async up(db) {
      // The old one held every column that a look-up by id names, and SQLite preferred reading all of it to the key.
      await db.schema.dropIndex("row_versions_by_position").execute();
      await createIndex(db, "row_versions_by_place", "row_versions", ["doc_id", "table_id", "position", "id"]);
      // Ids are ordered as bytes, as SQLite does: of rows of one millisecond the earlier id comes first.
      if (db.getExecutor().adapter.supportsTransactionalDdl)
        await sql`alter table row_versions alter column id type text collate "C"`.execute(db);
    },
  },
  "service-004": {
    async up(db) {
      const part = {
        doc_id: "text",
        kind: "text",
        until_seq: "bigint",
        id: "text",
        position: "integer",
        name: "text",
        record: "text",
      } as const;
      await createTable(db, "part_history", part, ["doc_id", "kind", "until_seq", "id"]);
      await createSavedTable(db, "part_history");
    },
  },
  "service-005": {
    async up(db) {
      const pack = { id: "integer", owner_id: "text", created_at_ms: "bigint", updated_at_ms: "bigint" } as const;
      await createTable(db, "packs", { ...pack, deleted: "integer", record: "text" }, ["id"]);
      const part = { pack_id: "integer", kind: "text", id: "text", position: "integer", record: "text" } as const;
      await createTable(db, "pack_parts", part, ["pack_id", "kind", "id"]);
      await createTable(db, "pack_files", { id: "text", content: "text" }, ["id"]);
      for (const name of ["packs", "pack_parts"]) await createSavedTable(db, name);
    },
  },
};

type AnyDb = Kysely<unknown>;

async function createTable(db: AnyDb, name: string, columns: Record<string, "text" | "integer" | "bigint">, key: string[]): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) table = table.addColumn(column, type, (built) => built.notNull());
  await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
}

async function createSavedTable(db: AnyDb, name: string): Promise<void> {
  const saved = `saved_${name}`;
  await sql`create table ${sql.table(saved)} as select cast('' as text) as snapshot, * from ${sql.table(name)} where 1 = 0`.execute(db);
  await createIndex(db, `${saved}_by_snapshot`, saved, ["snapshot"]);
}

async function createIndex(db: AnyDb, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}
