import type { Kysely } from "kysely";
import type { StoredColumn, StoredTable } from "../content/column.ts";
import { type FormatContext, simpleValue } from "../content/format-cell.ts";
import { matchesCell } from "./row-filter.ts";
import { lookupKey, namesOfLookups, readRows, type StoredRow, type TableSnapshot } from "./row-store.ts";
import type { ServiceSchema } from "./schema.ts";

export interface ViewOptions {
  /** The base table. */
  snapshot: TableSnapshot;
  table: StoredTable;
  columns: readonly StoredColumn[];
  timeZone: string;
}

/** The rows that a view shows, in its own order. */
export async function rowsOfView(db: Kysely<ServiceSchema>, options: ViewOptions): Promise<StoredRow[]> {
  const { snapshot, table, columns, timeZone } = options;
  const all = await readRows(db, snapshot);
  const context = await filterContext(db, snapshot, columns, all, timeZone);
  const filtered = columns.find(({ id }) => id === table.filter?.columnId);
  const shown =
    filtered === undefined || table.filter === undefined
      ? all
      : all.filter(({ cells }) => matchesCell(cells[filtered.id] ?? "", table.filter?.equals ?? "", filtered, context));
  const sorts = table.sorts.flatMap(({ columnId, direction }) => {
    const column = columns.find(({ id }) => id === columnId);
    return column === undefined ? [] : [{ column, sign: direction === "ascending" ? 1 : -1 }];
  });
  return shown.sort((one, other) => {
    for (const { column, sign } of sorts) {
      const [left, right] = [one, other].map(({ cells }) => simpleValue(cells[column.id] ?? "", column, context));
      const order = compare(left ?? "", right ?? "");
      if (order !== 0) return sign * order;
    }
    return one.position - other.position;
  });
}

/** What is needed to compare cells by their simple values. */
export async function filterContext(
  db: Kysely<ServiceSchema>,
  snapshot: TableSnapshot,
  columns: readonly StoredColumn[],
  rows: readonly StoredRow[],
  timeZone: string,
): Promise<FormatContext> {
  const names = await namesOfLookups(db, snapshot, columns, rows);
  return { timeZone, rowName: (tableId, rowId) => names.get(lookupKey(tableId, rowId)), rowLinks: () => ({ tableUrl: "", url: "" }) };
}

function compare(left: string | number | boolean, right: string | number | boolean): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [one, other] = [String(left), String(right)];
  return one === other ? 0 : one < other ? -1 : 1;
}
