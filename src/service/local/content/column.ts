import type { ColumnFormat } from "../../contract/models/responses.ts";
import type { ButtonScript } from "../edits/button-script.ts";

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
