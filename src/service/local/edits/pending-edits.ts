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

/** When the next edit of a document is due; undefined when none waits. */
export async function dueMsOf(db: Db, docId: string): Promise<number | undefined> {
  const doc = await db
    .selectFrom("docs")
    .select("next_due_ms")
    .where("id", "=", docId)
    .executeTakeFirst();
  return doc?.next_due_ms ?? undefined;
}

/** Documents whose first edit is due, those that wait longest first. */
export async function listDueDocs(db: Db, dueMs: number, limit: number): Promise<string[]> {
  const due = await db
    .selectFrom("docs")
    .select("id")
    .where("next_due_ms", "is not", null)
    .where("next_due_ms", "<=", dueMs)
    .orderBy("next_due_ms")
    .limit(limit)
    .execute();
  return due.map(({ id }) => id);
}

/** Locks a document on a server. @returns whether its first edit is due */
export async function takeDueDoc(
  transaction: Transacted,
  docId: string,
  dueMs: number,
  isServer: boolean,
): Promise<boolean> {
  const doc = transaction.selectFrom("docs").select("next_due_ms").where("id", "=", docId);
  const found = await (isServer ? doc.forUpdate() : doc).executeTakeFirst();
  return (found?.next_due_ms ?? Number.POSITIVE_INFINITY) <= dueMs;
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
