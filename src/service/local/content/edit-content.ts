import type { ContentLine, NewLine } from "./line.ts";

export const INSERTION_MODES = ["append", "prepend", "replace"] as const;
export type InsertionMode = (typeof INSERTION_MODES)[number];

/** New lines and their place: relative to an element, or to the complete page when there is none. */
export interface ContentInsertion {
  mode: InsertionMode;
  elementId?: string | undefined;
  lines: readonly ContentLine[];
}

/** @returns undefined when there is no such element */
export function insertContent(current: readonly ContentLine[], { mode, elementId, lines }: ContentInsertion): ContentLine[] | undefined {
  if (elementId === undefined) {
    if (mode === "replace") return [...lines];
    return mode === "append" ? [...current, ...lines] : [...lines, ...current];
  }
  const at = current.findIndex(({ id }) => id === elementId);
  if (at === -1) return undefined;
  const [start, end] = mode === "append" ? [at + 1, at + 1] : mode === "prepend" ? [at, at] : [at, at + 1];
  return [...current.slice(0, start), ...lines, ...current.slice(end)];
}

/**
 * Without ids everything goes. The public service keeps one empty line then, which has the id and style of the first element.
 * @returns what is left, and which ids were not there
 */
export function removeContent(
  current: readonly ContentLine[],
  elementIds: readonly string[],
  keepsOneLine: boolean,
): { lines: ContentLine[]; unknown: string[] } {
  if (elementIds.length > 0) {
    const known = new Set(current.map(({ id }) => id));
    const removed = new Set(elementIds);
    return { lines: current.filter(({ id }) => !removed.has(id)), unknown: elementIds.filter((id) => !known.has(id)) };
  }
  const [first] = current;
  return { lines: keepsOneLine && first !== undefined ? [{ ...first, spans: [] }] : [], unknown: [] };
}

export function withIds(lines: readonly NewLine[], newId: () => string): ContentLine[] {
  return lines.map((line) => ({ id: newId(), ...line }));
}
