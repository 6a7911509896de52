import type { StoredColumn } from "../content/column.ts";
import type { RowSource } from "../store/find-rows.ts";
import type { IndexedTable } from "../store/key-index.ts";
import { type OpenTable, readColumns, readRowPage, type ServiceCall } from "./service-call.ts";

/** Where the rows of an opened table or view come from. */
export function rowSourceOf(
  { state }: ServiceCall,
  { doc, table, base, columns, tables }: OpenTable,
  seq: number,
): RowSource {
  const { db, engine } = state.storage;
  const indexed = (tableId: string, its: readonly StoredColumn[]): IndexedTable => ({
    docId: doc.id,
    tableId,
    columns: its,
    timeZone: doc.timeZone,
    views: tables.filter(({ parentTableId }) => parentTableId === tableId),
  });
  return {
    db,
    engine,
    indexes: state.indexes,
    table: indexed(base.id, columns),
    view: table === base ? undefined : table,
    seq,
    indexedRows: (snapshot, options) => readRowPage(state, snapshot, options),
    otherTable: async (tableId) => indexed(tableId, await readColumns(state, doc.id, tableId)),
  };
}
