import { normalizePropertyName, normalizePropertyPath } from "../property-name.ts";
import { isMembers, listOf, type Members } from "./members.ts";

/** Members of an object schema that are kept as they are. */
const KEPT = ["attribution", "options", "requireForUpdates", "codaType", "description", "identity", "includeUnknownProperties"] as const;
/** Members that name one property. */
const NAMES = ["displayProperty", "id", "idProperty", "primary"] as const;
/** Members that name several properties. */
const NAME_LISTS = ["featured", "featuredProperties"] as const;
/** Members that name a property or a path into one, perhaps with a label. */
const IDENTIFIERS = [
  "imageProperty",
  "linkProperty",
  "snippetProperty",
  "titleProperty",
  "createdAtProperty",
  "createdByProperty",
  "modifiedAtProperty",
  "modifiedByProperty",
  "userEmailProperty",
  "userIdProperty",
  "groupIdProperty",
  "memberGroupIdProperty",
  "versionProperty",
] as const;
const CATEGORIZED_PROPERTIES = ["toProperty", "fromProperty", "subjectProperty", "htmlBodyProperty", "plainTextBodyProperty"];

/**
 * Copies a schema into the form that the service uses: each property of an object has its compiled name, keeps the author's
 * name as `originalKey`, and members that name properties follow. Anything that is not a schema is returned as it is.
 */
export function normalizeSchema(schema: unknown): unknown {
  if (!isMembers(schema)) return schema;
  if (schema["type"] === "array") return { ...schema, type: "array", items: normalizeSchema(schema["items"]) };
  return schema["type"] === "object" ? normalizeObjectSchema(schema) : { ...schema };
}

function normalizeObjectSchema(schema: Members): Members {
  const properties: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(isMembers(schema["properties"]) ? schema["properties"] : {})) {
    const compiled = normalizePropertyName(name);
    properties[compiled] = isMembers(property) ? normalizeProperty(property, name, compiled) : property;
  }
  const identifier = (value: unknown): unknown => normalizeIdentifier(value, properties);
  const result: Record<string, unknown> = {};
  const take = (names: readonly string[], change: (value: unknown) => unknown): void => {
    for (const name of names) if (schema[name]) result[name] = change(schema[name]);
  };
  for (const name of KEPT) if (schema[name] !== undefined) result[name] = schema[name];
  take(NAMES, nameOf);
  take(NAME_LISTS, (names) => listOf(names).map(nameOf));
  take(IDENTIFIERS, identifier);
  take(["subtitleProperties"], (identifiers) => listOf(identifiers).map(identifier));
  take(["index"], (index) => (isMembers(index) ? normalizeIndex(index, identifier) : index));
  take(["parent"], (parent) => (isMembers(parent) ? normalizeParent(parent, identifier) : parent));
  return { ...result, properties, type: "object" };
}

function normalizeProperty(property: Members, name: string, compiled: string): Members {
  const { displayName, fixedId, fromKey, mutable, required } = property;
  const own = { displayName, fixedId, fromKey: fromKey || (compiled === name ? undefined : name), mutable, originalKey: name, required };
  return { ...(normalizeSchema(property) as Members), ...own };
}

function nameOf(value: unknown): unknown {
  return typeof value === "string" ? normalizePropertyName(value) : value;
}

function normalizeIdentifier(value: unknown, properties: Members): unknown {
  if (isMembers(value)) {
    const { property, label, placeholder } = value;
    return { property: normalizeIdentifier(property, properties), label, placeholder };
  }
  if (typeof value !== "string") return value;
  // A name with a dot in it is a property before it is a path.
  const name = normalizePropertyName(value);
  return Object.hasOwn(properties, name) ? name : normalizePropertyPath(value);
}

function normalizeIndex(index: Members, identifier: (value: unknown) => unknown): Members {
  const { contentCategorization, properties, contextProperties, authorityNormProperty, popularityNormProperty, filterableProperties } =
    index;
  const optional = (value: unknown): unknown => (value ? identifier(value) : undefined);
  const list = (value: unknown): unknown => (value ? listOf(value).map(identifier) : undefined);
  const common = {
    authorityNormProperty: optional(authorityNormProperty),
    popularityNormProperty: optional(popularityNormProperty),
    filterableProperties: list(filterableProperties),
  };
  if (isMembers(contentCategorization))
    return { contentCategorization: normalizeCategorization(contentCategorization, identifier), ...common };
  return {
    properties: listOf(properties).map((property) => {
      if (!isMembers(property) || !("strategy" in property)) return identifier(property);
      return { property: identifier(property["property"]), strategy: property["strategy"] };
    }),
    contextProperties: list(contextProperties),
    ...common,
  };
}

function normalizeCategorization(categorization: Members, identifier: (value: unknown) => unknown): Members {
  const { type } = categorization;
  if (type !== "Email") return { type };
  return { type, ...Object.fromEntries(CATEGORIZED_PROPERTIES.map((name) => [name, identifier(categorization[name])])) };
}

function normalizeParent({ parentIdProperty, permissions, lifecycle }: Members, identifier: (value: unknown) => unknown): Members {
  return { parentIdProperty: identifier(parentIdProperty), permissions, lifecycle };
}
