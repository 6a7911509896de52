import type { Kysely, Transaction } from "kysely";
import type { ServiceSchema } from "../store/schema.ts";
import type { OutsideWork } from "./edit.ts";

type Transacted = Transaction<ServiceSchema>;

const MAX_CANDIDATES = 20;

export function findPending(db: Kysely<ServiceSchema>, requestId: string) {
  return db
    .selectFrom("mutations")
    .select(["doc_id", "position"])
    .where("id", "=", requestId)
    .where("state", "=", "pending")
    .executeTakeFirst();
}

/** Marks an edit whose work continues outside of the database. Other instances see when it began. */
export async function beginWork(transaction: Transacted, id: string, work: OutsideWork, nowMs: number): Promise<void> {
  await transaction
    .updateTable("mutations")
    .set({ state: "running", due_at_ms: nowMs, edit: JSON.stringify(work) })
    .where("id", "=", id)
    .execute();
}

/**
 * The oldest edit of a document that is due. On a server the document is locked; those that another instance works on are
 * passed over first and waited for when nothing else is left.
 * @returns `again` when another instance was faster
 */
export async function takeNext(transaction: Transacted, dueMs: number, isServer: boolean) {
  const firsts = transaction
    .selectFrom("mutations as m")
    .selectAll("m")
    .where("m.state", "=", "pending")
    .where("m.due_at_ms", "<=", dueMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("mutations as earlier")
            .select("earlier.id")
            .whereRef("earlier.doc_id", "=", "m.doc_id")
            .where("earlier.state", "=", "pending")
            .whereRef("earlier.position", "<", "m.position"),
        ),
      ),
    )
    .orderBy("m.position");
  if (!isServer) return await firsts.limit(1).executeTakeFirst();
  const docIds = [...new Set((await firsts.limit(MAX_CANDIDATES).execute()).map(({ doc_id }) => doc_id))];
  const [first] = docIds;
  if (first === undefined) return undefined;
  const [locked = first] = await lockDocs(transaction, docIds, "skip");
  if (locked === first) await lockDocs(transaction, [first], "wait");
  // Read again: what was seen before the lock may be done by now.
  return (await firsts.where("m.doc_id", "=", locked).limit(1).executeTakeFirst()) ?? "again";
}

/** Locks the first document of a list that is free, or waits for a single one. @returns its id */
export async function lockDocs(transaction: Transacted, docIds: readonly string[], how: "skip" | "wait"): Promise<string[]> {
  const free = transaction.selectFrom("docs").select("id").where("id", "in", docIds).limit(1).forUpdate();
  const rows = await (how === "skip" ? free.skipLocked() : free).execute();
  return rows.map(({ id }) => id);
}
