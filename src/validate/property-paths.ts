import { isRecord } from "../shared/is-record.ts";
import type { Members } from "./shape.ts";

const MAX_DEPTH = 50;

/** @returns the text of a property identifier, which is text or an object around it. */
export function identifierText(identifier: unknown): string | undefined {
  const text = isRecord(identifier) ? identifier["property"] : identifier;
  return typeof text === "string" ? text : undefined;
}

/**
 * Finds a property: a plain key first, then a path through nested objects and lists of them, such as `owner.name` or
 * `owners[*].name`.
 */
export function findProperty(properties: Members, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name];
  const [first = "", ...rest] = name.split(".");
  const key = first.replace(/\[(?:\*|\d+)\]$/, "");
  if (!Object.hasOwn(properties, key)) return undefined;
  if (rest.length === 0) return itemOf(properties[key]);
  const inner = itemOf(properties[key]);
  const nested = isRecord(inner) ? inner["properties"] : undefined;
  return isRecord(nested) ? findProperty(nested, rest.join(".")) : undefined;
}

/** @returns what a list holds in the end; anything else is itself. */
export function itemOf(schema: unknown): unknown {
  let inner = schema;
  for (let depth = 0; depth < MAX_DEPTH && isRecord(inner) && inner["type"] === "array"; depth++) inner = inner["items"];
  return inner;
}
