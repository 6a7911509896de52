import { toMembers } from "../../shared/values.ts";

/** Which rows of a run to show, and in which order. */
export interface RowQuery {
  /** Only rows with this text in a cell, in capital or small letters. Empty for all rows. */
  filter: string;
  /** The member to sort by; empty for the order in which the rows came. */
  sort: string;
  isDescending: boolean;
}

/** Indexes of the rows, in the order of the query. Empty cells come last in both directions. */
export function selectRows(rows: readonly unknown[], query: RowQuery): number[] {
  const { filter, sort, isDescending } = query;
  const wanted = filter.trim().toLowerCase();
  const indexes: number[] = [];
  for (let index = 0; index < rows.length; index++)
    if (wanted === "" || hasText(rows[index], wanted)) indexes.push(index);
  if (sort === "") return indexes;
  const keys = rows.map((row) => readKey(toMembers(row)[sort]));
  const compare = (left: number, right: number): number => {
    const [a, b] = [keys[left], keys[right]];
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined) || left - right;
    const order = compareKeys(a, b);
    return (isDescending ? -order : order) || left - right;
  };
  return indexes.sort(compare);
}

const collator = new Intl.Collator(undefined, { sensitivity: "base" });

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return collator.compare(a, b);
  // Numbers come before texts.
  return typeof a === "number" ? -1 : 1;
}

function readKey(value: unknown): number | string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

function hasText(row: unknown, wanted: string): boolean {
  if (typeof row !== "object" || row === null) return cellHasText(row, wanted);
  for (const value of Object.values(row)) if (cellHasText(value, wanted)) return true;
  return false;
}

function cellHasText(value: unknown, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  const text = typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);
  return text.toLowerCase().includes(wanted);
}
