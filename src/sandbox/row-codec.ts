import type { IsJsonSafe } from "./json-safe.ts";

/** Rows of which each has the same members, column by column. */
interface RowTable {
  count: number;
  names: readonly string[];
  columns: readonly RowColumn[];
}

interface RowColumn {
  /** `null` when all are texts: those stand behind the tables. */
  values: readonly unknown[] | null;
  /** Which of a column of texts are `null`. */
  blank?: readonly number[] | undefined;
  /** Which are `undefined`. */
  missing?: readonly number[] | undefined;
  /** Which of the values are dates, as milliseconds; `null` is an invalid one. */
  dates?: readonly number[] | undefined;
}

export interface EncodedRows {
  text: string;
  /** About as many characters as an object for each row would have: that is what is limited. */
  length: number;
}

/** @returns `undefined` when the rows are not alike, not plain or too long: then each is written for itself */
export type EncodeRows = (rows: readonly unknown[], maxLength: number) => EncodedRows | undefined;

/** Between the texts, and between them and the tables; JSON never has it. */
export const TEXT_SEPARATOR = "\u0001";

/**
 * Creates the writer of rows that are alike. Objects with a handful of short texts are what JSON is slowest at, to write and to
 * read: here the names of the members stand once, and the texts are as they are, behind the JSON.
 *
 *     {"tables":[{"count":2,"names":["id","done"],"columns":[{"values":null},{"values":[true,false]}]}]}␁first␁second
 *
 * Where the members change begins another table. The function is self-contained: its source text is evaluated inside the
 * sandbox, where it captures the intrinsics before the Pack can change them.
 * @param isJsonSafe from `createJsonSafeCheck`
 * @param separator `TEXT_SEPARATOR`
 */
