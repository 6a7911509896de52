import { isMembers, type Members } from "./members.ts";

const SCALARS = ["string", "number", "object", "boolean", "date", "html", "image", "file", "markdown", "email"];
/** Members of the compiled form that an author does not write. */
const COMPILED_ONLY = ["resultType", "schema", "supportsUpdates", "supportsGetPermissions"];
/** Members of an object schema whose values are not names of properties. */
const DATA = new Set([
  "type",
  "codaType",
  "description",
  "identity",
  "attribution",
  "options",
  "requireForUpdates",
  "includeUnknownProperties",
  "properties",
  "displayName",
  "fixedId",
  "fromKey",
  "mutable",
  "originalKey",
  "required",
]);

/**
 * Gives the parts of a Pack that another tool compiled the form in which authors write them, so that rules, arguments and results
 * speak of the author's names. Parts that are in that form already stay as they are.
 */
export function restoreDefinition(definition: unknown): unknown {
  if (!isMembers(definition)) return definition;
  return {
    ...definition,
    ...(Array.isArray(definition["formulas"]) ? { formulas: definition["formulas"].map(restoreFormula) } : {}),
    ...(Array.isArray(definition["syncTables"]) ? { syncTables: definition["syncTables"].map(restoreTable) } : {}),
  };
}

function restoreFormula(formula: unknown): unknown {
  if (!isMembers(formula)) return formula;
  const { resultType, schema, ...rest } = formula;
  const parameters = {
    ...(Array.isArray(rest["parameters"]) ? { parameters: rest["parameters"].map(restoreParameter) } : {}),
    ...(Array.isArray(rest["varargParameters"]) ? { varargParameters: rest["varargParameters"].map(restoreParameter) } : {}),
  };
  if (typeof resultType !== "number") return { ...formula, ...parameters };
  const members = withoutAbsent({ ...rest, ...parameters });
  const restored = restoreSchema(schema);
  if (isMembers(restored) && restored["type"] === "array") return { ...members, resultType: "array", items: restored["items"] };
  return { ...members, resultType: SCALARS[resultType] ?? resultType, ...(restored === undefined ? {} : { schema: restored }) };
}

function restoreTable(table: unknown): unknown {
  if (!isMembers(table) || !isMembers(table["getter"]) || typeof table["getter"]["resultType"] !== "number") return table;
  const getter = Object.entries(restoreFormula(table["getter"]) as Members).filter(
    ([name]) => !COMPILED_ONLY.includes(name) && name !== "items",
  );
  return withoutAbsent({ ...table, schema: restoreSchema(table["schema"]), getter: Object.fromEntries(getter) });
}

function restoreParameter(parameter: unknown): unknown {
  if (!isMembers(parameter)) return parameter;
  const { type, allowManualInput, ...rest } = parameter;
  return withoutAbsent({ ...rest, type: restoreType(type), allowManualInput: allowManualInput === true ? undefined : allowManualInput });
}

/** 0 → `string`, `{ type: "array", items: 0 }` → `stringArray`. */
function restoreType(type: unknown): unknown {
  if (typeof type === "number") return SCALARS[type] ?? type;
  if (!isMembers(type) || type["type"] !== "array") return type;
  const name = `${SCALARS[type["items"] as number] ?? ""}Array`;
  return type["allowEmpty"] === true ? `sparse${name.slice(0, 1).toUpperCase()}${name.slice(1)}` : name;
}

function restoreSchema(schema: unknown): unknown {
  if (!isMembers(schema)) return schema;
  if (schema["type"] === "array") return withoutAbsent({ ...schema, items: restoreSchema(schema["items"]) });
  const properties = schema["properties"];
  if (schema["type"] !== "object" || !isMembers(properties)) return withoutAbsent(schema);
  const names = new Map(Object.entries(properties).map(([name, property]) => [name, originalName(property) ?? name]));
  const original = (value: unknown): unknown => {
    if (typeof value === "string") return names.get(value) ?? originalPath(value, schema) ?? value;
    if (Array.isArray(value)) return value.map(original);
    if (!isMembers(value)) return value;
    return withoutAbsent(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isLiteral(key) ? member : original(member)])),
    );
  };
  const references = Object.entries(schema).map(([key, value]) => [key, DATA.has(key) ? value : original(value)]);
  const restored = Object.entries(properties).map(([name, property]) => [names.get(name), restoreProperty(property)]);
  return withoutAbsent({ ...Object.fromEntries(references), properties: Object.fromEntries(restored) });
}

/** Members beside a reference to a property that are text for themselves. */
function isLiteral(key: string): boolean {
  return ["label", "placeholder", "strategy", "type", "permissions", "lifecycle"].includes(key);
}

function restoreProperty(property: unknown): unknown {
  if (!isMembers(property)) return property;
  const { originalKey, fromKey, ...rest } = property;
  const restored = restoreSchema(rest);
  return fromKey === undefined || fromKey === originalKey || !isMembers(restored) ? restored : { ...restored, fromKey };
}

/** The path of the author's names for a path of compiled ones, such as `Owner.Email` or `Tags[*].Name`. */
function originalPath(path: string, schema: Members): string | undefined {
  let at: unknown = schema;
  const parts: string[] = [];
  for (const part of path.split(".")) {
    const bracket = part.includes("[") ? part.indexOf("[") : part.length;
    const holder = isMembers(at) && at["type"] === "array" ? at["items"] : at;
    const properties = isMembers(holder) ? holder["properties"] : undefined;
    const property = isMembers(properties) ? properties[part.slice(0, bracket)] : undefined;
    if (!isMembers(property)) return undefined;
    parts.push((originalName(property) ?? part.slice(0, bracket)) + part.slice(bracket));
    at = property;
  }
  return parts.join(".");
}

function originalName(property: unknown): string | undefined {
  const name = isMembers(property) ? property["originalKey"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function withoutAbsent(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
