import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Cells, StoredColumn } from "../content/column.ts";
import { indexedText, isInTable } from "./column-indexes.ts";
import { type Engine, jsonMember } from "./json-sql.ts";
import { cutStart, MAX_SORTED_TEXT } from "./name-start.ts";
import type { RowFilter } from "./row-filter.ts";

/** What the cells of a column are, in a statement that reads `row_versions`. */
export interface CellSource {
  engine: Engine;
  docId: string;
  /** The snapshot whose names other rows have. */
  seq: number;
}

type Text = RawBuilder<string>;

function member(engine: Engine, name: "cells" | "compared", id: string): RawBuilder<string | null> {
  return jsonMember(engine, `row_versions.${name}`, id);
}

/** What a cell is compared by, as JSON text. */
export function comparedText(engine: Engine, id: string): Text {
  return sql`coalesce(${member(engine, "compared", id)}, ${member(engine, "cells", id)}, '""')`;
}

/** The first character of JSON text tells its type. */
function selectKind(text: Text): Text {
  return sql`substr(${text}, 1, 1)`;
}

/** The name that another row has in the snapshot; null when it was deleted. */
function selectName({ docId, seq }: CellSource, tableId: string, json: Text): Text {
  return sql`(select other.name from row_versions as other where other.doc_id = ${docId}
    and other.table_id = ${tableId} and other.id = ${json} ->> 'id' and other.from_seq <= ${seq} and other.to_seq > ${seq})`;
}

/** The members of an array as `each`, of which `value` is JSON on a server. */
function eachMember(engine: Engine, text: Text): RawBuilder<unknown> {
  return engine === "postgres"
    ? sql`json_array_elements(cast(${text} as json)) with ordinality as each (value, key)`
    : sql`json_each(${text}) as each`;
}

function isEqualMember(engine: Engine, value: RowFilter["value"]): RawBuilder<SqlBool> {
  if (engine === "postgres") return sql`cast(each.value as text) = ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return sql`each.type = ${String(value)}`;
  return typeof value === "number"
    ? sql`(each.type in ('integer', 'real') and each.value = ${value})`
    : sql`(each.type = 'text' and each.value = ${value})`;
}

function isRowMember(engine: Engine): RawBuilder<SqlBool> {
  return engine === "postgres"
    ? sql`json_typeof(each.value) = 'object'`
    : sql`each.type = 'object'`;
}

/** Equality of the simple value; an array matches when one of its members does, too. */
export function cellEquals(source: CellSource, filter: RowFilter): RawBuilder<SqlBool> {
  const text = comparedText(source.engine, filter.column.id);
  if (source.engine === "sqlite") return textEquals(source, filter, text);
  // With an offset, the server does not put the text back into each place, for each of which it
  // would parse the cells of the row.
  return sql`(select ${textEquals(source, filter, sql`cell.text`)} from (select ${text} as text offset 0) as cell)`;
}

function textEquals(
  source: CellSource,
  { column: { lookupTableId }, value }: RowFilter,
  text: Text,
): RawBuilder<SqlBool> {
  const { engine } = source;
  const isSame = isEqualMember(engine, value);
  let [isMember, ofArray, ofRow]: RawBuilder<unknown>[] = [isSame, sql``, sql`false`];
  if (lookupTableId !== undefined && typeof value === "string") {
    const nameIn = (json: Text) => sql`coalesce(${selectName(source, lookupTableId, json)}, '')`;
    isMember = sql`case when ${isRowMember(engine)} then ${nameIn(sql`each.value`)} = ${value} else ${isSame} end`;
    ofArray = sql` or ${joinedText(source, lookupTableId, text)} = ${value}`;
    ofRow = sql`${nameIn(asJson(engine, text))} = ${value}`;
  }
  return sql<SqlBool>`case ${selectKind(text)} when '{' then ${ofRow}
    when '[' then (exists (select 1 from ${eachMember(engine, text)} where ${isMember})${ofArray})
    else ${text} = ${JSON.stringify(value)} end`;
}

/** What a server can have an index of, to find the rows that `cellEquals` has to look at. */
export function indexableCell(engine: Engine, id: string): RawBuilder<string | null> {
  return sql`coalesce(${member(engine, "compared", id)}, ${member(engine, "cells", id)})`;
}

/**
 * The kinds of rows among which an index finds all that have a value; undefined for a blank one,
 * which no index has. Arrays and references to rows are looked at one by one.
 */
export function indexedCandidates(
  source: CellSource & { tableId: string },
  { column, value }: RowFilter,
): RawBuilder<SqlBool>[] | undefined {
  if (value === "") return undefined;
  const cell = indexedText(indexableCell(source.engine, column.id));
  const json = cutStart(JSON.stringify(value));
  return [
    sql`${cell} = ${json}`,
    sql`${cell} >= '[' and ${cell} < '\\'`,
    sql`${cell} >= '{' and ${cell} < '|'`,
  ].map((kind) => sql<SqlBool>`(${isInTable(source)} and ${kind})`);
}

function asJson(engine: Engine, text: Text): Text {
  return engine === "postgres" ? sql`cast(${text} as json)` : text;
}

/** The members of an array with other rows as one text; the first one stands for all. */
function joinedText(source: CellSource, tableId: string, text: Text): Text {
  const { engine } = source;
  const plain = engine === "postgres" ? sql`each.value #>> '{}'` : sql`cast(each.atom as text)`;
  const shown = sql`case when ${isRowMember(engine)} then coalesce(${selectName(source, tableId, sql`each.value`)}, '') else ${plain} end`;
  return engine === "postgres"
    ? sql`(select string_agg(${shown}, ',' order by each.key) from ${eachMember(engine, text)} where each.key > 1)`
    : sql`(select group_concat(${shown}, ',' order by each.key) from ${eachMember(engine, text)} where each.key > 0)`;
}

