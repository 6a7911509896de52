interface SchemaPart {
  type?: unknown;
  items?: SchemaPart;
  properties?: Record<string, SchemaPart>;
  fromKey?: unknown;
  includeUnknownProperties?: unknown;
}

type Rename = (value: unknown, schema: SchemaPart) => unknown;

/**
 * Gives the members of a result the names of the compiled schema (`DueDate`), and leaves out those
 * that are not in it. Whatever is in the place of an object counts as one.
 */
export function takeMembers(value: unknown, schema: unknown): unknown {
  return renameResult(value, schema, takeObject);
}

/** Gives members with compiled names those that the Pack returned (`due_date`). */
export function restoreMembers(value: unknown, schema: unknown): unknown {
  return renameResult(value, schema, restoreObject);
}

function renameResult(value: unknown, schema: unknown, rename: Rename): unknown {
  const part = (schema ?? undefined) as SchemaPart | undefined;
  if (isList(part)) return Array.isArray(value) ? renameList(value, part, rename) : value;
  return part?.type === "object" ? rename(value, part) : value;
}

/** Lists of lists are left as they are. */
function renamePart(value: unknown, part: SchemaPart | undefined, rename: Rename): unknown {
  if (isList(part) && Array.isArray(value)) return renameList(value, part, rename);
  return typeof value === "object" && part?.type === "object" ? rename(value, part) : value;
}

function renameList(
  list: readonly unknown[],
  { items }: { items: SchemaPart },
  rename: Rename,
): unknown[] {
  return list.map((item) => rename(item, items));
}

function isList(part: SchemaPart | undefined): part is SchemaPart & { items: SchemaPart } {
  return part?.type === "array" && part.items?.type === "object";
}

function takeObject(value: unknown, schema: SchemaPart): Record<string, unknown> {
  const properties = schema.properties ?? {};
  // Several properties may have their value from one member.
  const byKey = new Map<string, string[]>();
  for (const [name, { fromKey }] of Object.entries(properties))
    if (typeof fromKey === "string" && fromKey !== "")
      byKey.set(fromKey, [...(byKey.get(fromKey) ?? []), name]);
  const taken: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value ?? {})) {
    const names = byKey.get(key) ?? [key];
    for (const name of names) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined && schema.includeUnknownProperties !== true) continue;
      const own = names.length > 1 ? copyAsJson(member) : member;
      taken[name] = renamePart(own, property, takeObject);
    }
  }
  return taken;
}

function restoreObject(value: unknown, schema: SchemaPart): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const restored: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value ?? {})) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const key = property?.fromKey;
    const newName = typeof key === "string" && key !== "" ? key : name;
    restored[newName] = renamePart(copyAsJson(member), property, restoreObject);
  }
  return restored;
}

function copyAsJson(value: unknown): unknown {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
