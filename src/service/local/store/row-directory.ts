import type { Transaction } from "kysely";
import type { RowEdit } from "../../contract/models/requests.ts";
import type { CellEdit } from "../../contract/models/responses.ts";
import type { StoredColumn } from "../content/column.ts";
import { type CellDirectory, listedTexts } from "../content/parse-cell.ts";
import { columnFinder, displayColumnOf, listColumns } from "./doc-store.ts";
import { findByDigest, type IndexedTable, type KeyIndex, textDigest } from "./key-index.ts";
import { displayText, readRowsById, type TableSnapshot } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** The table that is written, in the transaction that writes it. */
interface DirectorySource {
  db: Transaction<ServiceSchema>;
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
  table: { timeZone: string };
  needIndex(table: IndexedTable, index: KeyIndex): Promise<void>;
}

/**
 * Looks up what the written texts of lookup and person columns stand for. Nothing else is read,
 * however long the tables are.
 */
export async function loadDirectory(
  source: DirectorySource,
  written: readonly { cells: RowEdit["cells"] }[],
): Promise<CellDirectory> {
  const { db, columns } = source;
  const texts = new Map<string, Set<string>>();
  let needsPeople = false;
  const isLookedUp = columns.some(
    ({ format, lookupTableId }) => format.type === "person" || lookupTableId !== undefined,
  );
  const find = columnFinder(columns);
  for (const { cells } of isLookedUp ? written : []) {
    for (const { column: reference, value } of cells) {
      const column = find(reference);
      if (column?.format.type === "person") needsPeople = true;
      if (column?.lookupTableId === undefined) continue;
      const known = texts.get(column.lookupTableId) ?? new Set();
      for (const text of textsOf(value)) known.add(text);
      texts.set(column.lookupTableId, known);
    }
  }
  const rows = new Map<string, Map<string, string>>();
  for (const [tableId, wanted] of texts)
    rows.set(tableId, await findTexts(source, tableId, [...wanted]));
  const people = needsPeople
    ? await db.selectFrom("users").select(["name", "email"]).orderBy("position").execute()
    : [];
  return {
    findRow: (tableId, text) => rows.get(tableId)?.get(text),
    findPerson: (text) =>
      people.find(({ email }) => email === text) ?? people.find(({ name }) => name === text),
  };
}

/** An id is found before a name, and of equal names the oldest. */
async function findTexts(
  { db, snapshot: { docId, seq }, table: { timeZone }, needIndex }: DirectorySource,
  tableId: string,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const snapshot = { docId, tableId, seq };
  const columns = await listColumns(db, docId, tableId);
  const display = displayColumnOf(columns);
  const wanted = texts.filter((text) => text !== "");
  if (wanted.length === 0) return found;
  if (display !== undefined) {
    const index: KeyIndex = `text:${display.id}`;
    await needIndex({ docId, tableId, columns, timeZone, views: [] }, index);
    const byDigest = await findByDigest(db, snapshot, index, wanted.map(textDigest));
    const rows = await readRowsById(db, snapshot, [...byDigest.values()].flat());
    for (const row of rows.toSorted((one, other) => other.position - one.position))
      found.set(displayText(row.cells[display.id]), row.id);
  }
  for (const { id } of await readRowsById(db, snapshot, wanted)) found.set(id, id);
  return found;
}

function textsOf(value: CellEdit): string[] {
  if (typeof value === "string") return [value, ...listedTexts(value)];
  return typeof value === "object" ? value.flatMap((member) => textsOf(member as CellEdit)) : [];
}
