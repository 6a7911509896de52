import type { Transaction } from "kysely";
import type { StoredDoc } from "./doc-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";

/** Copies what a document contains into a new one, in which all ids but its own stay the same (decision 81). */
export async function copyDoc(db: Transaction<ServiceSchema>, source: StoredDoc, docId: string): Promise<void> {
  for (const table of ["doc_tables", "columns"] as const) {
    const rows = await db.selectFrom(table).selectAll().where("doc_id", "=", source.id).execute();
    for (const row of rows) {
      await db
        .insertInto(table)
        .values({ ...row, doc_id: docId } as never)
        .execute();
    }
  }
  const parts = await db.selectFrom("doc_parts").selectAll().where("doc_id", "=", source.id).where("kind", "!=", "permission").execute();
  for (const part of parts) {
    await db
      .insertInto("doc_parts")
      .values({ ...part, doc_id: docId })
      .execute();
  }
  const rows = await db.selectFrom("row_versions").selectAll().where("doc_id", "=", source.id).where("to_seq", "=", CURRENT).execute();
  for (const row of rows) {
    await db
      .insertInto("row_versions")
      .values({ ...row, doc_id: docId, from_seq: 1 })
      .execute();
  }
}
