import { isRecord } from "../../shared/values.ts";

/**
 * Turns a path of an upload's metadata, such as `formulas[0].schema.properties.DueDate`, into the
 * path of the author's definition:
 * properties have the names there that the author wrote.
 */
export function authorPath(metadata: unknown, path: string): (string | number)[] {
  const parts = [...path.matchAll(/[^.[\]]+/g)].map(([text]) =>
    /^\d+$/.test(text) ? Number(text) : text,
  );
  const result: (string | number)[] = [];
  let value: unknown = metadata;
  for (const [at, part] of parts.entries()) {
    const next: unknown =
      isRecord(value) || Array.isArray(value)
        ? (value as Record<string | number, unknown>)[part]
        : undefined;
    const isProperty =
      parts[at - 1] === "properties" && isRecord(next) && typeof next["originalKey"] === "string";
    result.push(isProperty ? String((next as Record<string, unknown>)["originalKey"]) : part);
    value = next;
  }
  return result;
}
