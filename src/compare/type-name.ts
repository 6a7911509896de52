import { membersOf } from "./members.ts";

/** The numbers of `Type` in compiled metadata. */
const TYPES = ["text", "number", "object", "boolean", "date", "html", "image", "file"];

/** A compiled type in words: `number`, `list of texts`. */
export function typeName(type: unknown): string {
  if (typeof type === "number") return TYPES[type] ?? `type ${type}`;
  const { items, type: kind } = membersOf(type);
  return kind === "array" ? `list of ${typeName(items)}s` : String(type);
}
