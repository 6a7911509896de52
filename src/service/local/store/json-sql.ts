import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";

export type Engine = Storage<unknown>["engine"];

/**
 * A member of a column with JSON, as the JSON text that was written; null when it is absent. Equal
 * values have equal texts, because only `JSON.stringify` writes them.
 */
export function jsonMember(
  engine: Engine,
  column: string,
  ...path: readonly string[]
): RawBuilder<string | null> {
  return engine === "postgres"
    ? sql`cast(cast(${sql.ref(column)} as json) #> ${sql.lit(`{${path.map((name) => JSON.stringify(name)).join()}}`)} as text)`
    : sql`${sql.ref(column)} -> ${sql.lit(`$${path.map((name) => `.${JSON.stringify(name)}`).join("")}`)}`;
}

/** Whether an array of texts in a column with JSON has a text. */
export function jsonListHas(
  engine: Engine,
  column: string,
  name: string,
  text: string,
): Expression<SqlBool> {
  return engine === "postgres"
    ? sql`exists (select 1 from json_array_elements_text(cast(${sql.ref(column)} as json) -> ${sql.lit(name)}) as member (value) where member.value = ${text})`
    : sql`exists (select 1 from json_each(${sql.ref(column)}, ${sql.lit(`$.${name}`)}) as member where member.value = ${text})`;
}
