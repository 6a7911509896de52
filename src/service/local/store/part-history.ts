import type { Kysely } from "kysely";
import {
  deletePart,
  findPart,
  listParts,
  type PagePart,
  type PagePartKind,
  savePart,
} from "./doc-parts.ts";
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

/**
 * The parts of one kind as they were in a snapshot, in their order.
 * @param which.id only this part
 */
export async function partsAt<Kind extends PagePartKind>(
  db: Db,
  { docId, kind, seq, id }: { docId: string; kind: Kind; seq: number; id?: string | undefined },
): Promise<PagePart<Kind>[]> {
  const present =
    id === undefined ? await listParts(db, docId, kind) : [await findPart(db, docId, kind, id)];
  const parts = new Map(present.flatMap((part) => (part === undefined ? [] : [[part.id, part]])));
  let changes = db
    .selectFrom("part_history")
    .select(["id", "name", "position", "record"])
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .where("until_seq", ">", seq)
    // The change that came first after the snapshot is the last one to be undone.
    .orderBy("until_seq", "desc");
  if (id !== undefined) changes = changes.where("id", "=", id);
  for (const { record, ...part } of await changes.execute()) {
    if (record === "") parts.delete(part.id);
    else parts.set(part.id, { ...JSON.parse(record), ...part });
  }
  return [...parts.values()].sort(
    (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
  );
}

/** Of several changes in one snapshot the first counts: the others never were to be seen. */
async function remember(
  { db, docId, seq }: PartChange,
  kind: PagePartKind,
  id: string,
): Promise<void> {
  const known = await db
    .selectFrom("doc_parts")
    .select(["name", "position", "record"])
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
      ...(known ?? { name: "", position: 0, record: "" }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
