import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";

export type Engine = Storage<unknown>["engine"];

export function getEngine<Schema>(db: Kysely<Schema>): Engine {
  return db.getExecutor().adapter.supportsTransactionalDdl ? "postgres" : "sqlite";
}

/**
 * Whether an expression is one of some texts. They are one parameter, so that there can be any
 * number of them, and the statement is the same for all numbers.
 */
export function isOneOf<Schema>(
  db: Kysely<Schema>,
  expression: string | Expression<unknown>,
  texts: Iterable<string>,
): RawBuilder<SqlBool> {
  const tested = typeof expression === "string" ? sql.ref(expression) : expression;
  return getEngine(db) === "postgres"
    ? sql`${tested} = any(${[...texts]}::text[])`
    : sql`${tested} in (select value from json_each(${JSON.stringify([...texts])}))`;
}

/** Numbers as rows with one column, `value`. They are one parameter. */
export function listNumbers(engine: Engine, numbers: readonly number[]): RawBuilder<unknown> {
  return engine === "postgres"
    ? sql`(select unnest(${numbers}::bigint[]) as value)`
    : sql`json_each(${JSON.stringify(numbers)})`;
}

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
