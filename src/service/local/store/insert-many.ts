import { CompiledQuery, type Kysely } from "kysely";
import type { ServiceSchema } from "./schema.ts";

type Value = string | number;

export interface InsertMany<Table extends keyof ServiceSchema> {
  table: Table;
  /** What all rows have in common; each value is sent once. */
  shared: Readonly<Partial<Record<keyof ServiceSchema[Table] & string, Value>>>;
  columns: readonly (keyof ServiceSchema[Table] & string)[];
  rows: readonly (readonly Value[])[];
}

/** How many rows one statement adds. There are few sizes, so that a statement that was prepared once comes again. */
const SIZES = [250, 100, 10, 1] as const;
const texts = new Map<string, string>();

/** Adds rows to a table, many with each statement: half the work of one statement for each row. */
export async function insertMany<Table extends keyof ServiceSchema>(
  db: Kysely<ServiceSchema>,
  { table, shared, columns, rows }: InsertMany<Table>,
): Promise<void> {
  const common = Object.values<Value | undefined>(shared);
  const names = [...Object.keys(shared), ...columns];
  let at = 0;
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) {
      const values = [...common];
      for (let row = at; row < at + size; row++) values.push(...(rows[row] ?? []));
      await db.executeQuery(CompiledQuery.raw(textOf(table, names, common.length, size), values));
    }
  }
}

function textOf(table: string, names: readonly string[], shared: number, size: number): string {
  const key = `${table} ${names.join()} ${shared} ${size}`;
  let text = texts.get(key);
  if (text === undefined) {
    const each = names.length - shared;
    // SQLite numbers parameters by where they come first, PostgreSQL by what they are called: here it is the same.
    const rowAt = (row: number) => names.map((_name, place) => `$${place < shared ? place + 1 : row * each + place + 1}`).join(",");
    const rows = Array.from({ length: size }, (_row, index) => `(${rowAt(index)})`).join(",");
    const schemaColumns = names.map((name) => `"${name}"`).join(",");
    text = `insert into "${table}" (${schemaColumns}) values ${rows}`;
    texts.set(key, text);
  }
  return text;
}
