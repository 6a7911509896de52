import { type Kysely, type Migration, type RawBuilder, sql } from "kysely";

/**
 * Tables of the local service. A row is kept as versions: one was current for the snapshots
 * `from_seq <= n < to_seq` of its
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
    /** When the first edit that waits is due; null when none waits. */
    next_due_ms: number | null;
    /** Versions that ended up to this snapshot are not kept any more. */
    purged_seq: number;
  };
  doc_tables: { doc_id: string; id: string; position: number; name: string; record: string };
  columns: {
    doc_id: string;
    table_id: string;
    id: string;
    position: number;
    name: string;
    record: string;
  };
  /** Pages and their content, formulas, controls, automations, permissions and exports. */
  doc_parts: {
    doc_id: string;
    kind: string;
    id: string;
    position: number;
    name: string;
    record: string;
  };
  /** What a page or its content was until a snapshot; an empty record: it was not there. */
  part_history: {
    doc_id: string;
    kind: string;
    until_seq: number;
    id: string;
    position: number;
    name: string;
    record: string;
  };
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
  /** Places in the order of a table whose row was deleted, and in which snapshot. */
  row_deletions: { doc_id: string; table_id: string; position: number; seq: number };
  /**
   * How many current rows each `BLOCK_PLACES` places of a table hold, and which place comes next.
   */
  row_blocks: {
    doc_id: string;
    table_id: string;
    block: number;
    live: number;
    next_position: number;
  };
  /** Which keys of a table are kept in `row_keys`, and up to which place of the table they are. */
  key_indexes: { doc_id: string; table_id: string; index_name: string; built_to: number };
  /** The current rows by a digest of what an index is made of, in an order of the index. */
  row_keys: {
    doc_id: string;
    table_id: string;
    index_name: string;
    digest: string;
    order_key: string;
    row_id: string;
  };
  /**
   * How many entries the index of a view has from one order key up to the next block; null: not
   * counted yet.
   */
  row_key_blocks: {
    doc_id: string;
    table_id: string;
    index_name: string;
    from_key: string;
    entries: number | null;
  };
  /** From when on reads saw a snapshot: what is older than the life of a page token is removed. */
  doc_marks: { doc_id: string; at_ms: number; seq: number };
  /** Packs of the registry; `record` is the listing. */
  packs: {
    id: number;
    owner_id: string;
    created_at_ms: number;
    updated_at_ms: number;
    deleted: number;
    record: string;
  };
  /**
   * Versions, releases, permissions, uploads, secrets, logs and everything else that belongs to a
   * Pack.
   */
  pack_parts: { pack_id: number; kind: string; id: string; position: number; record: string };
  /**
   * Uploaded bytes in base64, by their SHA-256. They never change, so a snapshot does not copy
   * them.
   */
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
/** As a literal, without which no partial index is used. */
export const CURRENT_LITERAL = sql.lit(CURRENT);
export const BLOCK_PLACES = 1_024;

/**
 * What a snapshot does not hold: indexes are made again when they are needed, and marks belong to
 * the past of the current state.
 */
export const DERIVED_TABLES = ["key_indexes", "row_keys", "row_key_blocks", "doc_marks"] as const;

/** The tables that a seed, a snapshot and a reset replace, with their columns. */
export const STATE_TABLES = {
  users: ["id", "position", "name", "email", "record"],
  workspaces: ["id", "position", "name", "record"],
  tokens: ["token_sha256", "user_id", "name", "record"],
  docs: [
    "id",
    "title",
    "owner_id",
    "created_at_ms",
    "updated_at_ms",
    "seq",
    "deleted",
    "record",
    "next_due_ms",
    "purged_seq",
  ],
  doc_tables: ["doc_id", "id", "position", "name", "record"],
  columns: ["doc_id", "table_id", "id", "position", "name", "record"],
  doc_parts: ["doc_id", "kind", "id", "position", "name", "record"],
  part_history: ["doc_id", "kind", "until_seq", "id", "position", "name", "record"],
  row_versions: [
    "doc_id",
    "table_id",
    "id",
    "from_seq",
    "to_seq",
    "position",
    "created_at_ms",
    "updated_at_ms",
    "cells",
  ],
  row_deletions: ["doc_id", "table_id", "position", "seq"],
  row_blocks: ["doc_id", "table_id", "block", "live", "next_position"],
  packs: ["id", "owner_id", "created_at_ms", "updated_at_ms", "deleted", "record"],
  pack_parts: ["pack_id", "kind", "id", "position", "record"],
  mutations: [
    ...(["position", "id", "doc_id", "user_id", "edit", "accepted_at_ms", "due_at_ms"] as const),
    ...(["completed_at_ms", "warning", "state", "polls_left"] as const),
  ],
} as const satisfies {
  [Table in Exclude<
    keyof ServiceSchema,
    "settings" | "pack_files" | (typeof DERIVED_TABLES)[number]
  >]: readonly (keyof ServiceSchema[Table])[];
};

export type StateTable = keyof typeof STATE_TABLES;

const LATER_TABLES = ["part_history", "packs", "pack_parts", "row_blocks"];

