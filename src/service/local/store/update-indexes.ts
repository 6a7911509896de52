import { type Kysely, type RawBuilder, sql } from "kysely";
import { insertMany } from "./insert-many.ts";
import {
  type IndexedRow,
  type IndexedTable,
  type KeyIndex,
  partsOf,
  placesOf,
  type RowPlace,
} from "./key-index.ts";
import type { ServiceSchema } from "./schema.ts";
import { changeCounts } from "./view-counts.ts";

type Db = Kysely<ServiceSchema>;

/** A change of rows: what they were, and what they are. */
export interface RowChanges {
  before: readonly IndexedRow[];
  after: readonly IndexedRow[];
}

/** Brings every index of a table up to date. */
export async function updateIndexes(
  db: Db,
  table: IndexedTable,
  indexes: readonly KeyIndex[],
  { before, after }: RowChanges,
): Promise<void> {
  for (const index of indexes) {
    const ended = new Map(
      (await placesOfAll(table, index, before)).map((place) => [placeKey(place), place]),
    );
    const begun = (await placesOfAll(table, index, after)).filter(
      (place) => !ended.delete(placeKey(place)),
    );
    await removePlaces(db, table, index, [...ended.values()]);
    await addPlaces(db, table, index, begun);
    if (index.startsWith("view:")) {
      const view = { docId: table.docId, tableId: table.tableId, index };
      await changeCounts(db, view, orderKeysOf([...ended.values()]), -1);
      await changeCounts(db, view, orderKeysOf(begun), 1);
    }
  }
}

/** The digests of many rows take long: others run in between. */
async function placesOfAll(
  table: IndexedTable,
  index: KeyIndex,
  rows: readonly IndexedRow[],
): Promise<RowPlace[]> {
  const places: RowPlace[] = [];
  let done = 0;
  for (const part of partsOf(rows)) {
    if (done > 0) await new Promise(setImmediate);
    for (const row of part) places.push(...placesOf(table, index, row));
    done += part.length;
  }
  return places;
}

function orderKeysOf(places: readonly RowPlace[]): string[] {
  return places.map(({ orderKey }) => orderKey);
}

function placeKey({ digest: of, orderKey, rowId }: RowPlace): string {
  return `${of} ${orderKey} ${rowId}`;
}

async function removePlaces(
  db: Db,
  { docId, tableId }: IndexedTable,
  index: KeyIndex,
  places: readonly RowPlace[],
): Promise<void> {
  for (const part of partsOf(places, 100)) {
    const rows: RawBuilder<unknown>[] = part.map(
      (place) =>
        sql`(${docId}, ${tableId}, ${index}, ${place.digest}, ${place.orderKey}, ${place.rowId})`,
    );
    await sql`delete from row_keys where (doc_id, table_id, index_name, digest, order_key, row_id) in (values ${sql.join(rows)})
      and doc_id = ${docId}`.execute(db);
  }
}

export async function addPlaces(
  db: Db,
  { docId, tableId }: IndexedTable,
  index: KeyIndex,
  places: readonly RowPlace[],
): Promise<void> {
  await insertMany(db, {
    table: "row_keys",
    shared: { doc_id: docId, table_id: tableId, index_name: index },
    columns: ["digest", "order_key", "row_id"],
    rows: places.map((place) => [place.digest, place.orderKey, place.rowId]),
    // What is being built may have met a row that was written in the meantime.
    onConflict: "nothing",
  });
}
