import type { CellEdit, CellValue, Column, Row, ScalarEdit } from "../contract/models/responses.ts";
import { type Cell, decodeCell } from "./cells.ts";
import { findOptions, getKind, indexByKey } from "./column-kinds.ts";
import type { Money, TableRecord } from "./record-types.ts";
import type { RowCells } from "./rows.ts";
import type { TableSchema } from "./table-schema.ts";

/** A row in the `rich` format, by column id, with the values that its columns have. */
export function readRecord(row: Row, { columns }: TableSchema): TableRecord {
  const values: Record<string, unknown> = {};
  const misfits: Record<string, CellValue> = {};
  for (const [key, column] of indexByKey(columns)) {
    if (getKind(column) === "button") continue;
    const value = row.values[column.id] ?? "";
    const cell = decodeCell(value, { valueFormat: "rich" });
    values[key] = cell.kind === "blank" ? undefined : readCell(cell, value, column);
    if (values[key] === undefined && cell.kind !== "blank") misfits[key] = value;
  }
  return {
    id: row.id,
    name: row.name,
    index: row.index,
    browserLink: row.browserLink,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    values: values as TableRecord["values"],
    misfits,
  };
}

/** Undefined for a value that does not fit the column. */
function readCell(cell: Cell, value: CellValue, column: Column): unknown {
  if (getKind(column) === "other") return value;
  if (!column.format.isArray) return readSingle(cell, column);
  const items = cell.kind === "list" ? cell.items : [cell];
  const read = items.map((item) => readSingle(item, column));
  return read.includes(undefined) ? undefined : read;
}

function readSingle(cell: Cell, column: Column): unknown {
  const kind = getKind(column);
  switch (cell.kind) {
    case "text":
      return readText(cell.text, column);
    case "number":
    case "boolean":
      return kind === "text" ? String(cell.value) : cell.kind === kind ? cell.value : undefined;
    case "currency":
      return kind === "money" ? { amount: cell.amount, currency: cell.currency } : undefined;
    case "person":
    case "row":
    case "link":
    case "image": {
      const { kind: is, ...value } = cell;
      return is === kind ? value : undefined;
    }
    default:
      return undefined;
  }
}

function readText(text: string, column: Column): string | Date | undefined {
  switch (getKind(column)) {
    case "text":
      return text;
    case "option":
      return (findOptions(column)?.includes(text) ?? true) ? text : undefined;
    case "date":
      // The day as it is shown, whatever its time zone is: midnight UTC of that day.
      return readTime(/^\d{4}-\d\d-\d\d/.exec(text)?.[0]);
    case "dateTime":
      return readTime(/^\d{4}-\d\d-\d\d/.test(text) ? text : undefined);
    default:
      return undefined;
  }
}

function readTime(text: string | undefined): Date | undefined {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * The cells of an edit, by column id.
 * @throws {TypeError} for a column that does not exist or cannot be written, and for a value that no
 *   cell can hold
 */
export function writeRecord(edit: object, schema: TableSchema): RowCells {
  const cells: Record<string, CellEdit> = {};
  for (const [key, value] of Object.entries(edit)) {
    if (value === undefined) continue;
    const column = findColumn(key, schema);
    if (column.calculated || getKind(column) === "button")
      throw new TypeError(`The column ${JSON.stringify(key)} cannot be written.`);
    cells[column.id] = Array.isArray(value)
      ? value.map((item) => writeValue(item, key, column))
      : writeValue(value, key, column);
  }
  return cells;
}

/** @throws {TypeError} for a column that does not exist */
export function findColumn(key: string, { columns }: TableSchema): Column {
  const keys = indexByKey(columns);
  const column = keys.get(key);
  if (column !== undefined) return column;
  throw new TypeError(
    `The table has no column ${JSON.stringify(key)}. It has ${[...keys.keys()].join(", ")}.`,
  );
}

function writeValue(value: unknown, key: string, column: Column): ScalarEdit {
  if (value === null) return "";
  if (value instanceof Date)
    return getKind(column) === "date" ? value.toISOString().slice(0, 10) : value.toISOString();
  if (typeof value !== "object") return value as ScalarEdit;
  const { email, rowId, url, amount, currency } = value as Record<string, never> & Partial<Money>;
  const expected = column.format["currencyCode"];
  if (amount !== undefined && expected !== undefined && currency !== expected)
    throw new TypeError(
      `The currency of the column ${JSON.stringify(key)} is ${expected}, not ${currency}.`,
    );
  const written = email ?? rowId ?? url ?? amount;
  if (written === undefined)
    throw new TypeError(`The value of ${JSON.stringify(key)} cannot be written.`);
  return written;
}
