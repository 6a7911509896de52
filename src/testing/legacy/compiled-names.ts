import { normalizePropertyName } from "../../define/property-name.ts";

interface SchemaPart {
  type?: unknown;
  items?: SchemaPart;
  properties?: Record<string, SchemaPart>;
  fromKey?: unknown;
  originalKey?: unknown;
  includeUnknownProperties?: unknown;
}

/**
 * Renames the members of a result to the names that a test expects.
 * @param isCompiled uses the names of the compiled definition (`DueDate`); otherwise those that the
 *   author wrote
 */
export function renameMembers(value: unknown, schema: unknown, isCompiled: boolean): unknown {
  return rename(
    value,
    typeof schema === "object" && schema !== null ? (schema as SchemaPart) : undefined,
    isCompiled,
  );
}

function rename(value: unknown, schema: SchemaPart | undefined, isCompiled: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, schema?.items, isCompiled));
  const properties = schema?.properties;
  if (
    properties === undefined ||
    typeof value !== "object" ||
    value === null ||
    value instanceof Date
  )
    return value;
  // Several properties may have their value from one member.
  const byKey = new Map<string, [name: string, property: SchemaPart][]>();
  for (const [name, property] of Object.entries(properties)) {
    const key = textOf(property.fromKey) ?? name;
    byKey.set(key, [...(byKey.get(key) ?? []), [name, property]]);
  }
  const renamed: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const found = byKey.get(key) ?? (own === undefined ? [] : [[key, own] as const]);
    // A member that is not in the schema does not appear in the document.
    if (found.length === 0 && (!isCompiled || schema?.includeUnknownProperties === true))
      renamed[key] = member;
    for (const [name, property] of found) {
      const newKey = isCompiled
        ? normalizePropertyName(name)
        : (textOf(property.originalKey) ?? name);
      renamed[newKey] = rename(member, property, isCompiled);
    }
  }
  return renamed;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
