import type { Kysely } from "kysely";
import { deletePart, type PagePart, type PagePartKind, savePart } from "./doc-parts.ts";
import type { ServiceSchema } from "./schema.ts";

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

export async function endPart(change: PartChange, kind: PagePartKind, id: string): Promise<void> {
  await remember(change, kind, id);
  await deletePart(change.db, change.docId, kind, id);
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
