import type { Kysely, Transaction } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import {
  BUILT,
  type IndexedTable,
  type KeyIndex,
  listIndexes,
  partsOf,
  placesOf,
  type RowPlace,
} from "./key-index.ts";
import { lockDoc } from "./lock-doc.ts";
import { mergeSorted } from "./merge-sorted.ts";
import { readCurrentById, readRows } from "./row-store.ts";
import { CURRENT, type ServiceSchema } from "./schema.ts";
import { addPlaces } from "./update-indexes.ts";
import { beginCounts, countBlock } from "./view-counts.ts";

/**
 * So many rows are read, and so many entries written, at once: in an embedded database nothing else
 * is done meanwhile.
 */
const PIECE_ROWS = { sqlite: 250, postgres: 1_000 };
/** So many rows are sorted before they are written: neighbors share the pages of the database. */
const SORTED_ROWS = 50_000;
/** A table with fewer rows is indexed at once. */
export const SMALL_ROWS = 2_000;
/** Blocks of a view that are counted at once. */
const COUNTED_BLOCKS = 10;

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

export async function isBuilt(
  db: Kysely<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
): Promise<boolean> {
  return (await listIndexes(db, table)).get(index) === BUILT;
}

/**
 * Makes sure, in the transaction of an edit, that an index is complete.
 * @returns whether it was not before
 * @throws {IndexMissing} for a table that is too long to be indexed at once
 */
export async function requireIndex(
  db: Transaction<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
): Promise<boolean> {
  const indexes = await listIndexes(db, table);
  if (indexes.get(index) === BUILT) return false;
  if (indexes.has(index)) throw new IndexMissing(table, index);
  const rows = await readRows(db, { ...table, seq: CURRENT - 1 }, { limit: SMALL_ROWS });
  if (rows.length === SMALL_ROWS) throw new IndexMissing(table, index);
  await addPlaces(
    db,
    table,
    index,
    rows.flatMap((row) => placesOf(table, index, row)),
  );
  if (isOfView(index)) {
    await beginCounts(db, { ...table, index });
    while (!(await countBlock(db, { ...table, index })));
  }
  await setBuilt(db, table, index, BUILT);
  return true;
}

export interface BuildOptions {
  /** Ends the build after the piece that is being built. */
  signal?: AbortSignal | undefined;
  /** Waits after each piece. @param tookMs how long the piece took */
  rest?: ((tookMs: number) => Promise<void>) | undefined;
}

/**
 * Builds an index piece by piece, so that other requests run between them. From the first piece on,
 * every write keeps it.
 */
export async function buildIndex(
  storage: Storage<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
  { signal, rest = () => new Promise(setImmediate) }: BuildOptions = {},
): Promise<void> {
  const { docId } = table;
  const pieceRows = PIECE_ROWS[storage.engine];
  const inPiece = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begunAt = performance.now();
    const result = await work();
    await rest(performance.now() - begunAt);
    return result;
  };
  const write = <Result>(
    work: (db: Transaction<ServiceSchema>) => Promise<Result>,
  ): Promise<Result> =>
    inPiece(() =>
      storage.transaction(
        async (transaction) => {
          if (storage.engine === "postgres") await lockDoc(transaction, docId);
          signal?.throwIfAborted();
          return await work(transaction);
        },
        { rowLocks: true },
      ),
    );
  /**
   * @returns whether the index is still built up to the same place: another process may build it,
   * too, or go back to the seed
   */
  const addPiece = (entries: readonly RowPlace[], { from, seq }: Begun): Promise<boolean> =>
    write(async (db) => {
      if ((await listIndexes(db, table)).get(index) !== from) return false;
      const isUnchanged = (await docSeq(db, docId)) === seq;
      const places = isUnchanged
        ? entries
        : await placesNow(db, table, index, new Set(entries.map(({ rowId }) => rowId)));
      await addPlaces(db, table, index, places);
      return true;
    });

  /** @returns whether every row has its entries */
  async function addSorted(): Promise<boolean> {
    const begun = await write((db) => begin(db, table, index));
    const { from } = begun;
    if (from === BUILT) return true;
    const runs: RowPlace[][] = [];
    let last = from;
    let isEnd = false;
    for (let read = 0; !isEnd && read < SORTED_ROWS; read += pieceRows) {
      const after = last < 0 ? undefined : ([last, ""] as const);
      const rows = await inPiece(() =>
        readRows(
          storage.db,
          { ...table, seq: CURRENT - 1 },
          { order: "position", after, limit: pieceRows },
        ),
      );
      runs.push(rows.flatMap((row) => placesOf(table, index, row)).sort(comparePlaces));
      last = (rows.at(-1)?.position ?? last - 1) + 1;
      isEnd = rows.length < pieceRows;
    }
    for (const part of partsOf(mergeSorted(runs, comparePlaces), pieceRows))
      if (!(await addPiece(part, begun))) return false;
    return await write(async (db) => {
      if ((await listIndexes(db, table)).get(index) !== from) return false;
      await setBuilt(db, table, index, isEnd && !isOfView(index) ? BUILT : last);
      return isEnd;
    });
  }

  const countSome = async (db: Transaction<ServiceSchema>): Promise<boolean> => {
    for (let counted = 0; counted < COUNTED_BLOCKS; counted++) {
      if (!(await countBlock(db, { docId, tableId: table.tableId, index }))) continue;
      await setBuilt(db, table, index, BUILT);
      return true;
    }
    return false;
  };
  try {
    while (!(await addSorted()));
    if (isOfView(index)) while (!(await write(countSome)));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

function comparePlaces(one: RowPlace, other: RowPlace): number {
  if (one.digest !== other.digest) return one.digest < other.digest ? -1 : 1;
  return one.orderKey === other.orderKey ? 0 : one.orderKey < other.orderKey ? -1 : 1;
}

/** The places of these rows as they are now. */
async function placesNow(
  db: Kysely<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
  rowIds: Set<string>,
): Promise<RowPlace[]> {
  const rows = await readCurrentById(db, { ...table, seq: CURRENT - 1 }, [...rowIds]);
  return rows.flatMap((row) => placesOf(table, index, row));
}

function isOfView(index: KeyIndex): boolean {
  return index.startsWith("view:");
}

/** Up to where an index is built, and the snapshot that its document has. */
interface Begun {
  from: number;
  seq: number;
}

async function begin(
  db: Transaction<ServiceSchema>,
  table: IndexedTable,
  index: KeyIndex,
): Promise<Begun> {
  const from = (await listIndexes(db, table)).get(index);
  if (from === undefined) {
    if (isOfView(index)) await beginCounts(db, { ...table, index });
    await setBuilt(db, table, index, NOTHING_BUILT);
  }
  return { from: from ?? NOTHING_BUILT, seq: await docSeq(db, table.docId) };
}

const NOTHING_BUILT = -1;

async function docSeq(db: Kysely<ServiceSchema>, docId: string): Promise<number> {
  const doc = await db.selectFrom("docs").select("seq").where("id", "=", docId).executeTakeFirst();
  return doc?.seq ?? 0;
}

async function setBuilt(
  db: Kysely<ServiceSchema>,
  { docId, tableId }: IndexedTable,
  index: KeyIndex,
  builtTo: number,
): Promise<void> {
  await db
    .insertInto("key_indexes")
    .values({ doc_id: docId, table_id: tableId, index_name: index, built_to: builtTo })
    .onConflict((conflict) =>
      conflict.columns(["doc_id", "table_id", "index_name"]).doUpdateSet({ built_to: builtTo }),
    )
    .execute();
}
