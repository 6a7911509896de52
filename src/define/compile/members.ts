/** A part of a Pack whose members are read without trusting their types: an author may have written anything. */
export type Members = { readonly [member: string]: unknown };

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list itself, or an empty one for everything that is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Copies data through JSON, as the service stores it: functions and absent members go. */
export function copyAsJson<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}
