import { sql, type Transaction } from "kysely";
import type { StoredDoc } from "../store/doc-store.ts";
import { CURRENT, type ServiceSchema } from "../store/schema.ts";

/** What a copy does not take along: who may use the source, and what belongs to its own history. */
const LEFT_BEHIND = ["permission", "deletedPage", "export"];

/** Copies what a document contains into a new one, in which all ids but its own stay the same (decision 81). */
export async function copyDoc(db: Transaction<ServiceSchema>, source: StoredDoc, docId: string): Promise<void> {
  await sql`insert into doc_tables (doc_id, id, position, name, record)
    select ${docId}, id, position, name, record from doc_tables where doc_id = ${source.id}`.execute(db);
  await sql`insert into columns (doc_id, table_id, id, position, name, record)
    select ${docId}, table_id, id, position, name, record from columns where doc_id = ${source.id}`.execute(db);
  await sql`insert into doc_parts (doc_id, kind, id, position, name, record)
    select ${docId}, kind, id, position, name, record from doc_parts
    where doc_id = ${source.id} and kind not in (${sql.join(LEFT_BEHIND)})`.execute(db);
  // Places are numbered anew: the copy knows of no deleted rows.
  await sql`insert into row_versions (doc_id, table_id, id, from_seq, to_seq, position, created_at_ms, updated_at_ms, cells)
    select ${docId}, table_id, id, 1, to_seq, row_number() over (partition by table_id order by position) - 1,
      created_at_ms, updated_at_ms, cells
    from row_versions where doc_id = ${source.id} and to_seq = ${CURRENT}`.execute(db);
}
