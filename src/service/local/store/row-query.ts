import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { StoredColumn, StoredTable } from "../content/column.ts";
import { cellEquals, indexableCell, indexedCandidates } from "./cell-sql.ts";
import type { ColumnIndexes } from "./column-indexes.ts";
import type { Engine } from "./json-sql.ts";
import type { RowFilter } from "./row-filter.ts";
import type { RowKey, RowOrder, StoredRow } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** A base table, or one of its views, as it was in a snapshot. */
export interface RowSource {
  db: Kysely<ServiceSchema>;
  engine: Engine;
  indexes: ColumnIndexes;
  docId: string;
  /** The base table. */
  tableId: string;
  columns: readonly StoredColumn[];
  /** The view whose rows are listed. */
  view: StoredTable | undefined;
  seq: number;
}

export interface FindRowsOptions {
  order: RowOrder;
  filter?: RowFilter | undefined;
  after?: RowKey | undefined;
  /** How many rows the earlier pages had. */
  listed: number;
  /** Rows that changed after this snapshot. */
  sinceSeq?: number | undefined;
  limit: number;
}

export interface FoundRows {
  rows: StoredRow[];
  keyOf(row: StoredRow): RowKey;
  /** The index of each row in its table or view, when it came up on the way. */
  indexes?: Map<string, number> | undefined;
}

/** In an embedded database nothing else is done while a statement runs. */
export function isInPieces({ engine }: RowSource): boolean {
  return engine === "sqlite";
}

/** The filter of the view. */
export function filterOf({ view, columns }: RowSource): RowFilter | undefined {
  const column = columns.find(({ id }) => id === view?.filter?.columnId);
  return column === undefined || view?.filter === undefined
    ? undefined
    : { column, value: view.filter.equals };
}

/** What rows have to pass: the filter of the view, and others. */
export function conditionOf(
  source: RowSource,
  filter?: RowFilter | undefined,
  sinceSeq?: number | undefined,
): RawBuilder<SqlBool> {
  const filters = [filterOf(source), filter].flatMap((each) => each ?? []);
  const conditions = filters.flatMap((each) => [
    ...candidatesOf(source, each),
    sql`(${cellEquals(source, each)})`,
  ]);
  const since = sinceSeq === undefined ? [] : [sql`row_versions.from_seq + 0 > ${sinceSeq}`];
  const all = [...since, ...conditions];
  return all.length === 0 ? sql`1 = 1` : sql`(${sql.join(all, sql` and `)})`;
}

/** A condition that an index answers, when the server has one. */
function candidatesOf(source: RowSource, filter: RowFilter): RawBuilder<SqlBool>[] {
  const { engine, indexes } = source;
  const candidates = indexedCandidates(source, filter);
  return candidates !== undefined &&
    indexes.isReady(source, indexableCell(engine, filter.column.id))
    ? [candidates]
    : [];
}
