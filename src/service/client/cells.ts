import type { ValueFormat } from "../contract/models/requests.ts";
import type { CellEdit, CellValue, RichValue } from "../contract/models/responses.ts";

/**
 * A cell value with a type. `decodeCell` creates this value, and `encodeCell` converts the value
 * back.
 */
export type Cell =
  | { kind: "blank" }
  /** If `markdown` is true, the text is formatted. Otherwise, the text is plain. */
  | { kind: "text"; text: string; markdown: boolean }
  | { kind: "number"; value: number }
  | { kind: "boolean"; value: boolean }
  | { kind: "currency"; amount: number; currency: string }
  | { kind: "row"; name: string; rowId: string; tableId: string; url: string; tableUrl: string }
  | { kind: "person"; name: string; email: string }
  | { kind: "link"; name: string; url: string }
  | { kind: "image"; name: string; url: string }
  | { kind: "list"; items: Cell[] }
  /** An object that this version does not know. */
  | { kind: "object"; value: RichValue };

export interface DecodeCellOptions {
  /** The value format of the request for the row. */
  valueFormat: ValueFormat;
  /**
   * `format.isArray` of the column. In the `simple` format, this member distinguishes a list from
   * text with commas.
   * @default false
   */
  isArray?: boolean | undefined;
}

const FENCE = "```";

/** Decodes a value from `Row.values`. */
export function decodeCell(
  value: CellValue,
  { valueFormat, isArray = false }: DecodeCellOptions,
): Cell {
  if (valueFormat === "simple" && isArray && typeof value === "string" && value !== "") {
    return {
      kind: "list",
      items: value.split(",").map((text) => ({ kind: "text", text, markdown: false })),
    };
  }
  if (typeof value === "string")
    return value === "" ? { kind: "blank" } : textCell(value, valueFormat === "rich");
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (isList(value))
    return { kind: "list", items: value.map((item) => decodeCell(item, { valueFormat })) };
  return objectCell(value);
}

/**
 * Returns the value to write for a cell. You cannot write an object. Instead, the result identifies
 * the object: the ID of a row, the email address of a person, the URL of a link or image, or an
 * amount.
 * @throws {TypeError} for an object that this version does not know
 */
export function encodeCell(cell: Cell): CellEdit {
  if (cell.kind !== "list") return encodeSingle(cell);
  return cell.items.map((item) =>
    item.kind === "list" ? item.items.map(encodeSingle) : encodeSingle(item),
  );
}

function encodeSingle(cell: Cell): string | number | boolean {
  switch (cell.kind) {
    case "blank":
      return "";
    case "text":
      return cell.text;
    case "number":
    case "boolean":
      return cell.value;
    case "currency":
      return cell.amount;
    case "row":
      return cell.rowId;
    case "person":
      return cell.email;
    case "link":
    case "image":
      return cell.url;
    default:
      throw new TypeError(`A cell of the kind ${cell.kind} cannot be written here.`);
  }
}

// Plain text is fenced, so that nothing in it is read as formatting.
function textCell(value: string, rich: boolean): Cell {
  const fenced = rich && value.length >= 6 && value.startsWith(FENCE) && value.endsWith(FENCE);
  const text = fenced ? value.slice(3, -3) : value;
  return fenced && text === ""
    ? { kind: "blank" }
    : { kind: "text", text, markdown: rich && !fenced };
}

function objectCell(value: RichValue): Cell {
  const text = (member: string) => String(value[member] ?? "");
  switch (value["@type"]) {
    case "MonetaryAmount":
      // Some services write the amount as a text.
      return { kind: "currency", amount: Number(value["amount"]), currency: text("currency") };
    case "StructuredValue":
      if (value["additionalType"] !== "row") return { kind: "object", value };
      return {
        kind: "row",
        name: text("name"),
        rowId: text("rowId"),
        tableId: text("tableId"),
        url: text("url"),
        tableUrl: text("tableUrl"),
      };
    case "Person":
      return { kind: "person", name: text("name"), email: text("email") };
    case "WebPage":
      return { kind: "link", name: text("name"), url: text("url") };
    case "ImageObject":
      return { kind: "image", name: text("name"), url: text("url") };
    default:
      return { kind: "object", value };
  }
}

function isList(value: RichValue | readonly CellValue[]): value is readonly CellValue[] {
  return Array.isArray(value);
}
