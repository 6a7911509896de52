import { CompiledQuery, type Kysely } from "kysely";
import type { ServiceSchema } from "./schema.ts";

type Value = string | number;

export interface InsertMany<Table extends keyof ServiceSchema> {
  table: Table;
  /** Values that all rows have; each is sent once. */
  shared: Readonly<Partial<Record<keyof ServiceSchema[Table] & string, Value>>>;
  columns: readonly (keyof ServiceSchema[Table] & string)[];
  /** Values that a row with the same key gets; without, there must be none. */
  replaces?: Readonly<Record<"key" | "values", readonly (keyof ServiceSchema[Table] & string)[]>>;
  rows: readonly (readonly Value[])[];
}

/**
 * How many rows one statement adds. There are few sizes, so that prepared statements are used
 * again.
 */
const SIZES = [250, 100, 50, 10, 1] as const;
const texts = new Map<string, string>();

/**
 * Adds rows to a table, many with each statement. The text is written here because kysely's builder
 * takes longer to make it than
 * SQLite takes to add the rows: with it, 100,000 rows would take 1.7 times as long.
 */
export async function insertMany<Table extends keyof ServiceSchema>(
  db: Kysely<ServiceSchema>,
  { table, shared, columns, replaces, rows }: InsertMany<Table>,
): Promise<void> {
  const common = Object.values<Value | undefined>(shared);
  const names = [...Object.keys(shared), ...columns];
  const replacement =
    replaces === undefined
      ? ""
      : ` on conflict (${replaces.key.join()}) do update set ${replaces.values.map((name) => `${name} = excluded.${name}`).join()}`;
  let at = 0;
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) {
      const values = [...common];
      for (let row = at; row < at + size; row++) values.push(...(rows[row] ?? []));
      const text = encodeText(table, names, common.length, size) + replacement;
      await db.executeQuery(CompiledQuery.raw(text, values));
    }
  }
}

function encodeText(table: string, names: readonly string[], shared: number, size: number): string {
  const key = `${table} ${names.join()} ${shared} ${size}`;
  let text = texts.get(key);
  if (text === undefined) {
    const each = names.length - shared;
    // SQLite numbers parameters in the order of their first use, PostgreSQL by their names. Here
    // both are the same.
    const rowAt = (row: number) =>
      names
        .map((_name, place) => `$${place < shared ? place + 1 : row * each + place + 1}`)
        .join(",");
    const rows = Array.from({ length: size }, (_row, index) => `(${rowAt(index)})`).join(",");
    const schemaColumns = names.map((name) => `"${name}"`).join(",");
    text = `insert into "${table}" (${schemaColumns}) values ${rows}`;
    texts.set(key, text);
  }
  return text;
}
