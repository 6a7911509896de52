import type { ColumnFormat } from "../../contract/models/responses.ts";
import type { ButtonScript } from "../edits/button-script.ts";

/** A cell as it is stored. The empty string is a blank cell. */
export type Cell = Scalar | CellObject | readonly Cell[];
export type Scalar = string | number | boolean;
export type CellObject =
  | { kind: "row"; id: string }
  | { kind: "person"; name: string; email: string }
  | { kind: "link"; name: string; url: string }
  | { kind: "image"; name: string; url: string };

/** Cells by column id. A column that is absent is blank. */
export type Cells = Readonly<Record<string, Cell>>;

export function isArrayCell(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell);
}

/** Every row that a cell points to. */
export function rowsIn(cell: Cell): string[] {
  if (isArrayCell(cell)) return cell.flatMap(rowsIn);
  return typeof cell === "object" && cell.kind === "row" ? [cell.id] : [];
}

/** A column of a base table. */
export interface StoredColumn {
  id: string;
  name: string;
  format: ColumnFormat;
  display: boolean;
  /** Not shown in the table's own layout. */
  hidden: boolean;
  calculated: boolean;
  formula: string | undefined;
  defaultValue: string | undefined;
  /** The table that a lookup column points into. */
  lookupTableId: string | undefined;
  /** What a button does. */
  script?: ButtonScript | undefined;
}

/** A table, or a view of one. */
export interface StoredTable {
  id: string;
  name: string;
  position: number;
  pageId: string | undefined;
  layout: string;
  createdAtMs: number;
  /** The base table of a view. */
  parentTableId: string | undefined;
  /** A view shows the rows whose column has this simple value. */
  filter: { columnId: string; equals: string | number | boolean } | undefined;
  sorts: readonly { columnId: string; direction: "ascending" | "descending" }[];
  /** Columns that a view shows; all of them when absent. */
  visibleColumnIds: readonly string[] | undefined;
}

/** Calculated cells and buttons cannot be written. */
export function isWritable(column: StoredColumn): boolean {
  return !column.calculated && column.format.type !== "button";
}
