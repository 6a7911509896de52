import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { StoredTable } from "../content/column.ts";
import { comparedText, type SortTerm, sortTerms } from "./cell-sql.ts";
import type { RowFilter } from "./row-filter.ts";
import {
  createAlternatives,
  createCondition,
  type FindRowsOptions,
  type FoundRows,
  isInPieces,
  type RowSource,
} from "./row-query.ts";
import {
  currentIn,
  endedIn,
  placeRanges,
  ROW_COLUMNS,
  type RowKey,
  type SelectedRow,
  type StoredRow,
  toRow,
} from "./row-store.ts";

/** Where a row is in a view: what it is sorted by, and at last its place in the table. */
type ViewPlace = readonly (string | number)[];

export function hasOwnOrder({ filter, sorts }: StoredTable): boolean {
  return filter !== undefined || sorts.length > 0;
}

/** The rows of a view in its own order. */
export async function findInView(
  source: RowSource,
  view: StoredTable,
  { filter, after, listed, sinceSeq, limit }: FindRowsOptions,
): Promise<FoundRows> {
  const viewOrder = createOrder(source, view);
  const { terms } = viewOrder;
  const start = after === undefined ? undefined : (JSON.parse(String(after[0])) as ViewPlace);
  const condition = sql`${createCondition(source, filter, sinceSeq)} and ${indexedRows(source, filter)}`;
  const isAfter = start === undefined ? undefined : isPlaceAfter(terms, start);
  let best: { row: StoredRow; place: ViewPlace }[] = [];
  for await (const range of readRanges(source)) {
    const search = { condition: sql`${condition} and ${range}`, isAfter, limit };
    for (const found of await readPlaces(source, viewOrder, ROW_COLUMNS, search))
      best.push({ row: toRow(found), place: readPlace(terms, found) });
    best = best.sort((one, other) => comparePlaces(terms, one.place, other.place)).slice(0, limit);
    // In the order of the table, what comes later is behind what was found.
    if (terms.length === 1 && best.length === limit) break;
  }
  const places = new Map(best.map(({ row, place }) => [row.id, place]));
  const rows = best.map(({ row }) => row);
  const isPlain = filter === undefined && sinceSeq === undefined;
  return {
    rows,
    getSortKey: (row): RowKey => [JSON.stringify(places.get(row.id)), row.id],
    indexes: isPlain ? new Map(rows.map(({ id }, at) => [id, listed + at])) : undefined,
  };
}

/** How many rows a view shows. */
export async function countRowsOfView(source: RowSource): Promise<number> {
  const { db } = source;
  let count = 0;
  for await (const range of readRanges(source)) {
    const condition = sql<SqlBool>`${createCondition(source)} and ${indexedRows(source)} and ${range}`;
    const countPart = (rows: ReturnType<typeof currentIn>) =>
      rows.where(condition).select(({ fn }) => fn.countAll<number>().as("shown"));
    // One statement: between two of them a row could end, and be counted twice.
    const parts = countPart(currentIn(db, source)).unionAll(countPart(endedIn(db, source)));
    for (const { shown } of await parts.execute()) count += Number(shown);
  }
  return count;
}

/** The index of each row in a view with its own order: how many rows come before it. */
export async function placesInView(
  source: RowSource,
  view: StoredTable,
  rows: readonly StoredRow[],
): Promise<Map<string, number>> {
  const viewOrder = createOrder(source, view);
  const { terms } = viewOrder;
  const wanted: { id: string; place: ViewPlace; before: number }[] = [];
  const condition = sql`id in (${sql.join(rows.map(({ id }) => sql`${id}`))})`;
  if (rows.length > 0)
    for (const found of await readPlaces(source, viewOrder, ["id"], { condition }))
      wanted.push({ id: found.id, place: readPlace(terms, found), before: 0 });
  wanted.sort((one, other) => comparePlaces(terms, one.place, other.place));
  for await (const range of readRanges(source)) {
    const shown = sql`${createCondition(source)} and ${indexedRows(source)} and ${range}`;
    for (const found of await readPlaces(source, viewOrder, ["id"], { condition: shown })) {
      const next = firstBehind(terms, wanted, readPlace(terms, found));
      if (next !== undefined) next.before++;
    }
  }
  let before = 0;
  const indexes = new Map<string, number>();
  for (const each of wanted) {
    before += each.before;
    indexes.set(each.id, before);
  }
  return indexes;
}

/** The rows among which an index finds those that pass, as one condition. */
function indexedRows(source: RowSource, filter?: RowFilter | undefined): RawBuilder<SqlBool> {
  const alternatives = createAlternatives(source, filter);
  return alternatives === undefined ? sql`1 = 1` : sql`(${sql.join(alternatives, sql` or `)})`;
}

