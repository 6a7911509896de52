import { type Kysely, sql } from "kysely";
import type { StoredColumn } from "../content/column.ts";
import { keyExpression } from "./cell-sql.ts";
import type { Engine } from "./json-sql.ts";
import { partsOf } from "./parts-of.ts";
import { currentIn, SEARCHED_ROWS, type TableSnapshot, tableSize } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** Rows by the text of their key columns, the oldest first. */
export type RowsByKey = ReadonlyMap<string, readonly string[]>;

export interface KeySearch {
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  /** Texts of `keyText`. */
  texts: readonly string[];
}

/**
 * An embedded database does nothing else in a transaction: a long table is searched before it, and
 * then the edit is applied again.
 */
export class SearchNeeded extends Error {
  override readonly name = "SearchNeeded";
  readonly search: KeySearch;
  constructor(search: KeySearch) {
    super("The rows of keys have not been searched.");
    this.search = search;
  }
}

/** Whether a search for keys is short enough for a transaction. */
export async function isShortSearch(
  db: Kysely<ServiceSchema>,
  engine: Engine,
  { snapshot }: KeySearch,
): Promise<boolean> {
  return engine === "postgres" || (await tableSize(db, snapshot)).nextPosition <= SEARCHED_ROWS;
}

/** Searches the rows of a snapshot for keys, in pieces between which others run. */
export async function findKeys(
  db: Kysely<ServiceSchema>,
  engine: Engine,
  { snapshot, columns, texts }: KeySearch,
): Promise<RowsByKey> {
  const found = new Map<string, string[]>();
  const key = keyExpression(engine, columns);
  const { nextPosition } = await tableSize(db, snapshot);
  const size = engine === "postgres" ? nextPosition : SEARCHED_ROWS;
  const rows: { id: string; created_at_ms: number; key: string }[] = [];
  for (let from = 0; from < nextPosition; from += size) {
    for (const part of partsOf(new Set(texts))) {
      const piece = currentIn(db, snapshot)
        .select(["id", "created_at_ms", key.as("key")])
        .where(sql<number>`position`, ">=", from)
        .where(sql<number>`position`, "<", from + size)
        .where(key, "in", part);
      rows.push(...(await piece.execute()));
    }
    if (from + size < nextPosition) await new Promise(setImmediate);
  }
  rows.sort((one, other) =>
    one.created_at_ms === other.created_at_ms
      ? one.id < other.id
        ? -1
        : 1
      : one.created_at_ms - other.created_at_ms,
  );
  for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), row.id]);
  return found;
}
