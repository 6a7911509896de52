import { isMembers, type Members } from "./shape.ts";

const MAX_DEPTH = 50;
const MAX_PATH_LENGTH = 1000;

/**
 * Finds the property that an identifier names: a plain key first, then a path through nested objects and lists of them, such
 * as `owner.name` or `owners[*].name`.
 * @returns its schema; `undefined` when there is no such property
 */
export function propertyAt(properties: Members, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {};
  if (name.length > MAX_PATH_LENGTH) return undefined;
  const [first = "", ...rest] = name.split(".");
  const key = first.replace(/\[(?:\*|\d+)\]$/, "");
  if (!Object.hasOwn(properties, key)) return undefined;
  const inner = properties[key];
  if (rest.length === 0) return key !== first && isMembers(inner) && inner["type"] === "array" ? (inner["items"] ?? {}) : undefined;
  const nested = elementOf(inner);
  const members = isMembers(nested) ? nested["properties"] : undefined;
  return isMembers(members) ? propertyAt(members, rest.join(".")) : undefined;
}

/** What a list of lists holds in the end. */
function elementOf(schema: unknown): unknown {
  let at = schema;
  for (let depth = 0; depth < MAX_DEPTH && isMembers(at) && at["type"] === "array"; depth++) at = at["items"];
  return at;
}
