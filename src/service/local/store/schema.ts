import { type Generated, type Kysely, type Migration, type RawBuilder, sql } from "kysely";
import { getEngine } from "./json-sql.ts";
import { NAME_START } from "./name-start.ts";

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
    /** The title in lower case. */
    search_title: string;
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
    /** Which edit is being applied in slices, and how far (`EditProgress`); null for none. */
    progress: string | null;
    /** Raised by every change of its tables, columns, pages and permissions (`raiseStructure`). */
    structure: number;
  };
  doc_tables: {
    doc_id: string;
    id: string;
    position: number;
    name: string;
    record: string;
    is_view: number;
    /** How many rows it has now; 0 for a view. */
    row_count: number;
    /** The place that the next row gets. Places are given out once. */
    next_position: number;
  };
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
    /** The page above, or that holds it; empty for none. */
    parent_id: string;
    position: number;
    name: string;
    /** The name in lower case, by which lists are sorted. */
    sort_name: string;
    record: string;
  };
  /** What a page or its content was until a snapshot; an empty record: it was not there. */
  part_history: {
    doc_id: string;
    kind: string;
    until_seq: number;
    id: string;
    parent_id: string;
    position: number;
    name: string;
    sort_name: string;
    record: string;
  };
  row_versions: {
    doc_id: string;
    table_id: string;
    id: string;
    /** The text of its display column. */
    name: string;
    from_seq: number;
    to_seq: number;
    position: number;
    created_at_ms: number;
    updated_at_ms: number;
    cells: string;
    /** What cells are compared by where that is not the cell itself (`compareCells`). */
    compared: string;
  };
  /** Places in the order of a table whose row was deleted, and in which snapshot. */
  row_deletions: { doc_id: string; table_id: string; position: number; seq: number };
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
    position: Generated<number>;
    id: string;
    doc_id: string;
    user_id: string;
    edit: string;
    /** How many characters `edit` had when it was accepted, by which it is applied in slices. */
    size: number;
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
 * `pending` waits in the queue, `running` has work outside of the database to do, `offered` waits for
 * a process that has the Pack of its action, `stuck` never completes, `done` did.
 */
export type EditState = "pending" | "running" | "offered" | "stuck" | "done";

/** `to_seq` of a version that is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;
/** As a literal, without which no partial index is used. */
export const CURRENT_LITERAL = sql.lit(CURRENT);

/** What a snapshot does not hold: marks belong to the past of the current state. */
export const DERIVED_TABLES = ["doc_marks"] as const;

/** The tables that a seed, a snapshot and a reset replace, with their columns. */
export const STATE_TABLES = {
  users: ["id", "position", "name", "email", "record"],
  workspaces: ["id", "position", "name", "record"],
  tokens: ["token_sha256", "user_id", "name", "record"],
  docs: [
    "id",
    "title",
    "search_title",
    "owner_id",
    "created_at_ms",
    "updated_at_ms",
    "seq",
    "deleted",
    "record",
    "next_due_ms",
    "purged_seq",
    "progress",
    "structure",
  ],
  doc_tables: [
    ...(["doc_id", "id", "position", "name", "record", "is_view"] as const),
    ...(["row_count", "next_position"] as const),
  ],
  columns: ["doc_id", "table_id", "id", "position", "name", "record"],
  doc_parts: ["doc_id", "kind", "id", "parent_id", "position", "name", "sort_name", "record"],
  part_history: [
    ...(["doc_id", "kind", "until_seq", "id", "parent_id", "position", "name"] as const),
    ...(["sort_name", "record"] as const),
  ],
  row_versions: [
    "doc_id",
    "table_id",
    "id",
    "name",
    "from_seq",
    "to_seq",
    "position",
    "created_at_ms",
    "updated_at_ms",
    "cells",
    "compared",
  ],
  row_deletions: ["doc_id", "table_id", "position", "seq"],
  packs: ["id", "owner_id", "created_at_ms", "updated_at_ms", "deleted", "record"],
  pack_parts: ["pack_id", "kind", "id", "position", "record"],
  mutations: [
    ...(["position", "id", "doc_id", "user_id", "edit", "size", "accepted_at_ms"] as const),
    ...(["due_at_ms", "completed_at_ms", "warning", "state", "polls_left"] as const),
  ],
} as const satisfies {
  [Table in Exclude<
    keyof ServiceSchema,
    "settings" | "pack_files" | (typeof DERIVED_TABLES)[number]
  >]: readonly (keyof ServiceSchema[Table])[];
};

