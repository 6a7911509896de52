import {
  IntrinsicString,
  isArray,
  keys,
  kindOf,
  read,
  slice,
  stringify,
  toISOString,
} from "../intrinsics.ts";

const MAX_DEPTH = 4;
const MAX_MEMBERS = 100;

/**
 * Formats a value for a console line. Never throws.
 * @param isTop text has no quotation marks then
 * @param maxLength characters after which further members are omitted
 */
export function inspect(value: unknown, maxLength: number, isTop = true, depth = 0): string {
  if (typeof value === "string") return isTop ? value : stringify(value);
  if (typeof value === "function")
    return `[Function ${IntrinsicString(read(value, "name") || "(anonymous)")}]`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return IntrinsicString(value);
  try {
    const kind = kindOf(value);
    if (kind === "[object Date]") return toISOString(value);
    if (kind === "[object Error]")
      return IntrinsicString(read(value, "stack") || read(value, "message"));
    if (depth > MAX_DEPTH) return isArray(value) ? "[…]" : "{…}";
    const names = keys(value);
    let members = "";
    for (
      let index = 0;
      index < names.length && index < MAX_MEMBERS && members.length < maxLength;
      index++
    ) {
      const name = names[index] as string;
      const member = inspect((value as Record<string, unknown>)[name], maxLength, false, depth + 1);
      members += `${index === 0 ? "" : ", "}${isArray(value) ? "" : `${name}: `}${member}`;
    }
    if (names.length > MAX_MEMBERS) members += ", …";
    if (isArray(value)) return `[${members}]`;
    const label = kind === "[object Object]" ? "" : `${slice(kind, 8, -1)} `;
    return names.length === 0 ? `${label}{}` : `${label}{ ${members} }`;
  } catch {
    return "[unreadable]";
  }
}
