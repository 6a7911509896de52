import { isRecord } from "../shared/values.ts";

/** Longest text of one cell. */
const CELL_LENGTH = 40;
const MAX_COLUMNS = 12;

/**
 * Writes rows as a table of text: one line per row, the members as columns in the order in which
 * they first appear.
 * @param rows of a sync; a row that is not an object has one column
 */
export function formatRows(rows: readonly unknown[]): string[] {
  const columns = listColumns(rows);
  const shown = columns.slice(0, MAX_COLUMNS);
  const header =
    columns.length > shown.length ? [...shown, `(${columns.length - shown.length} more)`] : shown;
  const lines = [
    header,
    ...rows.map((row) => shown.map((column) => formatCell(readMembers(row)[column]))),
  ];
  const widths = header.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function listColumns(rows: readonly unknown[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(readMembers(row))) columns.add(name);
  return [...columns];
}

function readMembers(row: unknown): Record<string, unknown> {
  return isRecord(row) ? row : { value: row };
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = (typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)).replace(
    /\s+/g,
    " ",
  );
  return text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
}
