/**
 * A part of a Pack whose members are read without trusting their types: an author may have written
 * anything.
 */
export type Members = { readonly [member: string]: unknown };

export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts an object. Any other value stays as it is, and the rules report it. */
export function convertPart(part: unknown, convert: (members: Members) => unknown): unknown {
  return isRecord(part) ? convert(part) : part;
}

/** Converts the objects in a list. Any other value stays as it is, and the rules report it. */
export function convertParts(list: unknown, convert: (members: Members) => unknown): unknown {
  return Array.isArray(list) ? list.map((part) => convertPart(part, convert)) : list;
}

/** The schema of an item, from its own schema or from that of a list of items. */
export function findItem(schema: unknown): Members | undefined {
  const item = isRecord(schema) && schema["type"] === "array" ? schema["items"] : schema;
  return isRecord(item) ? item : undefined;
}

/** The properties of an object schema. */
export function readProperties(schema: Members | undefined): Members {
  const properties = schema?.["properties"];
  return isRecord(properties) ? properties : {};
}
