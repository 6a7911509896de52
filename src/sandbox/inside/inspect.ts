/** Formats a value for a console line; with `top`, text has no quotation marks. Never throws. */
export type Inspect = (value: unknown, depth: number, top: boolean) => string;

/**
 * Creates the function that formats console values. Self-contained: its source text is evaluated inside the sandbox, where it
 * captures the intrinsics before the Pack can change them.
 * @param maxLength characters after which further members are omitted
 */
export function createInspect(maxLength: number): Inspect {
  type Members = Record<string, unknown>;
  const { stringify } = JSON;
  const { keys } = Object;
  const { isArray } = Array;
  const textOf = String;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (method: unknown) => (...args: unknown[]) => unknown;
  const slice = uncurry(String.prototype.slice) as (text: string, from: number, to: number) => string;
  const kindOf = uncurry(Object.prototype.toString) as (value: unknown) => string;
  const toISOString = uncurry(Date.prototype.toISOString) as (date: unknown) => string;

  const read = (value: unknown, name: string): unknown => {
    try {
      return value === null || value === undefined ? undefined : (value as Members)[name];
    } catch {
      return undefined;
    }
  };

  const inspect = (value: unknown, depth: number, top: boolean): string => {
    if (typeof value === "string") return top ? value : stringify(value);
    if (typeof value === "function") return `[Function ${textOf(read(value, "name") || "(anonymous)")}]`;
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null) return textOf(value);
    try {
      const kind = kindOf(value);
      if (kind === "[object Date]") return toISOString(value);
      if (kind === "[object Error]") return textOf(read(value, "stack") || read(value, "message"));
      if (depth > 4) return isArray(value) ? "[…]" : "{…}";
      const names = keys(value);
      let members = "";
      for (let index = 0; index < names.length && index < 100 && members.length < maxLength; index++) {
        const name = names[index] as string;
        members += `${index === 0 ? "" : ", "}${isArray(value) ? "" : `${name}: `}${inspect((value as Members)[name], depth + 1, false)}`;
      }
      if (names.length > 100) members += ", …";
      if (isArray(value)) return `[${members}]`;
      const label = kind === "[object Object]" ? "" : `${slice(kind, 8, -1)} `;
      return names.length === 0 ? `${label}{}` : `${label}{ ${members} }`;
    } catch {
      return "[unreadable]";
    }
  };
  return inspect;
}
