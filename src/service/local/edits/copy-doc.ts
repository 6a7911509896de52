import { type Kysely, sql, type Transaction } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import { HttpError } from "../api/http-error.ts";
import { savePart } from "../store/doc-parts.ts";
import type { StoredDoc } from "../store/doc-store.ts";
import { createPace } from "../store/pace.ts";
import { currentIn, endedIn, type TableSnapshot } from "../store/row-store.ts";
import { CURRENT, type ServiceSchema } from "../store/schema.ts";

/** Parts that a copy does not get: who may use the source, and its own history. */
const LEFT_BEHIND = ["permission", "deletedPage", "export", "droppedTable", "copiedTable"];

/** How many rows the tables of a copy have, and how many places those of the source had. */
type CopiedRows = ReadonlyMap<string, { rows: number; places: number }>;

/**
 * Copies the rows of a document into one that does not exist yet, in pieces between which others
 * run. Their places are numbered again: the copy has no deleted rows. Until `copyDoc` they are
 * marked: what a kill leaves behind is removed later.
 * @throws {HttpError} 503 if the rows that were copied so far, or those of the source, are being
 *   removed
 */
export async function copyRows(
  storage: Storage<ServiceSchema>,
  source: StoredDoc,
  docId: string,
): Promise<CopiedRows> {
  const copied = new Map<string, { rows: number; places: number }>();
  const pace = createPace(storage.engine);
  for (const [tableId, places] of await listPlaces(storage.db, source.id)) {
    const snapshot = { docId: source.id, tableId, seq: source.seq };
    const marker = { id: tableId, name: "", position: 0, renewedAtMs: Date.now() };
    await savePart(storage.db, docId, "copiedTable", marker);
    let rows = 0;
    for (let from = 0; from < places; ) {
      from = await storage.transaction(
        async (transaction) => {
          await renewMarkers(transaction, docId, copied.size + 1);
          return await pace.slice(from, places, async (first, end) => {
            rows += await copyPiece(transaction, snapshot, { docId, first, end, rows });
          });
        },
        { rowLocks: true },
      );
      await storage.letOthersWrite();
    }
    copied.set(tableId, { rows, places });
  }
  return copied;
}

/** How many places the base tables of a document have given out. */
async function listPlaces(
  db: Kysely<ServiceSchema>,
  docId: string,
): Promise<ReadonlyMap<string, number>> {
  const tables = await db
    .selectFrom("doc_tables")
    .select(["id", "next_position as places"])
    .where("doc_id", "=", docId)
    .where("is_view", "=", 0)
    .orderBy("position")
    .execute();
  return new Map(tables.map(({ id, places }) => [id, places]));
}

/** In the transaction of a piece, so that no rows are added after their marker was taken. */
async function renewMarkers(
  db: Transaction<ServiceSchema>,
  docId: string,
  tables: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("doc_parts")
    .set({ record: JSON.stringify({ renewedAtMs: Date.now() }) })
    .where("doc_id", "=", docId)
    .where("kind", "=", "copiedTable")
    .executeTakeFirst();
  if (Number(numUpdatedRows) < tables) throw createRemovedError();
}

/** @returns how many rows were copied */
async function copyPiece(
  db: Transaction<ServiceSchema>,
  snapshot: TableSnapshot,
  { docId, first, end, rows }: { docId: string; first: number; end: number; rows: number },
): Promise<number> {
  const columns = ["id", "name", "created_at_ms", "updated_at_ms", "cells", "compared"] as const;
  const part = (versions: ReturnType<typeof currentIn>) =>
    versions
      .select(["table_id", "position", ...columns])
      .where(sql<number>`position`, ">=", first)
      .where(sql<number>`position`, "<", end);
  const piece = part(currentIn(db, snapshot)).unionAll(part(endedIn(db, snapshot)));
  const place = sql<number>`row_number() over (order by position) + ${sql.lit(rows - 1)}`;
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("row_versions")
    .columns(["doc_id", "table_id", "from_seq", "to_seq", "position", ...columns])
    .expression((eb) =>
      eb
        .selectFrom(piece.as("piece"))
        .select([
          eb.val(docId).as("doc_id"),
          "table_id",
          eb.lit(1).as("from_seq"),
          eb.lit(CURRENT).as("to_seq"),
          place.as("position"),
          ...columns,
        ]),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows);
}

/**
 * Copies the content of a document into a new one, but for its rows. All ids stay the same, except
 * that of the document.
 */
export async function copyDoc(
  db: Transaction<ServiceSchema>,
  source: StoredDoc,
  docId: string,
  rows: CopiedRows,
): Promise<void> {
  await takeMarkers(db, docId, rows.size);
  await requireSource(db, source.id, rows);
  await db
    .insertInto("doc_tables")
    .columns([
      ...(["doc_id", "id", "position", "name", "record", "is_view"] as const),
      ...(["row_count", "next_position"] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom("doc_tables")
        .select([eb.val(docId).as("doc_id"), "id", "position", "name", "record", "is_view"])
        .select([eb.lit(0).as("row_count"), eb.lit(0).as("next_position")])
        .where("doc_id", "=", source.id),
    )
    .execute();
  await db
    .insertInto("columns")
    .columns(["doc_id", "table_id", "id", "position", "name", "record"])
    .expression((eb) =>
      eb
        .selectFrom("columns")
        .select([eb.val(docId).as("doc_id"), "table_id", "id", "position", "name", "record"])
        .where("doc_id", "=", source.id),
    )
    .execute();
  await db
    .insertInto("doc_parts")
    .columns(["doc_id", "kind", "id", "parent_id", "position", "name", "sort_name", "record"])
    .expression((eb) =>
      eb
        .selectFrom("doc_parts")
        .select([eb.val(docId).as("doc_id"), "kind", "id", "parent_id"])
        .select(["position", "name", "sort_name", "record"])
        .where("doc_id", "=", source.id)
        .where("kind", "not in", LEFT_BEHIND),
    )
    .execute();
  for (const [tableId, { rows: count }] of rows)
    await db
      .updateTable("doc_tables")
      .set({ row_count: count, next_position: count })
      .where("doc_id", "=", docId)
      .where("id", "=", tableId)
      .execute();
}

/**
 * A table that is gone, or whose places are, was given to the purge while its rows were copied: some
 * may be missing.
 */
async function requireSource(
  db: Transaction<ServiceSchema>,
  sourceId: string,
  copied: CopiedRows,
): Promise<void> {
  const now = await listPlaces(db, sourceId);
  for (const [tableId, { places }] of copied)
    if ((now.get(tableId) ?? -1) < places) throw createRemovedError();
}

/** Rows whose marker is gone are being removed. */
async function takeMarkers(
  db: Transaction<ServiceSchema>,
  docId: string,
  tables: number,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("doc_parts")
    .where("doc_id", "=", docId)
    .where("kind", "=", "copiedTable")
    .executeTakeFirst();
  if (Number(numDeletedRows) < tables) throw createRemovedError();
}

function createRemovedError(): HttpError {
  return new HttpError(
    503,
    "The rows of the copy were removed before it was complete. Send the request again.",
  );
}
