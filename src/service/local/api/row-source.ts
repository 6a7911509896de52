import type { RowSource } from "../store/row-query.ts";
import type { OpenTable, ServiceCall } from "./service-call.ts";

/** Where the rows of an opened table or view come from. */
export function createRowSource(
  { state }: ServiceCall,
  { doc, table, base, columns }: OpenTable,
  seq: number,
): RowSource {
  const { db, engine } = state.storage;
  return {
    db,
    engine,
    indexes: state.indexes,
    docId: doc.id,
    tableId: base.id,
    columns,
    view: table === base ? undefined : table,
    seq,
  };
}
