import { normalizePropertyName, normalizePropertyPath } from "../define/property-name.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Members of an object schema that name one property. */
const IDENTIFIERS = [
  "idProperty",
  "displayProperty",
  "titleProperty",
  "linkProperty",
  "snippetProperty",
  "imageProperty",
  "createdAtProperty",
  "createdByProperty",
  "modifiedAtProperty",
  "modifiedByProperty",
  "userEmailProperty",
  "userIdProperty",
  "groupIdProperty",
  "memberGroupIdProperty",
  "versionProperty",
];
const IDENTIFIER_LISTS = ["featuredProperties", "subtitleProperties"];
/** Deprecated names of members, with their current names. */
const DEPRECATED_NAMES = { id: "idProperty", primary: "displayProperty", featured: "featuredProperties" };

/**
 * Writes a schema as the platform reads it: property names in PascalCase with the author's name as `originalKey`, and
 * current names for deprecated members.
 */
export function compileSchema(schema: unknown): unknown {
  if (!isMembers(schema)) return schema;
  if (schema["type"] === "array") return { ...schema, items: compileSchema(schema["items"]) };
  return isMembers(schema["properties"]) ? compileObject(schema, schema["properties"]) : schema;
}

function compileObject(schema: Members, properties: Members): Members {
  const current: Record<string, unknown> = { ...schema };
  for (const [deprecated, name] of Object.entries(DEPRECATED_NAMES)) {
    if (current[deprecated] !== undefined) current[name] ??= current[deprecated];
    delete current[deprecated];
  }
  for (const name of IDENTIFIERS) if (current[name] !== undefined) current[name] = compileIdentifier(current[name], properties);
  for (const name of IDENTIFIER_LISTS) {
    if (Array.isArray(current[name])) current[name] = current[name].map((identifier) => compileIdentifier(identifier, properties));
  }
  if (isMembers(current["index"])) current["index"] = compileIndex(current["index"], properties);
  if (isMembers(current["parent"])) {
    current["parent"] = {
      ...current["parent"],
      parentIdProperty: compileIdentifier(current["parent"]["parentIdProperty"], properties),
    };
  }
  if (isMembers(current["identity"]) && current["identity"]["attribution"] !== undefined) {
    const { attribution, ...identity } = current["identity"];
    current["identity"] = identity;
    current["attribution"] ??= attribution;
  }
  return {
    ...current,
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => compileProperty(name, property))),
  };
}

function compileProperty(name: string, property: unknown): [string, unknown] {
  const key = normalizePropertyName(name);
  const compiled = compileSchema(property);
  if (!isMembers(compiled)) return [key, compiled];
  return [key, { ...compiled, originalKey: name, ...(key === name ? {} : { fromKey: compiled["fromKey"] ?? name }) }];
}

function compileIdentifier(identifier: unknown, properties: Members): unknown {
  if (isMembers(identifier)) return { ...identifier, property: compileIdentifier(identifier["property"], properties) };
  if (typeof identifier !== "string") return identifier;
  return Object.hasOwn(properties, identifier) ? normalizePropertyName(identifier) : normalizePropertyPath(identifier);
}

function compileIndex(index: Members, properties: Members): Members {
  const compile = (identifier: unknown): unknown => compileIdentifier(identifier, properties);
  const categorization = index["contentCategorization"];
  return Object.fromEntries(
    Object.entries({
      ...index,
      ...(isMembers(categorization)
        ? {
            contentCategorization: Object.fromEntries(
              Object.entries(categorization).map(([name, value]) => [name, name === "type" ? value : compile(value)]),
            ),
          }
        : {}),
    }).map(([name, value]) => [
      name,
      name === "contentCategorization" ? value : Array.isArray(value) ? value.map(compile) : compile(value),
    ]),
  );
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RegExp) && !(value instanceof Date);
}