export const serviceMigrations: Record<string, Migration> = {
  "service-001": {
    async up(db) {
      const part = {
        doc_id: "text",
        id: "text",
        position: "integer",
        name: "text",
        record: "text",
      } as const;
      const times = { created_at_ms: "bigint", updated_at_ms: "bigint" } as const;
      await createTable(db, "settings", { name: "text", value: "text" }, ["name"]);
      await createTable(
        db,
        "users",
        { id: "text", position: "integer", name: "text", email: "text", record: "text" },
        ["id"],
      );
      await createTable(
        db,
        "workspaces",
        { id: "text", position: "integer", name: "text", record: "text" },
        ["id"],
      );
      await createTable(
        db,
        "tokens",
        { token_sha256: "text", user_id: "text", name: "text", record: "text" },
        ["token_sha256"],
      );
      const doc = {
        id: "text",
        title: "text",
        owner_id: "text",
        ...times,
        seq: "bigint",
        deleted: "integer",
        record: "text",
      } as const;
      await createTable(db, "docs", doc, ["id"]);
      await createTable(db, "doc_tables", part, ["doc_id", "id"]);
      await createTable(db, "columns", { ...part, table_id: "text" }, ["doc_id", "table_id", "id"]);
      await createTable(db, "doc_parts", { ...part, kind: "text" }, ["doc_id", "kind", "id"]);
      const place = { doc_id: "text", table_id: "text", id: "text" } as const;
      const version = {
        ...place,
        from_seq: "bigint",
        to_seq: "bigint",
        position: "bigint",
        ...times,
        cells: "text",
      } as const;
      await createTable(db, "row_versions", version, ["doc_id", "table_id", "id", "from_seq"]);
      for (const column of ["created_at_ms", "updated_at_ms"])
        await createIndex(db, `row_versions_by_${column}`, "row_versions", [
          "doc_id",
          "table_id",
          column,
          "id",
        ]);
      await createIndex(db, "row_versions_by_position", "row_versions", [
        "doc_id",
        "table_id",
        "position",
        "from_seq",
        "to_seq",
        "id",
      ]);
      await db.schema
        .createTable("mutations")
        // SQLite numbers an integer key automatically; PostgreSQL needs a column type for it.
        .addColumn("position", "integer", (column) =>
          db.getExecutor().adapter.supportsTransactionalDdl
            ? column.primaryKey().generatedByDefaultAsIdentity()
            : column.primaryKey(),
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
      await createTable(db, "row_deletions", { ...table, position: "bigint", seq: "bigint" }, [
        "doc_id",
        "table_id",
        "position",
      ]);
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
      for (const name of Object.keys(STATE_TABLES))
        if (!LATER_TABLES.includes(name)) await createSavedTable(db, name);
    },
  },
  "service-003": {
    async up(db) {
      // The old one held every column that a look-up by id names, and SQLite preferred reading all
      // of it to the key.
      await db.schema.dropIndex("row_versions_by_position").execute();
      await createIndex(db, "row_versions_by_place", "row_versions", [
        "doc_id",
        "table_id",
        "position",
        "id",
      ]);
      // Ids are ordered as bytes, as SQLite does: of rows of one millisecond the earlier id comes
      // first.
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
      const pack = {
        id: "integer",
        owner_id: "text",
        created_at_ms: "bigint",
        updated_at_ms: "bigint",
      } as const;
      await createTable(db, "packs", { ...pack, deleted: "integer", record: "text" }, ["id"]);
      const part = {
        pack_id: "integer",
        kind: "text",
        id: "text",
        position: "integer",
        record: "text",
      } as const;
      await createTable(db, "pack_parts", part, ["pack_id", "kind", "id"]);
      await createTable(db, "pack_files", { id: "text", content: "text" }, ["id"]);
      for (const name of ["packs", "pack_parts"]) await createSavedTable(db, name);
    },
  },
  // For large tables: current rows have indexes of their own, edits have a head for each document,
  // keys have an order.
  "service-006": {
    async up(db) {
      const isServer = db.getExecutor().adapter.supportsTransactionalDdl;
      for (const name of ["docs", "saved_docs"]) {
        await db.schema.alterTable(name).addColumn("next_due_ms", "bigint").execute();
        await db.schema
          .alterTable(name)
          .addColumn("purged_seq", "bigint", (column) => column.notNull().defaultTo(0))
          .execute();
      }
      await sql`update docs set next_due_ms = (select m.due_at_ms from mutations as m
        where m.doc_id = docs.id and m.state = 'pending' order by m.position limit 1)`.execute(db);
      await partialIndex(
        db,
        "docs_by_due",
        sql`docs (next_due_ms, id)`,
        sql`next_due_ms is not null`,
      );

      for (const name of ["created_at_ms", "updated_at_ms", "place"])
        await db.schema.dropIndex(`row_versions_by_${name}`).execute();
      const table = { doc_id: "text", table_id: "text" } as const;
      for (const column of ["created_at_ms", "updated_at_ms", "position", "from_seq"])
        await partialIndex(
          db,
          `rows_by_${column}`,
          sql`row_versions (doc_id, table_id, ${sql.ref(column)}, id)`,
          sql`to_seq = ${CURRENT_LITERAL}`,
        );
      await partialIndex(
        db,
        "rows_by_end",
        sql`row_versions (doc_id, table_id, to_seq)`,
        sql`to_seq < ${CURRENT_LITERAL}`,
      );
      await createIndex(db, "row_deletions_by_seq", "row_deletions", ["doc_id", "table_id", "seq"]);
      const blocks = {
        ...table,
        block: "bigint",
        live: "bigint",
        next_position: "bigint",
      } as const;
      await createTable(db, "row_blocks", blocks, ["doc_id", "table_id", "block"]);
      await createSavedTable(db, "row_blocks");
      for (const saved of [false, true]) {
        const [source, target] = saved
          ? ["saved_row_versions", "saved_row_blocks"]
          : ["row_versions", "row_blocks"];
        const snapshot = saved ? sql`snapshot,` : sql``;
        await sql`insert into ${sql.table(target)} (${snapshot} doc_id, table_id, block, live, next_position)
          select ${snapshot} doc_id, table_id, position / ${sql.lit(BLOCK_PLACES)},
            sum(case when to_seq = ${CURRENT_LITERAL} then 1 else 0 end), max(position) + 1
          from ${sql.table(source)} group by ${snapshot} doc_id, table_id, position / ${sql.lit(BLOCK_PLACES)}`.execute(
          db,
        );
      }

      // Keys are made again when they are needed.
      for (const name of ["row_keys", "saved_row_keys", "key_indexes", "saved_key_indexes"])
        await db.schema.dropTable(name).ifExists().execute();
      const index = { ...table, index_name: "text" } as const;
      await createTable(db, "key_indexes", { ...index, built_to: "bigint" }, [
        "doc_id",
        "table_id",
        "index_name",
      ]);
      const text = isServer ? sql`text collate "C"` : sql`text`;
      await sql`create table row_keys (doc_id text not null, table_id text not null, index_name text not null, digest text not null,
        order_key ${text} not null, row_id ${text} not null,
        constraint row_keys_key primary key (doc_id, table_id, index_name, digest, order_key, row_id))
        ${isServer ? sql`` : sql`without rowid`}`.execute(db);
      await createTable(db, "doc_marks", { doc_id: "text", at_ms: "bigint", seq: "bigint" }, [
        "doc_id",
        "at_ms",
      ]);

      await db.schema.dropIndex("mutations_by_state").execute();
      await partialIndex(
        db,
        "mutations_by_completion",
        sql`mutations (completed_at_ms)`,
        sql`completed_at_ms is not null`,
      );
      await partialIndex(
        db,
        "mutations_running",
        sql`mutations (due_at_ms)`,
        sql`state = 'running'`,
      );
      if (!isServer) return;
      // Every key begins with the document, so that a distributed server can keep a document in one
      // place.
      await sql`alter table mutations drop constraint mutations_pkey, drop constraint mutations_id_key`.execute(
        db,
      );
      await sql`alter table mutations alter column position type bigint`.execute(db);
      await sql`alter table saved_mutations alter column position type bigint`.execute(db);
      await sql`alter table mutations add constraint mutations_key primary key (doc_id, position)`.execute(
        db,
      );
      await sql`alter table mutations add constraint mutations_by_id unique (doc_id, id)`.execute(
        db,
      );
      await createIndex(db, "mutations_by_request", "mutations", ["id"]);
    },
  },
  // The index of a view is counted in blocks. It is made again when it is needed.
  "service-007": {
    async up(db) {
      const isServer = db.getExecutor().adapter.supportsTransactionalDdl;
      await sql`create table row_key_blocks (doc_id text not null, table_id text not null, index_name text not null,
        from_key ${isServer ? sql`text collate "C"` : sql`text`} not null, entries bigint,
        constraint row_key_blocks_key primary key (doc_id, table_id, index_name, from_key))
        ${isServer ? sql`` : sql`without rowid`}`.execute(db);
      for (const name of ["row_keys", "key_indexes"])
        await sql`delete from ${sql.table(name)} where index_name like 'view:%'`.execute(db);
    },
  },
};

type AnyDb = Kysely<unknown>;

async function partialIndex(
  db: AnyDb,
  name: string,
  columns: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`create index ${sql.ref(name)} on ${columns} where ${condition}`.execute(db);
}

async function createTable(
  db: AnyDb,
  name: string,
  columns: Record<string, "text" | "integer" | "bigint">,
  key: string[],
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns))
    table = table.addColumn(column, type, (built) => built.notNull());
  await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
}

async function createSavedTable(db: AnyDb, name: string): Promise<void> {
  const saved = `saved_${name}`;
  await sql`create table ${sql.table(saved)} as select cast('' as text) as snapshot, * from ${sql.table(name)} where 1 = 0`.execute(
    db,
  );
  await createIndex(db, `${saved}_by_snapshot`, saved, ["snapshot"]);
}

async function createIndex(
  db: AnyDb,
  name: string,
  table: string,
  columns: string[],
): Promise<void> {
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}
