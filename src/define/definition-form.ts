import { TYPES } from "./compile/compile-parameter.ts";
import { isRecord, type Members } from "./compile/members.ts";
import { OptionsType } from "./enumerations.ts";

/** Members of the compiled form that an author does not write. */
const COMPILED_ONLY = [
  "items",
  "resultType",
  "schema",
  "supportsUpdates",
  "supportsGetPermissions",
];
/** Members of an object schema whose values are not names of properties. */
const DATA =
  /^(type|codaType|description|identity|attribution|options|requireForUpdates|includeUnknownProperties|properties|displayName|fixedId|fromKey|mutable|originalKey|required)$/;
/** Members inside a reference to a property whose text is not a reference. */
const LITERALS = /^(label|placeholder|strategy|type|permissions|lifecycle)$/;

/**
 * Gives a Pack the one form that rules, arguments and results read, in the author's names: formulas
 * with their schema, tables
 * with their formula as `getter`. Parts may come as their author wrote them, or compiled by another
 * tool; parts that have the form
 * already stay as they are.
 */
export function definitionForm(definition: unknown): unknown {
  if (!isRecord(definition)) return definition;
  const { formulas, syncTables } = definition;
  const tables: readonly unknown[] = Array.isArray(syncTables) ? syncTables : [];
  return {
    ...definition,
    ...(Array.isArray(formulas)
      ? { formulas: formulas.map((formula) => formulaForm(formula, tables)) }
      : {}),
    ...(Array.isArray(syncTables)
      ? { syncTables: syncTables.map((table) => tableForm(table, tables)) }
      : {}),
  };
}

/** @param tables the Pack's tables as they came */
function formulaForm(formula: unknown, tables: readonly unknown[]): unknown {
  if (!isRecord(formula)) return formula;
  if (typeof formula["resultType"] === "number") return restoreFormula(formula, tables);
  const { onError: _, codaType, ...rest } = formula;
  const { resultType } = rest;
  const schema = codaType
    ? { type: resultType, codaType, ...(rest["schema"] as object) }
    : rest["schema"];
  if (!isRecord(schema)) return rest;
  return { ...rest, schema: resultType === "object" ? { type: "object", ...schema } : schema };
}

function tableForm(table: unknown, tables: readonly unknown[]): unknown {
  if (!isRecord(table)) return table;
  const { getter } = table;
  if ("getter" in table)
    return isRecord(getter) && typeof getter["resultType"] === "number"
      ? restoreTable(table, tables)
      : table;
  return table["isDynamic"] === true ? dynamicTableForm(table) : writtenTableForm(table);
}

/** The rows of a dynamic table until `getSchema` was called. */
const PLACEHOLDER = {
  properties: { id: { type: "string" } },
  idProperty: "id",
  displayProperty: "id",
};

function dynamicTableForm({ placeholderSchema, ...table }: Members): Members {
  return writtenTableForm({ ...table, schema: placeholderSchema ?? PLACEHOLDER });
}

function writtenTableForm({ formula, dynamicOptions, ...table }: Members): Members {
  const { name, description = "", identityName, schema, connectionRequirement } = table;
  // A schema without an identity has the table's.
  const identity =
    (isRecord(schema) && schema["identity"]) || (identityName && { name: identityName });
  const { onError: _, ...rest } = isRecord(formula) ? formula : {};
  return {
    defaultAddDynamicColumns: true,
    ...table,
    ...(dynamicOptions as object | undefined),
    schema: isRecord(schema)
      ? { ...schema, type: "object", ...(identity ? { identity } : {}) }
      : schema,
    getter: isRecord(formula)
      ? {
          ...rest,
          // As in the compiled form, the table's requirement replaces that of its formula.
          ...(connectionRequirement ? { connectionRequirement } : {}),
          name: rest["name"] ?? name,
          description: rest["description"] ?? description,
          cacheTtlSecs: 0,
          isSyncFormula: true,
        }
      : formula,
  };
}

function restoreFormula(formula: Members, tables: readonly unknown[]): Members {
  const { resultType, schema, ...rest } = formula;
  const restore = (parameter: unknown): unknown => restoreParameter(parameter, tables);
  const parameters = {
    ...(Array.isArray(rest["parameters"]) ? { parameters: rest["parameters"].map(restore) } : {}),
    ...(Array.isArray(rest["varargParameters"])
      ? { varargParameters: rest["varargParameters"].map(restore) }
      : {}),
  };
  const members = withoutAbsent({ ...rest, ...parameters });
  const restored = restoreSchema(schema);
  if (isRecord(restored) && restored["type"] === "array") {
    // Members of the list itself, which `items` cannot carry, stay in a schema.
    const hasOthers = Object.keys(restored).some((key) => key !== "type" && key !== "items");
    return {
      ...members,
      resultType: "array",
      ...(hasOthers ? { schema: restored } : { items: restored["items"] }),
    };
  }
  return {
    ...members,
    resultType: TYPES[resultType as number] ?? resultType,
    ...(restored === undefined ? {} : { schema: restored }),
  };
}

