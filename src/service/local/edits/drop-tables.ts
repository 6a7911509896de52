import type { Kysely } from "kysely";
import { listTables } from "../store/doc-store.ts";
import type { ServiceSchema } from "../store/schema.ts";

/** Deletes the tables and views that pages hold, with their rows, and the views of those tables on other pages. */
export async function dropTables(db: Kysely<ServiceSchema>, docId: string, pageIds: readonly string[]): Promise<void> {
  const tables = await listTables(db, docId);
  const dropped = new Set(tables.filter(({ pageId }) => pageId !== undefined && pageIds.includes(pageId)).map(({ id }) => id));
  for (const { id, parentTableId } of tables) if (parentTableId !== undefined && dropped.has(parentTableId)) dropped.add(id);
  for (const tableId of dropped) {
    await db.deleteFrom("doc_tables").where("doc_id", "=", docId).where("id", "=", tableId).execute();
    for (const name of ["columns", "row_versions", "row_deletions", "key_indexes", "row_keys"] as const)
      await db.deleteFrom(name).where("doc_id", "=", docId).where("table_id", "=", tableId).execute();
  }
}
