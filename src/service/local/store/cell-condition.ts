import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import type { RowFilter } from "./row-filter.ts";

type Engine = Storage<unknown>["engine"];

/**
 * A condition in SQL that every row passes whose cell has a simple value, and few others. What it
 * lets pass is compared again.
 * @returns undefined for a column whose simple values are not those that are stored
 */
export function cellCondition(
  engine: Engine,
  { column, value }: RowFilter,
): RawBuilder<SqlBool> | undefined {
  const isStoredOtherwise = column.lookupTableId !== undefined || /^date/i.test(column.format.type);
  // SQLite would read some other texts as a path into the JSON.
  if (isStoredOtherwise || !/^[A-Za-z][\w-]*$/.test(column.id)) return undefined;
  if (engine === "postgres") {
    const patterns = [likeText(String(value)), "{%", "[%"];
    return sql<SqlBool>`coalesce(cast(cells as json) ->> ${column.id}, '') like any (array[${sql.join(patterns)}])`;
  }
  // An object or an array contains the value, or not.
  const isComposed = sql<SqlBool>`substr(cells ->> ${column.id}, 1, 1) in ('{', '[')`;
  if (value === "")
    return sql<SqlBool>`(coalesce(cells ->> ${column.id}, '') = '' or ${isComposed})`;
  // The other operator has 1 and 0 for the truth values.
  if (typeof value === "boolean")
    return sql<SqlBool>`(cells -> ${column.id} = ${String(value)} or ${isComposed})`;
  return sql<SqlBool>`(cells ->> ${column.id} = ${value} or ${isComposed})`;
}

function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