function restoreTable(
  { namedPropertyOptions, ...table }: Members,
  tables: readonly unknown[],
): Members {
  const getter = Object.entries(restoreFormula(table["getter"] as Members, tables)).filter(
    ([name]) => !COMPILED_ONLY.includes(name),
  );
  const named = isRecord(namedPropertyOptions) ? namedPropertyOptions : {};
  const schema = restoreSchema(table["schema"]);
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  return withoutAbsent({
    ...table,
    schema: isRecord(schema)
      ? {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [
              name,
              withOptions(property, named),
            ]),
          ),
        }
      : schema,
    propertyOptions: readExecute(named[OptionsType.Dynamic]),
    getter: Object.fromEntries(getter),
  });
}

/**
 * Puts the function that lists the options of a property back into its schema, or into that of its
 * items.
 */
function withOptions(property: unknown, named: Members): unknown {
  if (!isRecord(property)) return property;
  const { options, items } = property;
  if (options === undefined && isRecord(items))
    return { ...property, items: withOptions(items, named) };
  const list =
    typeof options === "string" && options !== OptionsType.Dynamic
      ? readExecute(named[options])
      : undefined;
  return list === undefined ? property : { ...property, options: list };
}

function readExecute(formula: unknown): unknown {
  return isRecord(formula) ? formula["execute"] : undefined;
}

function restoreParameter(parameter: unknown, tables: readonly unknown[]): unknown {
  if (!isRecord(parameter)) return parameter;
  const { type, allowManualInput, crawlStrategy, ...rest } = parameter;
  return withoutAbsent({
    ...rest,
    crawlStrategy: restoreStrategy(crawlStrategy, tables),
    type: restoreType(type),
    allowManualInput: allowManualInput === true ? undefined : allowManualInput,
  });
}

/** The column of the parent table gets the name that it has in that table. */
function restoreStrategy(strategy: unknown, tables: readonly unknown[]): unknown {
  const relation = isRecord(strategy) ? strategy["parentTable"] : undefined;
  if (!isRecord(strategy) || !isRecord(relation)) return strategy;
  const parent = tables.find(
    (table) => isRecord(table) && table["name"] === relation["tableName"],
  ) as Members | undefined;
  const { propertyKey } = relation;
  const name =
    typeof propertyKey === "string" && isRecord(parent?.["schema"])
      ? originalPath(propertyKey, parent["schema"])
      : undefined;
  return { ...strategy, parentTable: { ...relation, propertyKey: name ?? propertyKey } };
}

/**
 * Gives the type of a parameter as its author writes it: 0 → `string`,
 * `{ type: "array", items: 0 }` → `stringArray`.
 */
function restoreType(type: unknown): unknown {
  if (typeof type === "number") return TYPES[type] ?? type;
  if (!isRecord(type) || type["type"] !== "array") return type;
  const name = `${TYPES[type["items"] as number] ?? ""}Array`;
  return type["allowEmpty"] === true
    ? `sparse${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    : name;
}

function restoreSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  if (schema["type"] === "array")
    return withoutAbsent({ ...schema, items: restoreSchema(schema["items"]) });
  const properties = schema["properties"];
  if (schema["type"] !== "object" || !isRecord(properties)) return withoutAbsent(schema);
  const names = new Map(
    Object.entries(properties).map(([name, property]) => [name, originalName(property) ?? name]),
  );
  const restoreNames = (value: unknown): unknown => {
    if (typeof value === "string") return names.get(value) ?? originalPath(value, schema) ?? value;
    if (Array.isArray(value)) return value.map(restoreNames);
    if (!isRecord(value)) return value;
    return withoutAbsent(
      Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          LITERALS.test(key) ? member : restoreNames(member),
        ]),
      ),
    );
  };
  const references = Object.entries(schema).map(([key, value]) => [
    key,
    DATA.test(key) ? value : restoreNames(value),
  ]);
  const restored = Object.entries(properties).map(([name, property]) => [
    names.get(name),
    restoreProperty(property),
  ]);
  return withoutAbsent({
    ...Object.fromEntries(references),
    properties: Object.fromEntries(restored),
  });
}

function restoreProperty(property: unknown): unknown {
  if (!isRecord(property)) return property;
  const { originalKey, fromKey, ...rest } = property;
  const restored = restoreSchema(rest);
  return fromKey === undefined || fromKey === originalKey || !isRecord(restored)
    ? restored
    : { ...restored, fromKey };
}

/**
 * The path of the author's names for a path of compiled ones, such as `Owner.Email` or
 * `Tags[*].Name`.
 */
function originalPath(path: string, schema: Members): string | undefined {
  let at: unknown = schema;
  const parts: string[] = [];
  for (const part of path.split(".")) {
    const bracket = part.includes("[") ? part.indexOf("[") : part.length;
    const holder = isRecord(at) && at["type"] === "array" ? at["items"] : at;
    const properties = isRecord(holder) ? holder["properties"] : undefined;
    const property = isRecord(properties) ? properties[part.slice(0, bracket)] : undefined;
    if (!isRecord(property)) return undefined;
    parts.push((originalName(property) ?? part.slice(0, bracket)) + part.slice(bracket));
    at = property;
  }
  return parts.join(".");
}

function originalName(property: unknown): string | undefined {
  const name = isRecord(property) ? property["originalKey"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function withoutAbsent(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
