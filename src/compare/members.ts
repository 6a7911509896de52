import { isRecord, type Members, toMembers } from "../shared/values.ts";
import type { Report } from "./change.ts";
import type { ChangeCode } from "./change-codes.ts";

export function mapByName<Item extends { name: string }>(
  items: readonly Item[],
): Map<string, Item> {
  return new Map(items.map((item) => [item.name, item]));
}

/**
 * Whether two values are the same JSON. The order of members says nothing, because each tool writes
 * its own.
 */
export function isSame(left: unknown, right: unknown): boolean {
  return sortedText(left) === sortedText(right);
}

function sortedText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/** A value as a short text. */
export function formatShown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/**
 * Compares the members that have no comparison of their own.
 * @param codes the code for a change of each member; without one, it is a change of behaviour
 * @param handled members that are compared elsewhere
 */
export function compareMembers(
  [before, after]: readonly [Members, Members],
  {
    subject,
    codes,
    handled,
  }: { subject: string; codes: Readonly<Record<string, ChangeCode>>; handled: readonly string[] },
  report: Report,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (handled.includes(name) || isSame(before[name], after[name])) continue;
    const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
    report(
      code ?? "BEHAVIOUR_CHANGED",
      subject,
      `${name}: ${formatShown(before[name])} → ${formatShown(after[name])}`,
    );
  }
}

/** The numbers of `Type` in compiled metadata. */
const TYPES = ["text", "number", "object", "boolean", "date", "html", "image", "file"];

/** A compiled type in words: `number`, `list of texts`. */
export function typeName(type: unknown): string {
  if (typeof type === "number") return TYPES[type] ?? `type ${type}`;
  const { items, type: kind } = toMembers(type);
  return kind === "array" ? `list of ${typeName(items)}s` : String(type);
}
