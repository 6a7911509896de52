import type { Row } from "../contract/models/responses.ts";

export interface RowChanges {
  added: Row[];
  changed: Row[];
  deletedIds: string[];
  /** The value to pass as `known` to the next call. */
  known: Map<string, string>;
}

/**
 * Compares a complete list of rows with an earlier list. This function also finds deleted rows,
 * which a sync token never reports.
 * @param known `known` of the previous result: `updatedAt` by row ID. Pass an empty map in the first
 *   call. Calculated values do not change `updatedAt`.
 * @param rows all rows: `table.rows.list({ limit: 500 })`
 */
export async function diffRows(
  known: ReadonlyMap<string, string>,
  rows: AsyncIterable<Row>,
): Promise<RowChanges> {
  const changes: RowChanges = { added: [], changed: [], deletedIds: [], known: new Map() };
  for await (const row of rows) {
    changes.known.set(row.id, row.updatedAt);
    const before = known.get(row.id);
    if (before === undefined) changes.added.push(row);
    else if (before !== row.updatedAt) changes.changed.push(row);
  }
  for (const id of known.keys()) if (!changes.known.has(id)) changes.deletedIds.push(id);
  return changes;
}
