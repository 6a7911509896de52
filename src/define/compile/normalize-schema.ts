import { normalizePropertyName, normalizePropertyPath } from "../property-name.ts";
import { convertPart, type Members } from "./members.ts";

// Every Pack carries what follows, so it is written for few bytes: one function renames all
// references to properties.

/** Members of an object schema that are kept as they are. */
const KEPT =
  /^(attribution|options|requireForUpdates|codaType|description|identity|includeUnknownProperties)$/;
/** Members that name properties, never paths into them. */
const NAMES = /^(id|primary|featured|(id|display)Property|featuredProperties)$/;
/** Members that name properties or paths into them, perhaps with a label, in lists or deeper. */
const REFERENCES =
  /^((image|link|snippet|title|version|userEmail|(user|group|memberGroup)Id|(creat|modifi)ed(At|By))Property|subtitleProperties|index|parent)$/;
/** Members inside a reference that are references, too. */
const INNER =
  /^(property|((to|from|subject|htmlBody|plainTextBody|parentId)|(authority|popularity)Norm)Property|((context|filterable)P|p)roperties|contentCategorization)$/;
/** Members inside a reference whose text is not a reference. */
const LITERALS = /^(label|placeholder|strategy|type|permissions|lifecycle)$/;

/**
 * Copies a schema into the form that the service uses: each property of an object has its compiled
 * name, keeps the author's
 * name as `originalKey`, and members that name properties follow. An object schema keeps only the
 * members that the service
 * knows. Anything that is not a schema is returned as it is.
 */
export function normalizeSchema(schema: unknown): unknown {
  return convertPart(schema, normalizeMembers);
}

function normalizeMembers(schema: Members): Members {
  if (schema["type"] === "array") return { ...schema, items: normalizeSchema(schema["items"]) };
  if (schema["type"] !== "object") return { ...schema };
  const properties: Record<string, unknown> = {};
  for (const [originalKey, property] of Object.entries(schema["properties"] ?? {})) {
    const name = normalizePropertyName(originalKey);
    const {
      displayName,
      fixedId,
      fromKey = name === originalKey ? undefined : originalKey,
      mutable,
      required,
    } = (property ?? {}) as Members;
    properties[name] = {
      ...(normalizeSchema(property) as object),
      displayName,
      fixedId,
      fromKey,
      mutable,
      originalKey,
      required,
    };
  }
  const normalizePath = (text: string): string => {
    // A name with a dot in it is a property before it is a path.
    const name = normalizePropertyName(text);
    return Object.hasOwn(properties, name) ? name : normalizePropertyPath(text);
  };
  const result: Record<string, unknown> = { type: "object", properties };
  for (const [key, value] of Object.entries(schema)) {
    if (KEPT.test(key)) result[key] = value;
    else if (NAMES.test(key)) result[key] = renameNames(value, normalizePropertyName);
    else if (REFERENCES.test(key)) result[key] = renameNames(value, normalizePath);
  }
  return result;
}

function renameNames(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === "string") return value && rename(value);
  if (Array.isArray(value)) return value.map((each) => renameNames(each, rename));
  return convertPart(value, (members) => {
    const known = Object.entries(members).filter(([key]) => INNER.test(key) || LITERALS.test(key));
    return Object.fromEntries(
      known.map(([key, each]) => [key, LITERALS.test(key) ? each : renameNames(each, rename)]),
    );
  });
}
