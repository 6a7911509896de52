/**
 * An object that is read without trusting the types of its members: a definition, a document, an
 * answer.
 */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for any other value. */
export function toMembers(value: unknown): Members {
  return isRecord(value) ? value : {};
}

/** The items of a list; none for any other value, whatever its declared type is. */
export function toList<Item>(value: readonly Item[] | undefined): readonly Item[];
export function toList(value: unknown): readonly unknown[];
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether a value is an object with members: not null, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Creates records with the same members. A copy of a record has all of them at once. A record that
 * gets a hundred members one after the other takes twenty times as long, and several times as long
 * to be written as JSON.
 */
export function createRecordFactory<Value>(
  names: readonly string[],
  value: Value,
): () => Record<string, Value> {
  const model = Object.fromEntries(names.map((name) => [name, value]));
  return () => ({ ...model });
}

/** Computes a value for each key once, unless it is undefined. */
export function memoize<Value>(compute: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const before = known.get(key);
    // Undefined is a value, too.
    if (before !== undefined || known.has(key)) return before as Value;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
