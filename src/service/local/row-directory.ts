import type { Kysely } from "kysely";
import type { StoredColumn } from "./column.ts";
import { displayColumnOf, listColumns } from "./doc-store.ts";
import type { CellDirectory } from "./parse-cell.ts";
import { displayText, readRows, type TableSnapshot } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** Loads what texts of lookup and person columns can stand for. */
export async function loadDirectory(
  db: Kysely<ServiceSchema>,
  { docId, seq }: TableSnapshot,
  columns: readonly StoredColumn[],
): Promise<CellDirectory> {
  const rows = new Map<string, Map<string, string>>();
  for (const { lookupTableId: tableId } of columns) {
    if (tableId === undefined || rows.has(tableId)) continue;
    const display = displayColumnOf(await listColumns(db, docId, tableId))?.id ?? "";
    const known = new Map<string, string>();
    const found = await readRows(db, { docId, tableId, seq });
    // Of equal names the oldest wins, and an id before every name.
    for (const row of found.toReversed()) known.set(displayText(row.cells[display]), row.id);
    for (const row of found) known.set(row.id, row.id);
    known.delete("");
    rows.set(tableId, known);
  }
  const people = columns.some(({ format }) => format.type === "person")
    ? await db.selectFrom("users").select(["name", "email"]).orderBy("position").execute()
    : [];
  return {
    findRow: (tableId, text) => rows.get(tableId)?.get(text),
    findPerson: (text) => people.find(({ email }) => email === text) ?? people.find(({ name }) => name === text),
  };
}
