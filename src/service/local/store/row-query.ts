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
  getSortKey(row: StoredRow): RowKey;
  /** The index of each row in its table or view, when it came up on the way. */
  indexes?: Map<string, number> | undefined;
}

/** In an embedded database nothing else is done while a statement runs. */
export function isInPieces({ engine }: RowSource): boolean {
  return engine === "sqlite";
}

/** The filter of the view. */
export function createFilter({ view, columns }: RowSource): RowFilter | undefined {
  const column = columns.find(({ id }) => id === view?.filter?.columnId);
  return column === undefined || view?.filter === undefined
    ? undefined
    : { column, value: view.filter.equals };
}

/** What rows have to pass: the filter of the view, and others. */
export function createCondition(
  source: RowSource,
  filter?: RowFilter | undefined,
  sinceSeq?: number | undefined,
): RawBuilder<SqlBool> {
  const conditions = createFilters(source, filter).map(
    (each) => sql`(${cellEquals(source, each)})`,
  );
  const since = sinceSeq === undefined ? [] : [sql`row_versions.from_seq + 0 > ${sinceSeq}`];
  const all = [...since, ...conditions];
  return all.length === 0 ? sql`1 = 1` : sql`(${sql.join(all, sql` and `)})`;
}

/** Conditions of which one holds for each row that passes, when the server has an index for them. */
export function createAlternatives(
  source: RowSource,
  filter?: RowFilter | undefined,
): readonly RawBuilder<SqlBool>[] | undefined {
  const { engine, indexes } = source;
  for (const each of createFilters(source, filter)) {
    const candidates = indexedCandidates(source, each);
    const cell = indexableCell(engine, each.column.id);
    if (candidates !== undefined && indexes.isReady(source, cell)) return candidates;
  }
  return undefined;
}

/** The one that was asked for comes first, because it leaves less. */
function createFilters(source: RowSource, filter: RowFilter | undefined): RowFilter[] {
  return [filter, createFilter(source)].flatMap((each) => each ?? []);
}
