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
 * Gives the members of a result the names that a test expects.
 * @param isCompiled the names of the compiled definition (`DueDate`), as older suites expect them; else the author's
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
      // What the schema does not name is not in the document.
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