export type StateTable = keyof typeof STATE_TABLES;

type AnyDb = Kysely<unknown>;
type ColumnType = "text" | "integer" | "bigint";

const TABLE = { doc_id: "text", table_id: "text" } as const;
const TIMES = {
  created_at_ms: "bigint",
  updated_at_ms: "bigint",
} as const;

export const serviceMigrations: Record<string, Migration> = {
  "service-001": {
    async up(db) {
      await createRegistryTables(db);
      await createDocumentTables(db);
      const bytes = isServer(db) ? sql`text collate "C"` : sql`text`;
      await createRowTables(db, bytes);
      await createMutations(db, isServer(db));
      for (const name of Object.keys(STATE_TABLES)) await createSavedTable(db, name);
    },
  },
};

async function createRegistryTables(db: AnyDb): Promise<void> {
  await createTable(db, "settings", { name: "text", value: "text" }, ["name"]);
  const user = {
    id: "text",
    position: "integer",
    name: "text",
    email: "text",
    record: "text",
  } as const;
  await createTable(db, "users", user, ["id"]);
  const workspace = { id: "text", position: "integer", name: "text", record: "text" } as const;
  await createTable(db, "workspaces", workspace, ["id"]);
  const token = { token_sha256: "text", user_id: "text", name: "text", record: "text" } as const;
  await createTable(db, "tokens", token, ["token_sha256"]);
  const pack = {
    id: "integer",
    owner_id: "text",
    ...TIMES,
    deleted: "integer",
    record: "text",
  } as const;
  await createTable(db, "packs", pack, ["id"]);
  const part = {
    pack_id: "integer",
    kind: "text",
    id: "text",
    position: "integer",
    record: "text",
  } as const;
  await createTable(db, "pack_parts", part, ["pack_id", "kind", "id"]);
  await createTable(db, "pack_files", { id: "text", content: "text" }, ["id"]);
}

