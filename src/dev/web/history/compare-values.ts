import type { Difference } from "../parts/difference.ts";

/** A longer text of one part is cut. */
const MAX_TEXT = 400;
/** How much of two long texts is shown before they begin to differ. */
const BEFORE = 60;

/** Compares two values of JSON member by member. Undefined is a value that is not there. */
export function compareValues(place: string, left: unknown, right: unknown): Difference[] {
  return walk(place, "", left, right);
}

function walk(place: string, path: string, left: unknown, right: unknown): Difference[] {
  if (left === undefined && right === undefined) return [];
  const isEqual = JSON.stringify(left) === JSON.stringify(right);
  if (!isEqual && Array.isArray(left) && Array.isArray(right) && left.length + right.length > 0)
    return pairElements(left, right).flatMap(({ label, pair: [one, other] }) =>
      walk(place, `${path}[${label}]`, one, other),
    );
  if (!isEqual && isRecord(left) && isRecord(right))
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      walk(place, path === "" ? name : `${path}.${name}`, left[name], right[name]),
    );
  return [
    {
      place,
      name: path,
      ...shorten(left, right),
      state: isEqual
        ? "same"
        : left === undefined
          ? "extra"
          : right === undefined
            ? "missing"
            : "different",
    },
  ];
}

interface ElementPair {
  label: string;
  pair: [left: unknown, right: unknown];
}

/** Elements that have the same key belong together, wherever they are; others by their place. */
function pairElements(left: readonly unknown[], right: readonly unknown[]): ElementPair[] {
  const key = findKey(left, right);
  if (key === undefined)
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
      label: String(index),
      pair: [left[index], right[index]],
    }));
  const ours = new Map(left.map((element) => [readKey(element, key), element]));
  const others = new Map(right.map((element) => [readKey(element, key), element]));
  return [...new Set([...ours.keys(), ...others.keys()])].map((value) => ({
    label: `${key}=${String(value)}`,
    pair: [ours.get(value), others.get(value)],
  }));
}

/** The member that identifies the elements of both lists: unique in each, and mostly in both. */
function findKey(left: readonly unknown[], right: readonly unknown[]): string | undefined {
  const [first] = left;
  if (!isRecord(first) || right.length === 0) return undefined;
  const ranked = Object.keys(first)
    .map((key) => ({ key, shared: countShared(left, right, key) }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared || rank(one.key) - rank(other.key));
  return ranked[0]?.key;
}

function rank(key: string): number {
  return /^id$/i.test(key) ? 0 : /id$/i.test(key) ? 1 : 2;
}

/** How many values both lists have, or 0 when a value is not unique or not a name. */
function countShared(left: readonly unknown[], right: readonly unknown[], key: string): number {
  const read = (list: readonly unknown[]) => new Set(list.map((item) => readKey(item, key)));
  const ours = read(left);
  const others = read(right);
  const isUnique = ours.size === left.length && others.size === right.length;
  if (!isUnique || ours.has(undefined) || others.has(undefined)) return 0;
  return [...ours].filter((value) => others.has(value)).length;
}

function readKey(element: unknown, key: string): string | number | undefined {
  const value = isRecord(element) ? element[key] : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Two values as texts. Long ones begin shortly before they differ. */
function shorten(left: unknown, right: unknown): Pick<Difference, "left" | "right"> {
  const [one, other] = [left, right].map((value) =>
    typeof value === "string" && typeof left === typeof right ? value : JSON.stringify(value),
  );
  const start = Math.max(0, firstDifference(one ?? "", other ?? "") - BEFORE);
  const cut = (text: string | undefined): string | undefined => {
    if (text === undefined || text.length <= MAX_TEXT) return text;
    const end = start + MAX_TEXT;
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  };
  return { left: cut(one), right: cut(other) };
}

/** Where two texts begin to differ; 0 when they do not. */
function firstDifference(left: string, right: string): number {
  if (left === right) return 0;
  const { length } = left;
  for (let at = 0; at < length; at++) if (left[at] !== right[at]) return at;
  return length;
}
