import type { ContentLine, NewLine } from "../../../shared/markdown/line.ts";

export const INSERTION_MODES = ["append", "prepend", "replace"] as const;
export type InsertionMode = (typeof INSERTION_MODES)[number];

/**
 * New lines and where they go: next to an element, or at the start or end of the page when no
 * element is named.
 */
export interface ContentInsertion {
  mode: InsertionMode;
  elementId?: string | undefined;
  lines: readonly ContentLine[];
}

/** @returns undefined when the page has no such element */
export function insertContent(
  current: readonly ContentLine[],
  { mode, elementId, lines }: ContentInsertion,
): ContentLine[] | undefined {
  if (elementId === undefined) {
    if (mode === "replace") return [...lines];
    return mode === "append" ? [...current, ...lines] : [...lines, ...current];
  }
  const at = current.findIndex(({ id }) => id === elementId);
  if (at === -1) return undefined;
  const [start, end] =
    mode === "append" ? [at + 1, at + 1] : mode === "prepend" ? [at, at] : [at, at + 1];
  return [...current.slice(0, start), ...lines, ...current.slice(end)];
}

/**
 * Removes lines; without ids, all of them. The hosted service then keeps one empty line with the id
 * and style of the first.
 * @returns the remaining lines, and the ids that the page does not have
 */
export function removeContent(
  current: readonly ContentLine[],
  elementIds: readonly string[],
  keepsOneLine: boolean,
): { lines: ContentLine[]; unknown: string[] } {
  if (elementIds.length > 0) {
    const known = new Set(current.map(({ id }) => id));
    const removed = new Set(elementIds);
    return {
      lines: current.filter(({ id }) => !removed.has(id)),
      unknown: elementIds.filter((id) => !known.has(id)),
    };
  }
  const [first] = current;
  return {
    lines: keepsOneLine && first !== undefined ? [{ ...first, spans: [] }] : [],
    unknown: [],
  };
}

export function withIds(lines: readonly NewLine[], newId: () => string): ContentLine[] {
  return lines.map((line) => ({ id: newId(), ...line }));
}