export function createRowEncoder(isJsonSafe: IsJsonSafe, separator: string): EncodeRows {
  type Row = Record<string, unknown>;
  const quote = JSON.stringify;
  const { getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const ObjectPrototype = Object.prototype;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (method: unknown) => (...args: unknown[]) => unknown;
  const includes = uncurry(Array.prototype.includes) as (list: readonly unknown[], item: unknown) => boolean;
  const join = uncurry(Array.prototype.join) as (texts: readonly string[], separator: string) => string;
  const kindOf = uncurry(Object.prototype.toString) as (value: unknown) => string;
  const getTime = uncurry(Date.prototype.getTime) as (date: unknown) => number;
  const has = uncurry(String.prototype.includes) as (text: string, part: string) => boolean;
  /** Rows that differ all the time are no shorter like this. */
  const MAX_TABLES = 32;
  const MAX_VALUES = 2_000_000;

  const isRow = (row: unknown): row is Row => {
    if (typeof row !== "object" || row === null || isArray(row) || (row as { toJSON?: unknown }).toJSON !== undefined) return false;
    const prototype: unknown = getPrototypeOf(row);
    return prototype === ObjectPrototype || prototype === null;
  };

  const hasNames = (row: Row, names: readonly string[]): boolean => {
    let at = 0;
    for (const name in row) if (name !== names[at++]) return false;
    return at === names.length;
  };

  const places = (name: string, list: readonly number[]): string => (list.length === 0 ? "" : `,"${name}":${quote(list)}`);

  const write = (rows: readonly unknown[], maxLength: number): EncodedRows | undefined => {
    const budget = { values: MAX_VALUES };
    const texts: string[] = [];
    let tables = "";
    let length = 0;

    /** @returns `undefined` when one of them is not plain */
    const column = (name: string, from: number, to: number): string | undefined => {
      const values: unknown[] = [];
      const blank: number[] = [];
      const missing: number[] = [];
      const dates: number[] = [];
      let isText = true;
      for (let index = from; index < to; index++) {
        const value = (rows[index] as Row)[name];
        values[index - from] = value;
        if (typeof value === "string") continue;
        if (value === null) blank[blank.length] = index - from;
        else if (value === undefined) missing[missing.length] = index - from;
        else {
          isText = false;
          if (isJsonSafe(value, budget)) continue;
          if (kindOf(value) !== "[object Date]") return undefined;
          values[index - from] = getTime(value);
          dates[dates.length] = index - from;
        }
      }
      budget.values -= values.length;
      for (let at = 0; at < missing.length; at++) values[missing[at] as number] = null;
      if (!isText) {
        const text = quote(values);
        length += text.length;
        return `{"values":${text}${places("missing", missing)}${places("dates", dates)}}`;
      }
      for (let index = 0; index < values.length; index++) {
        const text = (values[index] ?? "") as string;
        length += text.length + 3;
        texts[texts.length] = text;
      }
      return `{"values":null${places("blank", blank)}${places("missing", missing)}}`;
    };

    for (let from = 0, to = 0, count = 0; from < rows.length; from = to, count++) {
      const first = rows[from];
      if (count === MAX_TABLES || !isRow(first)) return undefined;
      const names = keys(first);
      if (names.length === 0 || includes(names, "__proto__")) return undefined;
      for (to = from + 1; to < rows.length; to++) {
        const row = rows[to];
        if (!isRow(row)) return undefined;
        if (!hasNames(row, names)) break;
      }
      let columns = "";
      for (let at = 0; at < names.length; at++) {
        const text = column(names[at] as string, from, to);
        if (text === undefined || budget.values < 0 || length > maxLength) return undefined;
        columns += at === 0 ? text : `,${text}`;
      }
      const header = quote(names);
      length += (to - from) * (header.length + 1);
      tables += `${count === 0 ? "" : ","}{"count":${to - from},"names":${header},"columns":[${columns}]}`;
    }
    if (tables === "" || length > maxLength || has(join(texts, ""), separator)) return undefined;
    return { text: `{"tables":[${tables}]}${texts.length === 0 ? "" : separator}${join(texts, separator)}`, length };
  };

  return (rows, maxLength) => {
    try {
      // What the Pack gave to all objects, or to all arrays, has its say in how they are written.
      if (keys(ObjectPrototype).length > 0 || ([] as { toJSON?: unknown }).toJSON !== undefined) return undefined;
      return write(rows, maxLength);
    } catch {
      return undefined;
    }
  };
}

/**
 * Reads the rows of such tables. Both are untrusted.
 * @param texts what stands behind the tables
 * @throws {TypeError} they are no tables, which the sandbox alone can have caused
 */
export function decodeRows(tables: unknown, texts: readonly string[]): unknown[] {
  const rows: unknown[] = [];
  let place = 0;
  for (const table of listOf(tables)) {
    const { count, names, columns } = table as Partial<Record<keyof RowTable, unknown>>;
    if (typeof count !== "number" || !isNames(names)) throw new TypeError("No table of rows.");
    const cells = listOf(columns).map((column) => {
      const { values, blank = [], missing = [], dates = [] } = column as Partial<Record<keyof RowColumn, unknown>>;
      const list: unknown[] = values === null ? texts.slice(place, place + count) : listOf(values);
      if (values === null) place += count;
      if (list.length !== count) throw new TypeError("No column of rows.");
      replace(list, blank, () => null);
      replace(list, missing, () => undefined);
      replace(list, dates, dateOf);
      return list;
    });
    if (cells.length !== names.length) throw new TypeError("No columns of rows.");
    for (let index = 0; index < count; index++) {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at++) row[names[at] as string] = cells[at]?.[index];
      rows.push(row);
    }
  }
  return rows;
}

function replace(list: unknown[], places: unknown, by: (value: unknown) => unknown): void {
  for (const place of listOf(places)) if (typeof place === "number" && place in list) list[place] = by(list[place]);
}

function dateOf(value: unknown): Date {
  return new Date(typeof value === "number" ? value : Number.NaN);
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError("No list.");
  return value;
}

/** @returns whether each name makes an own member */
function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === "string" && name !== "__proto__");
}
