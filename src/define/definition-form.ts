import { TYPES } from "./compile/compile-parameter.ts";
import {
  convertPart,
  convertParts,
  findItem,
  isRecord,
  type Members,
  readProperties,
} from "./compile/members.ts";
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
  return convertPart(definition, (members) => {
    const { syncTables } = members;
    const tables = Array.isArray(syncTables) ? syncTables.filter(isRecord) : [];
    return {
      ...members,
      ...convertLists(members, ["formulas"], (formula) => formulaForm(formula, tables)),
      ...convertLists(members, ["syncTables"], (table) => tableForm(table, tables)),
    };
  });
}

/** The lists with these names, with converted parts. */
function convertLists(
  members: Members,
  names: readonly string[],
  convert: (part: Members) => unknown,
): Members {
  const lists = names.filter((name) => Array.isArray(members[name]));
  return Object.fromEntries(lists.map((name) => [name, convertParts(members[name], convert)]));
}

/** @param tables the Pack's tables as they came */
function formulaForm(formula: Members, tables: readonly Members[]): Members {
  if (typeof formula["resultType"] === "number") return restoreFormula(formula, tables);
  const { onError: _, codaType, ...rest } = formula;
  const { resultType } = rest;
  const schema = codaType
    ? { type: resultType, codaType, ...(rest["schema"] as object) }
    : rest["schema"];
  if (!isRecord(schema)) return rest;
  return { ...rest, schema: resultType === "object" ? { type: "object", ...schema } : schema };
}

function tableForm(table: Members, tables: readonly Members[]): Members {
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
  return {
    defaultAddDynamicColumns: true,
    ...table,
    ...(dynamicOptions as object | undefined),
    schema: convertPart(schema, (row) => {
      // A schema without an identity has the table's.
      const identity = row["identity"] || (identityName && { name: identityName });
      return { ...row, type: "object", ...(identity ? { identity } : {}) };
    }),
    getter: convertPart(formula, ({ onError: _, ...rest }) => ({
      ...rest,
      // As in the compiled form, the table's requirement replaces that of its formula.
      ...(connectionRequirement ? { connectionRequirement } : {}),
      name: rest["name"] ?? name,
      description: rest["description"] ?? description,
      cacheTtlSecs: 0,
      isSyncFormula: true,
    })),
  };
}

function restoreFormula(formula: Members, tables: readonly Members[]): Members {
  const { resultType, schema, ...rest } = formula;
  const parameters = convertLists(rest, ["parameters", "varargParameters"], (parameter) =>
    restoreParameter(parameter, tables),
  );
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
  tables: readonly Members[],
): Members {
  const getter = Object.entries(restoreFormula(table["getter"] as Members, tables)).filter(
    ([name]) => !COMPILED_ONLY.includes(name),
  );
  const named = isRecord(namedPropertyOptions) ? namedPropertyOptions : {};
  return withoutAbsent({
    ...table,
    schema: convertPart(restoreSchema(table["schema"]), (schema) => ({
      ...schema,
      properties: Object.fromEntries(
        Object.entries(readProperties(schema)).map(([name, property]) => [
          name,
          convertPart(property, (members) => withOptions(members, named)),
        ]),
      ),
    })),
    propertyOptions: readExecute(named[OptionsType.Dynamic]),
    getter: Object.fromEntries(getter),
  });
}

/**
 * Puts the function that lists the options of a property back into its schema, or into that of its
 * items.
 */
function withOptions(property: Members, named: Members): Members {
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

function restoreParameter(parameter: Members, tables: readonly Members[]): Members {
  const { type, allowManualInput, crawlStrategy, ...rest } = parameter;
  return withoutAbsent({
    ...rest,
    crawlStrategy: convertPart(crawlStrategy, (strategy) => restoreStrategy(strategy, tables)),
    type: restoreType(type),
    allowManualInput: allowManualInput === true ? undefined : allowManualInput,
  });
}

/** The column of the parent table gets the name that it has in that table. */
function restoreStrategy(strategy: Members, tables: readonly Members[]): Members {
  const relation = strategy["parentTable"];
  if (!isRecord(relation)) return strategy;
  const { propertyKey, tableName } = relation;
  const parent = tables.find((table) => table["name"] === tableName);
  const name =
    typeof propertyKey === "string" ? originalPath(propertyKey, parent?.["schema"]) : undefined;
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
  return convertPart(schema, restoreSchemaMembers);
}

function restoreSchemaMembers(schema: Members): Members {
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
    return convertPart(value, (members) =>
      withoutAbsent(
        Object.fromEntries(
          Object.entries(members).map(([key, member]) => [
            key,
            LITERALS.test(key) ? member : restoreNames(member),
          ]),
        ),
      ),
    );
  };
  const references = Object.entries(schema).map(([key, value]) => [
    key,
    DATA.test(key) ? value : restoreNames(value),
  ]);
  const restored = Object.entries(properties).map(([name, property]) => [
    names.get(name),
    convertPart(property, restoreProperty),
  ]);
  return withoutAbsent({
    ...Object.fromEntries(references),
    properties: Object.fromEntries(restored),
  });
}

function restoreProperty({ originalKey, fromKey, ...rest }: Members): Members {
  const restored = restoreSchemaMembers(rest);
  return fromKey === undefined || fromKey === originalKey ? restored : { ...restored, fromKey };
}

/**
 * The path of the author's names for a path of compiled ones, such as `Owner.Email` or
 * `Tags[*].Name`.
 */
function originalPath(path: string, schema: unknown): string | undefined {
  let at: unknown = schema;
  const parts: string[] = [];
  for (const part of path.split(".")) {
    const bracket = part.includes("[") ? part.indexOf("[") : part.length;
    const property = readProperties(findItem(at))[part.slice(0, bracket)];
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
