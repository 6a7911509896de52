import { HttpError } from "../api/http-error.ts";
import type { StoredColumn } from "../content/column.ts";
import { findByIdOrName } from "./doc-store.ts";

export interface RowFilter {
  column: StoredColumn;
  value: string | number | boolean;
}

/**
 * Reads `<column id or name>:<JSON value>`, with the column bare or quoted.
 * @throws {HttpError} 400 for another form and for an unknown column
 */
export function parseRowFilter(text: string, columns: readonly StoredColumn[]): RowFilter {
  const colon = colonOutsideQuotes(text);
  if (colon === -1) throw new HttpError(400, "query must have the form <column>:<value>.");
  const reference = text.slice(0, colon).trim();
  const column = findByIdOrName(
    columns,
    reference.startsWith('"') ? String(parseJson(reference)) : reference,
  );
  if (column === undefined) throw new HttpError(400, "query names a column that does not exist.");
  const value = parseJson(text.slice(colon + 1));
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw new HttpError(400, "The value in query must be a string, a number or a boolean.");
  return { column, value };
}

function colonOutsideQuotes(text: string): number {
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === "\\") index++;
    else if (character === '"') quoted = !quoted;
    else if (character === ":" && !quoted) return index;
  }
  return -1;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(
      400,
      "The value in query must be JSON: a string in double quotes, a number, true or false.",
    );
  }
}
