import { type Kysely, sql, type Transaction } from "kysely";
import type { ServiceSchema } from "../store/schema.ts";
import type { OutsideWork } from "./edit.ts";

type Transacted = Transaction<ServiceSchema>;
type Db = Kysely<ServiceSchema>;

export function findPending(db: Db, requestId: string) {
  return db
    .selectFrom("mutations")
    .select(["doc_id", "position"])
    .where("id", "=", requestId)
    .where("state", "=", "pending")
    .executeTakeFirst();
}

/**
 * Marks an edit whose work continues outside of the database. Other instances see when it began.
 */
export async function beginWork(
  transaction: Transacted,
  docId: string,
  id: string,
  work: OutsideWork,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable("mutations")
    .set({ state: "running", due_at_ms: nowMs, edit: JSON.stringify(work) })
    .where("doc_id", "=", docId)
    .where("id", "=", id)
    .execute();
}

/** When the next edit of any document is due; undefined when none waits. */
export async function firstDueMs(db: Db): Promise<number | undefined> {
  const first = await db
    .selectFrom("docs")
    .select("next_due_ms")
    .where("next_due_ms", "is not", null)
    .orderBy("next_due_ms")
    .limit(1)
    .executeTakeFirst();
  return first?.next_due_ms ?? undefined;
}

/**
 * Takes the document whose first edit is due longest. On a server it is locked; those that another
 * instance works on are passed over
 * first and waited for when nothing else is left.
 */
export async function takeDueDoc(
  transaction: Transacted,
  dueMs: number,
  isServer: boolean,
): Promise<string | undefined> {
  const due = transaction
    .selectFrom("docs")
    .select("id")
    .where("next_due_ms", "is not", null)
    .where("next_due_ms", "<=", dueMs)
    .orderBy("next_due_ms")
    .limit(1);
  const free = await (isServer ? due.forUpdate().skipLocked() : due).executeTakeFirst();
  if (free !== undefined || !isServer) return free?.id;
  return (await due.forUpdate().executeTakeFirst())?.id;
}

/** The first edits of a document, in their order. */
export function firstPending(transaction: Transacted, docId: string, limit: number) {
  return transaction
    .selectFrom("mutations")
    .select(["id", "user_id", "edit", "due_at_ms"])
    .where("doc_id", "=", docId)
    .where("state", "=", "pending")
    .orderBy("position")
    .limit(limit)
    .execute();
}

/** Stores with a document when its first edit is due. */
export async function updateHead(transaction: Transacted, docId: string): Promise<void> {
  await sql`update docs set next_due_ms = (select m.due_at_ms from mutations as m
    where m.doc_id = ${docId} and m.state = 'pending' order by m.position limit 1) where id = ${docId}`.execute(
    transaction,
  );
}

/** When the last edit of a document that waits is due. */
export async function lastDueMs(
  transaction: Transacted,
  docId: string,
): Promise<number | undefined> {
  const last = await transaction
    .selectFrom("mutations")
    .select("due_at_ms")
    .where("doc_id", "=", docId)
    .where("state", "=", "pending")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.due_at_ms;
}
