import { type Kysely, type SqlBool, sql } from "kysely";
import { type PagePart, type PagePartKind, savePart } from "./doc-parts.ts";
import { isOneOf } from "./json-sql.ts";
import { splitIntoParts } from "./parts-of.ts";
import type { ServiceSchema } from "./schema.ts";
import { raiseStructure } from "./versions.ts";

type Db = Kysely<ServiceSchema>;

/** A change of a page or its content, as a part of the snapshot that an edit makes. */
interface PartChange {
  db: Db;
  docId: string;
  seq: number;
}

/** Replaces a part, and keeps what it was for those who list an earlier snapshot. */
export async function changePart<Kind extends PagePartKind>(
  change: PartChange,
  kind: Kind,
  part: PagePart<Kind>,
): Promise<void> {
  await remember(change, kind, part.id);
  await savePart(change.db, change.docId, kind, part);
}

/**
 * Deletes pages with their content, and keeps what they were for those who list an earlier
 * snapshot. A document can have very many: few statements, each for many pages.
 */
export async function deletePages(
  { db, docId, seq }: PartChange,
  pageIds: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const ids of splitIntoParts(pageIds)) {
    const isOf = (...kinds: PagePartKind[]) =>
      sql<SqlBool>`doc_id = ${docId} and kind in (${sql.join(kinds)}) and ${isOneOf(db, "id", ids)}`;
    await sql`insert into part_history (doc_id, kind, until_seq, id, parent_id, position, name, sort_name, record)
      select doc_id, kind, cast(${seq} as bigint), id, parent_id, position, name, sort_name, record
      from doc_parts where ${isOf("page", "content")} on conflict do nothing`.execute(db);
    await db.deleteFrom("doc_parts").where(isOf("content")).execute();
    const record = JSON.stringify({ deletedAtMs: nowMs });
    await db
      .updateTable("doc_parts")
      .set({ kind: "deletedPage", parent_id: "", record })
      .where(isOf("page"))
      .execute();
  }
  await raiseStructure(db, docId);
}

/** Of several changes in one snapshot the first counts: the others never were to be seen. */
async function remember(
  { db, docId, seq }: PartChange,
  kind: PagePartKind,
  id: string,
): Promise<void> {
  const known = await db
    .selectFrom("doc_parts")
    .select(["name", "position", "parent_id", "sort_name", "record"])
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  await db
    .insertInto("part_history")
    .values({
      doc_id: docId,
      kind,
      until_seq: seq,
      id,
      ...(known ?? { name: "", position: 0, parent_id: "", sort_name: "", record: "" }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
