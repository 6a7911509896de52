import type { ColumnView } from "./wire/pack.ts";

/** Rows that are looked at, and columns that are made of them. */
const MAX_ROWS = 50;
const MAX_COLUMNS = 40;

/** The columns of rows that have no schema: their members; or one column of the values themselves, whose key is empty. */
export function valueColumns(rows: readonly unknown[]): ColumnView[] {
  const seen = rows.slice(0, MAX_ROWS);
  const isObjects = seen.length > 0 && seen.every((row) => typeof row === "object" && row !== null && !Array.isArray(row));
  const keys = isObjects ? [...new Set(seen.flatMap((row) => Object.keys(row as object)))].slice(0, MAX_COLUMNS) : [""];
  return keys.map((key) => ({ key, name: key, label: key === "" ? "Value" : key, type: "", hint: undefined, isMutable: false }));
}
