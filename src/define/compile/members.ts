/**
 * A part of a Pack whose members are read without trusting their types: an author may have written
 * anything.
 */
export type Members = { readonly [member: string]: unknown };

export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
