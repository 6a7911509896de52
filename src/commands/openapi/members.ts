/** A JSON object, of which nothing more is known. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member: a description may call something `constructor`. */
export function own(object: unknown, name: string): unknown {
  return isMembers(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isMembers(value) ? Object.entries(value) : [];
}