async function createDocumentTables(db: AnyDb): Promise<void> {
  await db.schema
    .createTable("docs")
    .addColumn("id", isServer(db) ? sql`text collate "C"` : "text", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("search_title", "text", (column) => column.notNull())
    .addColumn("owner_id", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addColumn("updated_at_ms", "bigint", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("deleted", "integer", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .addColumn("next_due_ms", "bigint")
    .addColumn("purged_seq", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("progress", "text")
    .addColumn("structure", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("docs_key", ["id"])
    .execute();
  await createPartialIndex(db, "docs_by_due", {
    on: sql`docs (next_due_ms, id)`,
    where: sql`next_due_ms is not null`,
  });
  const part = {
    doc_id: "text",
    id: "text",
    position: "integer",
    name: "text",
    record: "text",
  } as const;
  const table = { is_view: "integer", row_count: "bigint", next_position: "bigint" } as const;
  await createTable(db, "doc_tables", { ...part, ...table }, ["doc_id", "id"]);
  await createTable(db, "columns", { ...part, table_id: "text" }, ["doc_id", "table_id", "id"]);
  // The last change comes first.
  await createPartialIndex(db, "docs_by_change", {
    on: sql`docs ((-updated_at_ms), id)`,
    where: sql`deleted = 0`,
  });
  const parts = { ...part, kind: "text", parent_id: "text", sort_name: "text" } as const;
  await createTable(db, "doc_parts", parts, ["doc_id", "kind", "id"]);
  await createIndex(db, "doc_parts_by_id", "doc_parts", ["kind", "id"]);
  for (const column of ["position", "sort_name", "parent_id"])
    await createIndex(db, `doc_parts_by_${column}`, "doc_parts", ["doc_id", "kind", column, "id"]);
  await createTable(db, "part_history", { ...parts, until_seq: "bigint" }, [
    "doc_id",
    "kind",
    "id",
    "until_seq",
  ]);
  await createTable(db, "doc_marks", { doc_id: "text", at_ms: "bigint", seq: "bigint" }, [
    "doc_id",
    "at_ms",
  ]);
}

async function createRowTables(db: AnyDb, bytes: RawBuilder<unknown>): Promise<void> {
  await sql`create table row_versions (doc_id ${bytes} not null, table_id ${bytes} not null, id ${bytes} not null,
    name ${bytes} not null, from_seq bigint not null, to_seq bigint not null, position bigint not null,
    created_at_ms bigint not null, updated_at_ms bigint not null, cells text not null, compared text not null,
    constraint row_versions_key primary key (doc_id, table_id, id, from_seq))`.execute(db);
  for (const column of ["created_at_ms", "updated_at_ms", "position", "from_seq"])
    await createPartialIndex(db, `rows_by_${column}`, {
      on: sql`row_versions (doc_id, table_id, ${sql.ref(column)}, id)`,
      where: sql`to_seq = ${CURRENT_LITERAL}`,
    });
  // A server writes every index of a version that ends, SQLite only those that change.
  const named = isServer(db) ? sql` where to_seq = ${CURRENT_LITERAL}` : sql``;
  await sql`create index rows_by_name on row_versions (doc_id, table_id, (${NAME_START}))${named}`.execute(
    db,
  );
  await createPartialIndex(db, "rows_by_end", {
    on: sql`row_versions (doc_id, table_id, to_seq)`,
    where: sql`to_seq < ${CURRENT_LITERAL}`,
  });
  const deletion = { ...TABLE, position: "bigint", seq: "bigint" } as const;
  await createTable(db, "row_deletions", deletion, ["doc_id", "table_id", "position"]);
}

async function createMutations(db: AnyDb, onServer: boolean): Promise<void> {
  // SQLite numbers an integer key automatically. On a server every key begins with the document, so
  // that a distributed one can keep a document in one place.
  const bytes = onServer ? sql`text collate "C"` : sql`text`;
  const position = onServer
    ? sql`bigint not null generated by default as identity`
    : sql`integer primary key`;
  const id = onServer ? sql`text not null` : sql`text not null unique`;
  const keys = onServer
    ? sql`, constraint mutations_key primary key (doc_id, position),
        constraint mutations_by_id unique (doc_id, id)`
    : sql``;
  await sql`create table mutations (position ${position}, id ${id}, doc_id ${bytes} not null, user_id text not null,
    edit text not null, size integer not null, accepted_at_ms bigint not null, due_at_ms bigint not null, completed_at_ms bigint,
    warning text, state text not null default 'pending', polls_left integer ${keys})`.execute(db);
  if (onServer) await createIndex(db, "mutations_by_request", "mutations", ["id"]);
  await createIndex(db, "mutations_by_doc", "mutations", ["doc_id", "state", "position"]);
  await createPartialIndex(db, "mutations_by_completion", {
    on: sql`mutations (completed_at_ms)`,
    where: sql`completed_at_ms is not null`,
  });
  await createPartialIndex(db, "mutations_running", {
    on: sql`mutations (due_at_ms)`,
    where: sql`state = 'running'`,
  });
  await createPartialIndex(db, "mutations_offered", {
    on: sql`mutations (position)`,
    where: sql`state = 'offered'`,
  });
}

function isServer(db: AnyDb): boolean {
  return getEngine(db) === "postgres";
}

async function createPartialIndex(
  db: AnyDb,
  name: string,
  { on, where }: { on: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<void> {
  await sql`create index ${sql.ref(name)} on ${on} where ${where}`.execute(db);
}

async function createTable(
  db: AnyDb,
  name: string,
  columns: Record<string, ColumnType>,
  key: string[],
): Promise<void> {
  // Texts are ordered as bytes, as SQLite does.
  const bytes = isServer(db) ? sql`text collate "C"` : sql`text`;
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns))
    table = table.addColumn(column, type === "text" ? bytes : type, (built) => built.notNull());
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
