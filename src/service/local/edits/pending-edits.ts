import { type Kysely, sql, type Transaction } from "kysely";
import { getEngine, jsonMember } from "../store/json-sql.ts";
import type { SizeChange } from "../store/row-store.ts";
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
export async function findDueMs(db: Db, docId: string): Promise<number | undefined> {
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

/** How far an edit is that is applied in slices. */
export interface EditProgress {
  /** The edits that are applied together, by their request ids. */
  ids: readonly string[];
  tableId: string;
  /** How many of their changes are written, and what that does to the size of the table. */
  done: number;
  size: SizeChange;
  /** When the first of them was written. */
  nowMs: number;
  /** They will not be applied: what is written is taken back, before any other edit is applied. */
  isUndone?: boolean | undefined;
}

/** What the document of an edit is like, in a transaction that has it. */
export interface TakenDoc {
  isDue: boolean;
  seq: number;
  isDeleted: boolean;
  progress: EditProgress | undefined;
}

/** Locks a document on a server, and looks whether its first edit is due. */
export async function takeDoc(
  transaction: Transacted,
  docId: string,
  dueMs: number,
  isServer: boolean,
): Promise<TakenDoc> {
  const doc = transaction
    .selectFrom("docs")
    .select(["next_due_ms", "seq", "deleted", "progress"])
    .where("id", "=", docId);
  const found = await (isServer ? doc.forUpdate() : doc).executeTakeFirst();
  return {
    isDue: (found?.next_due_ms ?? Number.POSITIVE_INFINITY) <= dueMs,
    seq: found?.seq ?? 0,
    isDeleted: found?.deleted === 1,
    progress: (found?.progress ?? null) === null ? undefined : JSON.parse(found?.progress ?? ""),
  };
}

/** So much text of edits is read for one transaction, and a longer edit is applied in slices. */
export const MAX_BATCH_CHARACTERS = 200_000;

/** Stands for an edit that is applied in slices, and read for them. */
const LONG_EDIT = JSON.stringify({ kind: "none" });

/** The first edits of a document, in their order; one at least. A long one is left out of its entry. */
export async function firstPending(transaction: Transacted, docId: string, limit: number) {
  const entries = await transaction
    .selectFrom("mutations")
    .select(["position", "size"])
    .where("doc_id", "=", docId)
    .where("state", "=", "pending")
    .orderBy("position")
    .limit(limit)
    .execute();
  let characters = 0;
  const fitting = entries.filter(({ size }, at) => {
    characters += size;
    return at === 0 || characters <= MAX_BATCH_CHARACTERS;
  });
  return await transaction
    .selectFrom("mutations")
    .select(["id", "user_id", "size", "due_at_ms"])
    .select(({ eb }) =>
      eb
        .case()
        .when("size", "<=", MAX_BATCH_CHARACTERS)
        .then(eb.ref("edit"))
        .else(LONG_EDIT)
        .end()
        .as("edit"),
    )
    .where("doc_id", "=", docId)
    .where("state", "=", "pending")
    .where("position", "<=", fitting.at(-1)?.position ?? 0)
    .orderBy("position")
    .execute();
}

/** Stores with a document when its first edit is due: now, while slices have to be taken back. */
export async function updateHead(transaction: Transacted, docId: string): Promise<void> {
  const isUndone = jsonMember(getEngine(transaction), "progress", "isUndone");
  await sql`update docs set next_due_ms = case when ${isUndone} = 'true' then 0 else (select m.due_at_ms
    from mutations as m where m.doc_id = ${docId} and m.state = 'pending' order by m.position limit 1) end
    where id = ${docId}`.execute(transaction);
}

export async function saveProgress(
  transaction: Transacted,
  docId: string,
  progress: EditProgress | undefined,
): Promise<void> {
  await transaction
    .updateTable("docs")
    .set({ progress: progress === undefined ? null : JSON.stringify(progress) })
    .where("id", "=", docId)
    .execute();
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
