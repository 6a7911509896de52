import { type Kysely, sql, type Transaction } from "kysely";
import { type Engine, isOneOf, listNumbers } from "../store/json-sql.ts";
import { createPace, type Pace } from "../store/pace.ts";
import type { TableSnapshot } from "../store/row-store.ts";
import { CURRENT, CURRENT_LITERAL, type ServiceSchema } from "../store/schema.ts";
import type { BatchOptions } from "./batch.ts";
import { saveProgress, takeDoc, updateHead } from "./pending-edits.ts";

/**
 * Decides that what is written of edits in slices will be taken back. Until `undoSlices` has done
 * so, no other edit of the document is applied.
 * @param requestId only when they are of this edit
 */
export async function abandonSlices(
  transaction: Transaction<ServiceSchema>,
  docId: string,
  requestId?: string,
): Promise<void> {
  const { progress } = await takeDoc(transaction, docId, 0, false);
  if (progress === undefined) return;
  if (requestId !== undefined && !progress.ids.includes(requestId)) return;
  await saveProgress(transaction, docId, { ...progress, isUndone: true });
  await updateHead(transaction, docId);
}

/**
 * Takes back what was abandoned, in slices as it was written. After a kill, or in another process,
 * the next slice goes on from there.
 * @returns how many slices there were
 */
export async function undoSlices(
  { storage, sliceMs, isClosed }: Pick<BatchOptions, "storage" | "sliceMs" | "isClosed">,
  docId: string,
): Promise<number> {
  const pace = createPace(storage.engine, sliceMs);
  const undoNext = () =>
    storage.transaction((transaction) => undoSlice(transaction, storage.engine, docId, pace), {
      rowLocks: true,
    });
  let slices = 0;
  for (; !isClosed() && (await undoNext()); slices++) await storage.letOthersWrite();
  return slices;
}

/** @returns whether there was something to take back */
async function undoSlice(
  db: Transaction<ServiceSchema>,
  engine: Engine,
  docId: string,
  pace: Pace,
): Promise<boolean> {
  const { progress, seq } = await takeDoc(db, docId, 0, engine === "postgres");
  if (progress?.isUndone !== true) return false;
  const snapshot = { docId, tableId: progress.tableId, seq: seq + 1 };
  const undone = await pace.slice(0, progress.done, (from, to) =>
    undoChanges(db, engine, snapshot, to - from),
  );
  const done = progress.done - undone;
  await saveProgress(db, docId, done > 0 ? { ...progress, done } : undefined);
  if (done === 0) await updateHead(db, docId);
  return true;
}

/** Takes back so many changes that were written for a snapshot that never came. */
async function undoChanges(
  db: Kysely<ServiceSchema>,
  engine: Engine,
  { docId, tableId, seq }: TableSnapshot,
  limit: number,
): Promise<void> {
  const inTable = sql<boolean>`doc_id = ${docId} and table_id = ${tableId}`;
  const added = await db
    .selectFrom("row_versions")
    .select("id")
    .where(inTable)
    .where("to_seq", "=", CURRENT_LITERAL)
    .where("from_seq", "=", seq)
    .limit(limit)
    .execute();
  await db
    .deleteFrom("row_versions")
    .where(inTable)
    .where(
      isOneOf(
        db,
        "id",
        added.map(({ id }) => id),
      ),
    )
    .where("from_seq", "=", seq)
    .execute();
  const ended = await db
    .selectFrom("row_versions")
    .select(["id", "position"])
    .where(inTable)
    .where("to_seq", "<", CURRENT_LITERAL)
    .where("to_seq", "=", seq)
    .limit(limit)
    .execute();
  await db
    .updateTable("row_versions")
    .set({ to_seq: CURRENT })
    .where(inTable)
    .where(
      isOneOf(
        db,
        "id",
        ended.map(({ id }) => id),
      ),
    )
    // Without the sum, an engine might read all that ended in an index instead.
    .where(sql<number>`to_seq + 0`, "=", seq)
    .execute();
  const places = listNumbers(
    engine,
    ended.map(({ position }) => position),
  );
  await sql`delete from row_deletions where ${inTable} and seq = ${seq}
    and position in (select value from ${places} as place)`.execute(db);
}
