import type { Row } from "../contract/models/responses.ts";

export interface RowChanges {
  added: Row[];
  changed: Row[];
  deletedIds: string[];
  /** What to keep for the next time. */
  known: Map<string, string>;
}

/**
 * Compares a complete listing with an earlier one. It finds deleted rows, which a sync token never
 * reports.
 * @param known `updatedAt` by row id, as the last result's `known`; empty at first. Values that the
 *   service calculates do not
 * change it.
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
