import type { Migration } from "kysely";

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
  /** Pages, formulas, controls, automations and permissions. */
  doc_parts: { doc_id: string; kind: string; id: string; position: number; name: string; record: string };
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
  };
}

/** `to_seq` of a version that is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;

export const serviceMigrations: Record<string, Migration> = {
  "service-001": {
    async up(db) {
      await createTable("settings", { name: "text", value: "text" }, ["name"]);
      await createTable("users", { id: "text", position: "integer", name: "text", email: "text", record: "text" }, ["id"]);
      await createTable("workspaces", { id: "text", position: "integer", name: "text", record: "text" }, ["id"]);
      await createTable("tokens", { token_sha256: "text", user_id: "text", name: "text", record: "text" }, ["token_sha256"]);
      await createTable(
        "docs",
        {
          id: "text",
          title: "text",
          owner_id: "text",
          created_at_ms: "bigint",
          updated_at_ms: "bigint",
          seq: "bigint",
          deleted: "integer",
          record: "text",
        },
        ["id"],
      );
      const part = { doc_id: "text", id: "text", position: "integer", name: "text", record: "text" } as const;
      await createTable("doc_tables", part, ["doc_id", "id"]);
      await createTable("columns", { ...part, table_id: "text" }, ["doc_id", "table_id", "id"]);
      await createTable("doc_parts", { ...part, kind: "text" }, ["doc_id", "kind", "id"]);
      await createTable(
        "row_versions",
        {
          doc_id: "text",
          table_id: "text",
          id: "text",
          from_seq: "bigint",
          to_seq: "bigint",
          position: "bigint",
          created_at_ms: "bigint",
          updated_at_ms: "bigint",
          cells: "text",
        },
        ["doc_id", "table_id", "id", "from_seq"],
      );
      for (const column of ["created_at_ms", "updated_at_ms"]) {
        await db.schema.createIndex(`row_versions_by_${column}`).on("row_versions").columns(["doc_id", "table_id", column, "id"]).execute();
      }
      await db.schema
        .createIndex("row_versions_by_position")
        .on("row_versions")
        .columns(["doc_id", "table_id", "position", "from_seq", "to_seq", "id"])
        .execute();
      await db.schema
        .createTable("mutations")
        // SQLite numbers an integer key by itself; PostgreSQL, whose schema changes can be rolled back, must be told to.
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

      async function createTable(name: string, columns: Record<string, "text" | "integer" | "bigint">, key: string[]): Promise<void> {
        let table = db.schema.createTable(name);
        for (const [column, type] of Object.entries(columns)) table = table.addColumn(column, type, (built) => built.notNull());
        await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
      }
    },
  },
};
