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
 * @param isCompiled uses the names of the compiled definition (`DueDate`); otherwise those that the author wrote
 */
export function renameMembers(value: unknown, schema: unknown, isCompiled: boolean): unknown {
  return rename(value, typeof schema === "object" && schema !== null ? (schema as SchemaPart) : undefined, isCompiled);
}

function rename(value: unknown, schema: SchemaPart | undefined, isCompiled: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, schema?.items, isCompiled));
  const properties = schema?.properties;
  if (properties === undefined || typeof value !== "object" || value === null || value instanceof Date) return value;
  const byKey = new Map(Object.entries(properties).map(([name, property]) => [textOf(property.fromKey) ?? name, { name, property }]));
  const renamed: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const found = byKey.get(key) ?? (Object.hasOwn(properties, key) ? { name: key, property: properties[key] ?? {} } : undefined);
    if (found === undefined) {
      // A member that is not in the schema does not appear in the document.
      if (!isCompiled || schema?.includeUnknownProperties === true) renamed[key] = member;
      continue;
    }
    const { name, property } = found;
    const own = textOf(property.originalKey) ?? name;
    renamed[isCompiled ? normalizePropertyName(name) : own] = rename(member, property, isCompiled);
  }
  return renamed;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
