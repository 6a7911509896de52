import { type Kysely, type SqlBool, sql } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import { keyExpression } from "./cell-sql.ts";
import { indexedText, isInTable } from "./column-indexes.ts";
import { giveWay } from "./give-way.ts";
import { type Engine, isOneOf } from "./json-sql.ts";
import { cutStart } from "./name-start.ts";
import {
  compareKeys,
  currentIn,
  endedIn,
  endedSince,
  placeRanges,
  SEARCHED_ROWS,
  type TableSnapshot,
  tableSize,
} from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** Rows by the text of their key columns, the oldest first. */
export type RowsByKey = ReadonlyMap<string, readonly string[]>;

export interface KeySearch {
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  /** Texts of `keyText`. */
  texts: readonly string[];
  /** A server has an index of the key. */
  isIndexed: boolean;
}

/** Whether a search for keys is short enough for a transaction. */
export async function isShortSearch(
  db: Kysely<ServiceSchema>,
  snapshot: TableSnapshot,
): Promise<boolean> {
  return (await tableSize(db, snapshot)).nextPosition <= SEARCHED_ROWS;
}

/** Searches the rows of a snapshot for keys, in pieces between which others run. */
export async function findKeys(
  db: Kysely<ServiceSchema>,
  engine: Engine,
  { snapshot, columns, texts, isIndexed }: KeySearch,
): Promise<RowsByKey> {
  const key = keyExpression(engine, columns);
  const wanted = [...new Set(texts)];
  const rows: { id: string; created_at_ms: number; key: string }[] = [];
  const search = async (versions: ReturnType<typeof currentIn>) => {
    let piece = versions
      .select(["id", "created_at_ms", key.as("key")])
      .where(isOneOf(db, key, wanted));
    if (isIndexed)
      piece = piece
        .where(sql<SqlBool>`${isInTable(snapshot)}`)
        .where(isOneOf(db, indexedText(key), wanted.map(cutStart)));
    rows.push(...(await piece.execute()));
  };
  if (engine === "postgres") {
    await search(currentIn(db, snapshot));
    await search(endedIn(db, snapshot));
  } else {
    for await (const range of placeRanges(db, snapshot))
      await search(currentIn(db, snapshot).where(range));
    for await (const piece of endedPieces(db, snapshot)) await search(piece);
  }
  rows.sort((one, other) =>
    compareKeys([one.created_at_ms, one.id], [other.created_at_ms, other.id]),
  );
  const found = new Map<string, string[]>();
  for (const { id, key: text } of rows) {
    const ids = found.get(text);
    if (ids === undefined) found.set(text, [id]);
    else ids.push(id);
  }
  return found;
}

/**
 * The versions that ended, in pieces: when edits are planned again after a kill, much can have
 * ended for the snapshot that they write.
 */
async function* endedPieces(
  db: Kysely<ServiceSchema>,
  snapshot: TableSnapshot,
): AsyncGenerator<ReturnType<typeof endedIn>> {
  const row = sql<number>`row_versions.rowid`;
  for (let after = 0; ; ) {
    const last = await endedSince(db, snapshot)
      .select(row.as("row"))
      .where(row, ">", after)
      .orderBy(row)
      .offset(SEARCHED_ROWS - 1)
      .limit(1)
      .executeTakeFirst();
    const piece = endedIn(db, snapshot).where(row, ">", after);
    if (last === undefined) {
      yield piece;
      return;
    }
    yield piece.where(row, "<=", last.row);
    after = last.row;
    await giveWay();
  }
}
