import { canParseUrl } from "../../../shared/urls.ts";
import type { CellEdit, ScalarEdit } from "../../contract/models/responses.ts";
import type { Cell, Scalar, StoredColumn } from "./column.ts";

/** What a written text can stand for. */
export interface CellDirectory {
  /** Id of the row with this id or this exact display text. */
  findRow(tableId: string, text: string): string | undefined;
  findPerson(text: string): { name: string; email: string } | undefined;
}

/**
 * Reads a written value as if it were typed into the column. What does not fit is kept as the
 * literal text, without an
 * error.
 */
export function parseCell(column: StoredColumn, value: CellEdit, directory: CellDirectory): Cell {
  if (typeof value === "object") {
    return value.map((member) =>
      typeof member === "object"
        ? member.map((inner) => parseScalar(column, inner, directory))
        : parseScalar(column, member, directory),
    );
  }
  const parsed = parseScalar(column, value, directory);
  if (!column.format.isArray) return parsed;
  // A name may contain a comma: first look for the complete text.
  const parts = splits(column, value) && typeof parsed !== "object" ? listedTexts(value) : [];
  if (parts.length > 1) return parts.map((part) => parseScalar(column, part, directory));
  return parsed === "" ? parsed : [parsed];
}

function splits(column: StoredColumn, value: ScalarEdit): value is string {
  return typeof value === "string" && ["select", "person", "lookup"].includes(column.format.type);
}

/** The members of a list that was written as one text. */
export function listedTexts(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function parseScalar(column: StoredColumn, value: ScalarEdit, directory: CellDirectory): Cell {
  switch (column.format.type) {
    case "number":
    case "currency":
    case "percent":
    case "slider":
    case "scale":
      return typeof value === "string" ? parseNumber(value) : value;
    case "checkbox":
      return typeof value === "string" ? parseCheckbox(value) : value;
    case "date":
      return typeof value === "string" ? parseDate(value) : value;
    case "dateTime":
      return typeof value === "string" ? parseDateTime(value) : value;
    case "person": {
      const person = typeof value === "string" ? directory.findPerson(value) : undefined;
      return person === undefined ? value : { kind: "person", ...person };
    }
    case "lookup": {
      const id =
        typeof value === "string" && column.lookupTableId !== undefined
          ? directory.findRow(column.lookupTableId, value)
          : undefined;
      return id === undefined ? value : { kind: "row", id };
    }
    case "link":
      return isUrl(value) ? { kind: "link", name: value, url: value } : value;
    case "image":
    case "imageReference":
    case "attachments":
      return isUrl(value)
        ? { kind: "image", name: value.slice(value.lastIndexOf("/") + 1) || value, url: value }
        : value;
    default:
      return value;
  }
}

function parseNumber(text: string): Scalar {
  const plain = text
    .trim()
    .replace(/^([-+]?)[$€£¥]\s*/, "$1")
    .replace(/,(?=\d{3}(?:\D|$))/g, "");
  const percent = plain.endsWith("%");
  const digits = percent ? plain.slice(0, -1).trim() : plain;
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(digits)) return text;
  const value = Number(digits);
  if (!Number.isFinite(value)) return text;
  return percent ? value / 100 : value;
}

function parseCheckbox(text: string): Scalar {
  const lower = text.trim().toLowerCase();
  return lower === "true" ? true : lower === "false" ? false : text;
}

function parseDate(text: string): string {
  const iso = /^\s*(\d{4})-(\d{2})-(\d{2})(?:T.*)?\s*$/.exec(text);
  if (iso !== null) return realDate(iso[1], iso[2], iso[3]) ?? text;
  const us = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(text);
  return us === null ? text : (realDate(us[3], us[1], us[2]) ?? text);
}

function realDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  const text = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text
    ? undefined
    : text;
}

function parseDateTime(text: string): string {
  if (
    !/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[-+]\d{2}:\d{2})?)?$/.test(
      text.trim(),
    )
  )
    return parseDate(text);
  return Number.isNaN(Date.parse(text.trim())) ? text : text.trim();
}

function isUrl(value: ScalarEdit): value is string {
  return typeof value === "string" && /^https?:\/\/[^\s]+$/i.test(value) && canParseUrl(value);
}
