import type { IsJsonSafe } from "./json-safe.ts";

/** Rows with the same members, column by column. */
interface RowTable {
  count: number;
  names: readonly string[];
  columns: readonly RowColumn[];
}

interface RowColumn {
  /** `null` when all values are texts, which follow the tables. */
  values: readonly unknown[] | null;
  /** Indexes of the values of a text column that are `null`. */
  blank?: readonly number[] | undefined;
  /** Indexes of the values that are `undefined`. */
  missing?: readonly number[] | undefined;
  /** Indexes of the values that are dates, in milliseconds; `null` is an invalid date. */
  dates?: readonly number[] | undefined;
}

export interface EncodedRows {
  text: string;
  /** Approximate length with one object for each row, which is what the limit counts. */
  length: number;
}

/** @returns `undefined` when the rows differ, hold other than plain data or are too long; the value codec writes them then */
export type EncodeRows = (rows: readonly unknown[], maxLength: number) => EncodedRows | undefined;

/** Separates the tables and the texts. JSON text never contains it. */
export const TEXT_SEPARATOR = "\u0001";

/**
 * Creates the encoder for rows with the same members. JSON is slow at many small objects with short texts, so the names of
 * the members are written once, and the texts follow the JSON unchanged.
 *
 *     {"tables":[{"count":2,"names":["id","done"],"columns":[{"values":null},{"values":[true,false]}]}]}␁first␁second
 *
 * A new table begins where the members change. The function is self-contained: its source text is evaluated inside the
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
  /** With more tables than this the text gets no shorter. */
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

    /** @returns `undefined` when a value is not plain data */
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
      // Members that the Pack added to all objects or arrays would change the JSON.
      if (keys(ObjectPrototype).length > 0 || ([] as { toJSON?: unknown }).toJSON !== undefined) return undefined;
      return write(rows, maxLength);
    } catch {
      return undefined;
    }
  };
}

/**
 * Decodes the rows. Both parameters are untrusted.
 * @param texts the texts after the tables
 * @throws {TypeError} when the tables are invalid, which only tampering in the sandbox can cause
 */
export function decodeRows(tables: unknown, texts: readonly string[]): unknown[] {
  const rows: unknown[] = [];
  let place = 0;
  for (const table of listOf(tables)) {
    const { count, names, columns } = table as Partial<Record<keyof RowTable, unknown>>;
    if (typeof count !== "number" || !isNames(names)) throw new TypeError("The table of rows is invalid.");
    const cells = listOf(columns).map((column) => {
      const { values, blank = [], missing = [], dates = [] } = column as Partial<Record<keyof RowColumn, unknown>>;
      const list: unknown[] = values === null ? texts.slice(place, place + count) : listOf(values);
      if (values === null) place += count;
      if (list.length !== count) throw new TypeError("A column of rows is invalid.");
      replace(list, blank, () => null);
      replace(list, missing, () => undefined);
      replace(list, dates, dateOf);
      return list;
    });
    if (cells.length !== names.length) throw new TypeError("The columns of rows are invalid.");
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
  if (!Array.isArray(value)) throw new TypeError("This is not a list.");
  return value;
}

/** @returns whether every name can be an own member */
function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === "string" && name !== "__proto__");
}
