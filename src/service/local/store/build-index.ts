import type { Kysely, Transaction } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import { addPlaces, BUILT, type IndexedTable, type KeyIndex, listIndexes, placesOf } from "./key-index.ts";
import { lockDoc } from "./lock-doc.ts";
import { readRows } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";

/** A piece is short, because in an embedded database nothing else is done meanwhile. */
const PIECE_ROWS = 250;
/** A table with fewer rows is indexed at once. */
export const SMALL_ROWS = 2_000;

/** An edit needs an index that is not complete. It is applied again when it is. */
export class IndexMissing extends Error {
  override readonly name = "IndexMissing";
  readonly table: IndexedTable;
  readonly index: KeyIndex;
  constructor(table: IndexedTable, index: KeyIndex) {
    super(`The index ${index} is not complete.`);
    this.table = table;
    this.index = index;
  }
}

export async function isBuilt(db: Kysely<ServiceSchema>, table: IndexedTable, index: KeyIndex): Promise<boolean> {
  return (await listIndexes(db, table)).get(index) === BUILT;
}

/**
 * Makes sure, in the transaction of an edit, that an index is complete.
 * @throws {IndexMissing} for a table that is too long to be indexed at once
 */
export async function requireIndex(db: Transaction<ServiceSchema>, table: IndexedTable, index: KeyIndex): Promise<void> {
  const indexes = await listIndexes(db, table);
  if (indexes.get(index) === BUILT) return;
  if (indexes.has(index) || !(await buildPiece(db, table, index, SMALL_ROWS))) throw new IndexMissing(table, index);
}

export interface BuildOptions {
  /** Ends the build after the piece that is being built. */
  signal?: AbortSignal | undefined;
  /** Waits after each piece. @param tookMs how long the piece took */
  rest?: ((tookMs: number) => Promise<void>) | undefined;
}

/** Builds an index piece by piece, so that other requests run between them. From the first piece on, every write keeps it. */
export async function buildIndex(
  storage: Storage<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
  { signal, rest }: BuildOptions = {},
): Promise<void> {
  for (;;) {
    const begunAt = performance.now();
    const isDone = await storage.transaction(
      async (transaction) => {
        if (storage.engine === "postgres") await lockDoc(transaction, table.docId);
        return signal?.aborted === true || (await buildPiece(transaction, table, index, PIECE_ROWS));
      },
      { rowLocks: true },
    );
    if (isDone) return;
    if (rest !== undefined) await rest(performance.now() - begunAt);
    else await new Promise(setImmediate);
  }
}

/** @returns whether the index is complete now */
async function buildPiece(db: Transaction<ServiceSchema>, table: IndexedTable, index: KeyIndex, limit: number): Promise<boolean> {
  const { docId, tableId } = table;
  const builtTo = (await listIndexes(db, table)).get(index);
  if (builtTo === BUILT) return true;
  const after = builtTo === undefined || builtTo < 0 ? undefined : ([builtTo, ""] as const);
  const rows = await readRows(db, { docId, tableId, seq: CURRENT - 1 }, { order: "position", after, limit });
  await addPlaces(
    db,
    table,
    index,
    rows.flatMap((row) => placesOf(table, index, row)),
  );
  const reached = rows.length < limit ? BUILT : (rows.at(-1)?.position ?? 0) + 1;
  await db
    .insertInto("key_indexes")
    .values({ doc_id: docId, table_id: tableId, index_name: index, built_to: reached })
    .onConflict((conflict) => conflict.columns(["doc_id", "table_id", "index_name"]).doUpdateSet({ built_to: reached }))
    .execute();
  return reached === BUILT;
}
