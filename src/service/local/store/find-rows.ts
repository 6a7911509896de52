import {
  createAlternatives,
  createCondition,
  createFilter,
  type FindRowsOptions,
  type FoundRows,
  isInPieces,
  type RowSource,
} from "./row-query.ts";
import {
  namedIn,
  ROW_COLUMNS,
  readIndexes,
  readRows,
  rowKey,
  type StoredRow,
  searchRows,
  toRow,
  versionsIn,
} from "./row-store.ts";
import { findInView, hasOwnOrder, placesInView } from "./view-rows.ts";

/**
 * The rows of one page of a table or view. A search in pieces can find more than its limit: the last
 * piece may have rows of the next page.
 */
export async function findRows(source: RowSource, options: FindRowsOptions): Promise<FoundRows> {
  const { db, view } = source;
  const { order, filter, after, sinceSeq, limit } = options;
  if (order === "position" && view !== undefined && hasOwnOrder(view))
    return await findInView(source, view, options);
  const getSortKey = (row: StoredRow) => rowKey(row, order);
  const condition = createCondition(source, filter, sinceSeq);
  if (createFilter(source) === undefined && filter === undefined)
    return { rows: await readRows(db, source, { order, after, sinceSeq, limit }), getSortKey };
  const rows: StoredRow[] = [];
  const search = {
    order,
    after,
    condition,
    alternatives: createAlternatives(source, filter),
    limit,
  };
  const pieces = searchRows(db, source, search, isInPieces(source));
  for await (const piece of pieces) {
    rows.push(...piece);
    if (rows.length >= limit) break;
  }
  return { rows, getSortKey };
}

/** The index of each row in its table or view. */
export async function indexesIn(
  source: RowSource,
  rows: readonly StoredRow[],
): Promise<Map<string, number>> {
  const { db, view } = source;
  return view !== undefined && hasOwnOrder(view)
    ? await placesInView(source, view, rows)
    : await readIndexes(db, source, rows);
}

/** The rows with this name, the oldest first. */
export async function findRowsByName(source: RowSource, name: string): Promise<StoredRow[]> {
  const rows = await namedIn(source.db, source, [name], createCondition(source))
    .select(ROW_COLUMNS)
    .orderBy("created_at_ms")
    .orderBy("id")
    .execute();
  return rows.map(toRow);
}

/** Whether a view shows a row. */
export async function isShown(source: RowSource, row: StoredRow): Promise<boolean> {
  if (createFilter(source) === undefined) return true;
  const shown = await versionsIn(source.db, source)
    .select("id")
    .where("id", "=", row.id)
    .where(createCondition(source))
    .execute();
  return shown.length > 0;
}