/** The first of some sorted rows that comes after a place. */
function firstBehind<Wanted extends { place: ViewPlace }>(
  terms: readonly SortTerm[],
  wanted: readonly Wanted[],
  place: ViewPlace,
): Wanted | undefined {
  let [from, to] = [0, wanted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = wanted[middle]?.place ?? [];
    if (comparePlaces(terms, other, place) > 0) to = middle;
    else from = middle + 1;
  }
  return wanted[from];
}

interface ViewOrder {
  /** Of each column that the view is sorted by, read before it is sorted: `text0`, `text1`. */
  texts: readonly RawBuilder<string>[];
  terms: readonly SortTerm[];
}

function createOrder(source: RowSource, { sorts }: StoredTable): ViewOrder {
  const texts: RawBuilder<string>[] = [];
  const terms = sorts.flatMap(({ columnId, direction }) => {
    const column = source.columns.find(({ id }) => id === columnId);
    if (column === undefined) return [];
    const text = sql.ref<string>(`row_versions.text${texts.length}`);
    texts.push(comparedText(source.engine, column.id));
    return sortTerms(source, column, { text, isDescending: direction === "descending" });
  });
  terms.push({ expression: sql<number>`row_versions.position`, isDescending: false });
  return { texts, terms };
}

/** Pieces of a table, one after the other, in its own order. */
async function* readRanges(source: RowSource): AsyncGenerator<RawBuilder<SqlBool>> {
  if (isInPieces(source)) yield* placeRanges(source.db, source);
  else yield sql`1 = 1`;
}

interface PlaceSearch {
  condition: RawBuilder<unknown>;
  /** A condition on what the rows are sorted by. */
  isAfter?: RawBuilder<SqlBool> | undefined;
  limit?: number;
}

/** Rows with what they are sorted by. One statement: between two of them a row could end. */
async function readPlaces<Column extends keyof SelectedRow>(
  { db, ...source }: RowSource,
  { texts, terms }: ViewOrder,
  columns: readonly Column[],
  { condition, isAfter = sql<SqlBool>`1 = 1`, limit = Number.MAX_SAFE_INTEGER }: PlaceSearch,
): Promise<Pick<SelectedRow, Column>[]> {
  const part = (rows: ReturnType<typeof currentIn>) => {
    const read = rows
      .select(ROW_COLUMNS)
      .select(texts.map((text, at) => text.as(`text${at}`)))
      .where(sql<SqlBool>`${condition}`);
    // With an offset, the server does not put the texts into each term, for each of which it would
    // parse the cells of the row. Without texts, an index has the order.
    const isReadFirst = source.engine === "postgres" && texts.length > 0;
    let page = db
      .selectFrom((isReadFirst ? read.offset(0) : read).as("row_versions"))
      .select(columns)
      .select(terms.map(({ expression }, at) => expression.as(`sort${at}`)))
      .where(isAfter)
      .limit(limit);
    for (const [at, { isDescending }] of terms.entries())
      page = page.orderBy(sql.ref(`sort${at}`), isDescending ? "desc" : "asc");
    return page;
  };
  const rows = db
    .selectFrom(part(currentIn(db, source)).as("current"))
    .selectAll()
    .unionAll(db.selectFrom(part(endedIn(db, source)).as("ended")).selectAll());
  return await rows.$castTo<Pick<SelectedRow, Column>>().execute();
}

function readPlace(terms: readonly SortTerm[], row: object): ViewPlace {
  const found = row as Record<string, string | number>;
  return terms.map((_, at) => found[`sort${at}`] ?? 0);
}

/** Behind a place, with the terms in their directions. */
function isPlaceAfter(terms: readonly SortTerm[], place: ViewPlace): RawBuilder<SqlBool> {
  const behind = terms.map(({ expression, isDescending }, at) => {
    const equal = terms
      .slice(0, at)
      .map((term, before) => sql`${term.expression} = ${place[before]} and `);
    const operator = isDescending ? sql`<` : sql`>`;
    return sql`(${sql.join(equal, sql``)}${expression} ${operator} ${place[at]})`;
  });
  return sql`(${sql.join(behind, sql` or `)})`;
}

function comparePlaces(terms: readonly SortTerm[], one: ViewPlace, other: ViewPlace): number {
  for (const [at, { isDescending }] of terms.entries()) {
    const [left, right] = [one[at] ?? 0, other[at] ?? 0];
    if (left === right) continue;
    const order =
      typeof left === "string" && typeof right === "string"
        ? Buffer.compare(Buffer.from(left), Buffer.from(right))
        : left < right
          ? -1
          : 1;
    return isDescending ? -order : order;
  }
  return 0;
}
