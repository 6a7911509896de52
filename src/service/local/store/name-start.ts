import { sql } from "kysely";

/** Longer texts are sorted, and found in indexes, by their beginning. */
export const MAX_SORTED_TEXT = 100;

/** The beginning of a row's name, by which an index finds it. */
export const NAME_START = sql<string>`substr(name, 1, ${sql.lit(MAX_SORTED_TEXT)})`;

/** `NAME_START` of a name. */
export function cutStart(name: string): string {
  return name.length <= MAX_SORTED_TEXT ? name : [...name].slice(0, MAX_SORTED_TEXT).join("");
}
