import type { Kysely } from "kysely";
import type { RowEdit } from "../../contract/models/requests.ts";
import type { CellEdit } from "../../contract/models/responses.ts";
import type { StoredColumn } from "../content/column.ts";
import { type CellDirectory, listedTexts } from "../content/parse-cell.ts";
import { columnFinder } from "./doc-store.ts";
import { splitIntoParts } from "./parts-of.ts";
import { namedIn, readRowIds, type TableSnapshot } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

/** The table that is written. */
interface DirectorySource {
  db: Kysely<ServiceSchema>;
  snapshot: TableSnapshot;
  columns: readonly StoredColumn[];
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
      for (const text of listTexts(value)) known.add(text);
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
  { db, snapshot: { docId, seq } }: DirectorySource,
  tableId: string,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const snapshot = { docId, tableId, seq };
  const wanted = texts.filter((text) => text !== "");
  for (const part of splitIntoParts(wanted)) {
    const named = await namedIn(db, snapshot, part)
      .select(["id", "name"])
      .orderBy("position", "desc")
      .execute();
    for (const { id, name } of named) found.set(name, id);
  }
  for (const id of await readRowIds(db, snapshot, wanted)) found.set(id, id);
  return found;
}

function listTexts(value: CellEdit): string[] {
  if (typeof value === "string") return [value, ...listedTexts(value)];
  return typeof value === "object" ? value.flatMap((member) => listTexts(member as CellEdit)) : [];
}