/** The simple value of a cell as text. */
function simpleText(source: CellSource, { lookupTableId }: StoredColumn, text: Text): Text {
  const { engine } = source;
  const json = asJson(engine, text);
  const first = engine === "postgres" ? sql`${json} ->> 0` : sql`${text} ->> '$[0]'`;
  const array =
    lookupTableId === undefined
      ? first
      : sql`coalesce(${first}, ${joinedText(source, lookupTableId, text)})`;
  const row =
    lookupTableId === undefined
      ? sql`''`
      : sql`coalesce(${selectName(source, lookupTableId, json)}, '')`;
  const plain = engine === "postgres" ? sql`${json} #>> '{}'` : sql`${text} ->> '$'`;
  return sql`case ${selectKind(text)} when '[' then ${array} when '{' then ${row} when '"' then ${plain} else ${text} end`;
}

export interface SortTerm {
  expression: RawBuilder<string | number>;
  isDescending: boolean;
}

/**
 * Blank cells come first, then numbers, then texts by their bytes.
 * @param text what `comparedText` is for the column
 */
export function sortTerms(
  source: CellSource,
  column: StoredColumn,
  { text, isDescending }: { text: Text; isDescending: boolean },
): SortTerm[] {
  const bytes = source.engine === "postgres" ? sql` collate "C"` : sql``;
  const isNumber = sql<SqlBool>`${selectKind(text)} in ('-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9')`;
  const simple = simpleText(source, column, text);
  const expressions = [
    sql<number>`case when ${isNumber} then 1 when ${simple} = '' then 0 else 2 end`,
    sql<number>`case when ${isNumber} then cast(${text} as double precision) else 0 end`,
    sql<string>`case when ${isNumber} then '' else substr(${simple}, 1, ${sql.lit(MAX_SORTED_TEXT)}) end${bytes}`,
  ];
  return expressions.map((expression) => ({ expression, isDescending }));
}

/** The values of key columns as one text. */
export function keyText(columns: readonly StoredColumn[], cells: Cells): string {
  return columns.map(({ id }) => JSON.stringify(cells[id] ?? "")).join(" ");
}

/** `keyText` of a row in the database. */
export function keyExpression(engine: Engine, columns: readonly StoredColumn[]): Text {
  const texts = columns.map(({ id }) => sql`coalesce(${member(engine, "cells", id)}, '""')`);
  return sql`${sql.join(texts, sql` || ' ' || `)}`;
}
