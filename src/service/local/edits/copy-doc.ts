import { sql, type Transaction } from "kysely";
import type { StoredDoc } from "../store/doc-store.ts";
import { CURRENT, type ServiceSchema } from "../store/schema.ts";

/** Parts that a copy does not get: who may use the source, and its own history. */
const LEFT_BEHIND = ["permission", "deletedPage", "export"];

/**
 * Copies the content of a document into a new one. All ids stay the same, except that of the
 * document.
 */
export async function copyDoc(
  db: Transaction<ServiceSchema>,
  source: StoredDoc,
  docId: string,
): Promise<void> {
  await db
    .insertInto("doc_tables")
    .columns([
      ...(["doc_id", "id", "position", "name", "record", "is_view"] as const),
      ...(["row_count", "next_position"] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom("doc_tables")
        .select([eb.val(docId).as("doc_id"), "id", "position", "name", "record", "is_view"])
        .select([eb.lit(0).as("row_count"), eb.lit(0).as("next_position")])
        .where("doc_id", "=", source.id),
    )
    .execute();
  await db
    .insertInto("columns")
    .columns(["doc_id", "table_id", "id", "position", "name", "record"])
    .expression((eb) =>
      eb
        .selectFrom("columns")
        .select([eb.val(docId).as("doc_id"), "table_id", "id", "position", "name", "record"])
        .where("doc_id", "=", source.id),
    )
    .execute();
  await db
    .insertInto("doc_parts")
    .columns(["doc_id", "kind", "id", "parent_id", "position", "name", "sort_name", "record"])
    .expression((eb) =>
      eb
        .selectFrom("doc_parts")
        .select([eb.val(docId).as("doc_id"), "kind", "id", "parent_id"])
        .select(["position", "name", "sort_name", "record"])
        .where("doc_id", "=", source.id)
        .where("kind", "not in", LEFT_BEHIND),
    )
    .execute();
  // Positions are numbered again: the copy has no deleted rows.
  await db
    .insertInto("row_versions")
    .columns([
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
    ])
    .expression((eb) => {
      const number = eb.fn
        .agg<number>("row_number")
        .over((window) => window.partitionBy("table_id").orderBy("position"));
      return eb
        .selectFrom("row_versions")
        .select([
          eb.val(docId).as("doc_id"),
          "table_id",
          "id",
          "name",
          eb.lit(1).as("from_seq"),
          "to_seq",
          eb(number, "-", eb.lit(1)).as("position"),
          "created_at_ms",
          "updated_at_ms",
          "cells",
          "compared",
        ])
        .where("doc_id", "=", source.id)
        .where("to_seq", "=", CURRENT);
    })
    .execute();
  const rows = sql<number>`(select count(*) from row_versions where row_versions.doc_id = doc_tables.doc_id
    and row_versions.table_id = doc_tables.id)`;
  await db
    .updateTable("doc_tables")
    .set({ row_count: rows, next_position: rows })
    .where("doc_id", "=", docId)
    .execute();
}
