import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import type { ServiceClock } from "../clock.ts";
import { deletePart } from "./doc-parts.ts";
import { jsonMember } from "./json-sql.ts";
import { CURRENT_LITERAL, type ServiceSchema } from "./schema.ts";

export interface Purge extends AsyncDisposable {
  /**
   * Removes what is too old, when enough time has passed on the clock of the service. Does not wait
   * for it.
   */
  tick(): void;
  /** Removes what is too old now. */
  run(): Promise<void>;
}

/** As long as the token of a page, and as the state of an edit that was applied. */
export const KEPT_MS = 24 * 60 * 60_000;
const INTERVAL_MS = 10 * 60_000;
/** A copy without a new piece for this long, in real time, was ended by a kill. */
const COPY_MS = 60 * 60_000;
/** A piece is short, because in an embedded database nothing else is done meanwhile. */
const PIECE_ROWS = 200;

/**
 * Removes versions of rows and pages that no page token can reach any more, rows of deleted tables
 * and documents, and of copies that were never completed, and edits that were applied long ago. How
 * far a document was read at which time is marked, because its snapshots have numbers and no times.
 */
export function createPurge(storage: Storage<ServiceSchema>, clock: ServiceClock): Purge {
  const { db } = storage;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve();
  let isClosed = false;

  async function purge(): Promise<void> {
    const nowMs = clock.now();
    const oldestMs = nowMs - KEPT_MS;
    for (const { id, reached } of await listOutdated(oldestMs))
      await purgeDoc(id, reached, oldestMs);
    await markDocs(nowMs, oldestMs);
    await dropAbandonedCopies();
    await dropTablesOfDeletedDocs(oldestMs);
    for (const { doc_id: docId, id } of await droppedTables()) await purgeTable(docId, id);
    await inPieces((limit) =>
      deletePiece(
        sql`mutations`,
        sql`completed_at_ms is not null and completed_at_ms < ${oldestMs}`,
        limit,
      ),
    );
  }

  /** Documents with the newest snapshot that every reader of the last day has gone beyond. */
  async function listOutdated(oldestMs: number) {
    const reached = sql<number>`case when updated_at_ms <= ${oldestMs} then seq else coalesce((select
      max(m.seq) from doc_marks as m where m.doc_id = docs.id and m.at_ms <= ${oldestMs}), 0) end`;
    return await db
      .selectFrom("docs")
      .select(["id", reached.as("reached")])
      .whereRef("purged_seq", "<", "seq")
      .where(sql<SqlBool>`${reached} > purged_seq`)
      .execute();
  }

  /** One statement, because a service can have very many documents. */
  async function markDocs(nowMs: number, oldestMs: number): Promise<void> {
    await sql`insert into doc_marks (doc_id, at_ms, seq) select id, cast(${nowMs} as bigint), seq
      from docs where purged_seq < seq and updated_at_ms > ${oldestMs} on conflict do nothing`.execute(
      db,
    );
  }

  async function purgeDoc(docId: string, seq: number, oldestMs: number): Promise<void> {
    // First, so that no listing goes on with a snapshot of which half is missing.
    await db.updateTable("docs").set({ purged_seq: seq }).where("id", "=", docId).execute();
    const inDoc = sql`doc_id = ${docId}`;
    await inPieces((limit) =>
      deletePiece(
        sql`row_versions`,
        sql`${inDoc} and to_seq < ${CURRENT_LITERAL} and to_seq <= ${seq}`,
        limit,
      ),
    );
    await inPieces((limit) =>
      deletePiece(sql`part_history`, sql`${inDoc} and until_seq <= ${seq}`, limit),
    );
    await db
      .deleteFrom("doc_marks")
      .where("doc_id", "=", docId)
      .where("at_ms", "<", oldestMs)
      .where("seq", "<", seq)
      .execute();
  }

  /** The copy itself then finds that its rows are being removed. */
  async function dropAbandonedCopies(): Promise<void> {
    const renewedAtMs = sql<number>`cast(${jsonMember(storage.engine, "record", "renewedAtMs")} as bigint)`;
    await db
      .updateTable("doc_parts")
      .set({ kind: "droppedTable" })
      .where("kind", "=", sql.lit("copiedTable"))
      .where(renewedAtMs, "<", Date.now() - COPY_MS)
      .execute();
  }

  /** Not at once: a copy that began before a document was deleted still reads its rows. */
  async function dropTablesOfDeletedDocs(oldestMs: number): Promise<void> {
    // An edit that was applied in slices may have added rows to a table that has none yet.
    const ofOldDocs = sql`doc_id in (select id from docs where deleted = 1
      and updated_at_ms <= ${oldestMs} and (next_position > 0 or progress is not null))`;
    await sql`insert into doc_parts (doc_id, kind, id, parent_id, position, name, sort_name, record)
      select doc_id, 'droppedTable', id, '', 0, '', '', '{}' from doc_tables
      where ${ofOldDocs}
      on conflict do nothing`.execute(db);
    // So that they are not marked again.
    await sql`update doc_tables set row_count = 0, next_position = 0
      where next_position > 0 and ${ofOldDocs}`.execute(db);
  }

  async function droppedTables() {
    return await db
      .selectFrom("doc_parts")
      .select(["doc_id", "id"])
      .where("kind", "=", sql.lit("droppedTable"))
      .execute();
  }

  async function purgeTable(docId: string, tableId: string): Promise<void> {
    const inTable = sql`doc_id = ${docId} and table_id = ${tableId}`;
    for (const table of ["row_versions", "row_deletions"])
      await inPieces((limit) => deletePiece(sql.table(table), inTable, limit));
    if (!isClosed) await deletePart(db, docId, "droppedTable", tableId);
  }

  async function inPieces(remove: (limit: number) => Promise<number>): Promise<void> {
    while (!isClosed && (await remove(PIECE_ROWS)) >= PIECE_ROWS) await storage.letOthersWrite();
  }

  /** @returns how many rows were deleted */
  async function deletePiece(
    table: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
    limit: number,
  ): Promise<number> {
    // Each engine knows a row by another name.
    const row = storage.engine === "postgres" ? sql`ctid` : sql`rowid`;
    const query = sql`delete from ${table} where ${row} in (select ${row} from ${table} where ${condition} limit ${sql.lit(limit)})`;
    const { numAffectedRows = 0n } = await query.execute(db);
    return Number(numAffectedRows);
  }

  const run = () => {
    nextAtMs = clock.now() + INTERVAL_MS;
    // One that is running has read an earlier time and does not remove what became too old since.
    last = last.catch(() => {}).then(purge);
    return last;
  };
  return {
    tick() {
      // What does not succeed now is done next time.
      if (clock.now() >= nextAtMs && !isClosed) run().catch(() => {});
    },
    run,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await last.catch(() => {});
    },
  };
}
