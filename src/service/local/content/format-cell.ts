import type { ValueFormat } from "../../contract/models/requests.ts";
import type { CellValue } from "../../contract/models/responses.ts";
import { type Cell, type CellObject, isArrayCell, type StoredColumn } from "./column.ts";
import { inTimeZone } from "./time-zone.ts";

export interface FormatContext {
  timeZone: string;
  /** Display text of a row that a lookup cell points to; undefined when it was deleted. */
  rowName(tableId: string, rowId: string): string | undefined;
  /** API link and browser link of a row. */
  rowLinks(tableId: string, rowId: string): { tableUrl: string; url: string };
}

/** Writes a stored cell as a caller asked for it. */
export function formatCell(
  cell: Cell,
  column: StoredColumn,
  format: ValueFormat,
  context: FormatContext,
): CellValue {
  if (format === "simple") return simpleValue(cell, column, context);
  if (isArrayCell(cell)) return cell.map((member) => formatCell(member, column, format, context));
  return format === "rich" ? richValue(cell, column, context) : simpleValue(cell, column, context);
}

/** Arrays become one text, joined by a comma without a space. */
export function simpleValue(
  cell: Cell,
  column: StoredColumn,
  context: FormatContext,
): string | number | boolean {
  if (isArrayCell(cell))
    return cell.map((member) => String(simpleValue(member, column, context))).join(",");
  if (typeof cell === "object") return formatText(cell, column, context);
  return isDate(cell, column) ? inTimeZone(cell, context.timeZone) : cell;
}

function formatText(cell: CellObject, column: StoredColumn, context: FormatContext): string {
  switch (cell.kind) {
    case "row":
      return context.rowName(column.lookupTableId ?? "", cell.id) ?? "";
    case "person":
      return cell.name;
    case "link":
    case "image":
      return cell.url;
  }
}

// Plain text is fenced, so that nothing in it is read as formatting.
function richValue(
  cell: Exclude<Cell, readonly Cell[]>,
  column: StoredColumn,
  context: FormatContext,
): CellValue {
  if (cell === "") return "";
  if (typeof cell === "object") return richObject(cell, column, context);
  if (column.format.type === "currency" && typeof cell === "number") {
    const currency = String(column.format["currencyCode"] ?? "USD");
    return { "@context": CONTEXT, "@type": "MonetaryAmount", currency, amount: cell };
  }
  if (typeof cell !== "string") return cell;
  if (isDate(cell, column)) return inTimeZone(cell, context.timeZone);
  return `\`\`\`${cell}\`\`\``;
}

const CONTEXT = "http://schema.org/";

function richObject(cell: CellObject, column: StoredColumn, context: FormatContext): CellValue {
  switch (cell.kind) {
    case "row": {
      const tableId = column.lookupTableId ?? "";
      const name = context.rowName(tableId, cell.id) ?? "";
      const links = context.rowLinks(tableId, cell.id);
      return {
        "@context": CONTEXT,
        "@type": "StructuredValue",
        additionalType: "row",
        name,
        rowId: cell.id,
        tableId,
        ...links,
      };
    }
    case "person":
      return { "@context": CONTEXT, "@type": "Person", name: cell.name, email: cell.email };
    case "link":
      return { "@context": CONTEXT, "@type": "WebPage", name: cell.name, url: cell.url };
    case "image":
      return { "@context": CONTEXT, "@type": "ImageObject", name: cell.name, url: cell.url };
  }
}

export function isDate(cell: Cell, column: StoredColumn): cell is string {
  return (
    (column.format.type === "date" || column.format.type === "dateTime") &&
    typeof cell === "string" &&
    /^\d{4}-\d{2}-\d{2}/.test(cell)
  );
}
