import { Type } from "../define/enumerations.ts";
import { normalizePropertyPath } from "../define/property-name.ts";
import { compileSchema, isMembers, type Members } from "./compile-schema.ts";

/** Members that hold code. */
const FUNCTIONS = ["execute", "executeUpdate", "executeGetPermissions", "validateParameters"];
/** Members of a table and of an authentication that are functions, or formulas made of functions. */
const METADATA_MEMBERS = [
  "getName",
  "getSchema",
  "getDisplayUrl",
  "listDynamicUrls",
  "searchDynamicUrls",
  "propertyOptions",
  "getConnectionName",
  "getConnectionUserId",
];
const METADATA_PARAMETERS = ["search", "formulaContext"].map((name) => ({ name, type: Type.string, optional: true }));

/**
 * Writes a definition as the platform reads it, without code: numbers for types, compiled schemas, patterns as text, current
 * names for deprecated members. Metadata formulas are named, so that the platform knows that it can call them.
 */
export function compileMetadata(definition: Members): Members {
  return {
    ...definition,
    formulas: listOf(definition["formulas"]).map(compileFormula),
    syncTables: listOf(definition["syncTables"]).map(compileTable),
    formats: listOf(definition["formats"]).map((format) =>
      isMembers(format) ? { ...format, matchers: listOf(format["matchers"]).map(String) } : format,
    ),
    ...compileSlot(definition, "defaultAuthentication"),
    ...compileSlot(definition, "systemConnectionAuthentication"),
    ...(Array.isArray(definition["adminAuthentications"])
      ? {
          adminAuthentications: definition["adminAuthentications"].map((entry) =>
            isMembers(entry) ? { ...entry, authentication: compileAuthentication(entry["authentication"]) } : entry,
          ),
        }
      : {}),
  };
}

function compileFormula(formula: unknown): unknown {
  if (!isMembers(formula)) return formula;
  const { resultType, items, ...rest } = withoutCode(formula);
  const schema = resultType === "array" && items !== undefined ? { type: "array", items } : rest["schema"];
  return {
    ...rest,
    parameters: listOf(rest["parameters"]).map((parameter) => compileParameter(parameter, rest["connectionRequirement"])),
    ...(rest["varargParameters"] === undefined
      ? {}
      : {
          varargParameters: listOf(rest["varargParameters"]).map((parameter) => compileParameter(parameter, rest["connectionRequirement"])),
        }),
    ...(resultType === undefined ? {} : { resultType: resultType === "array" ? Type.object : typeNumber(String(resultType)) }),
    ...(schema === undefined ? {} : { schema: compileSchema(schema) }),
  };
}

function compileTable(table: unknown): unknown {
  if (!isMembers(table)) return table;
  const { getter, schema, connectionRequirement } = table;
  const compiled = compileSchema(schema);
  const { named, schema: rows } = nameOptions(compiled, connectionRequirement);
  return {
    ...withMetadataFormulas(table, connectionRequirement),
    schema: rows,
    ...(Object.keys(named).length === 0 ? {} : { namedPropertyOptions: named }),
    getter: isMembers(getter)
      ? {
          ...(compileFormula(getter) as Members),
          resultType: Type.object,
          schema: { type: "array", items: rows },
          supportsUpdates: getter["executeUpdate"] !== undefined,
          supportsGetPermissions: getter["executeGetPermissions"] !== undefined,
        }
      : getter,
  };
}

/** A function as the options of a property becomes a named metadata formula of the table, and the property refers to its name. */
function nameOptions(schema: unknown, connectionRequirement: unknown): { named: Record<string, unknown>; schema: unknown } {
  const named: Record<string, unknown> = {};
  if (!isMembers(schema) || !isMembers(schema["properties"])) return { named, schema };
  const properties = Object.entries(schema["properties"]).map(([key, property]) => {
    const replace = (value: unknown): unknown => {
      if (!isMembers(value)) return value;
      if (value["type"] === "array") return { ...value, items: replace(value["items"]) };
      if (typeof value["options"] !== "function") return value;
      named[key] = { ...metadataFormula(connectionRequirement), parameters: [] };
      return { ...value, options: key };
    };
    return [key, replace(property)] as const;
  });
  return { named, schema: { ...schema, properties: Object.fromEntries(properties) } };
}

function compileParameter(parameter: unknown, connectionRequirement: unknown): unknown {
  if (!isMembers(parameter)) return parameter;
  const { type, defaultValue, fullSyncSuggestedValue, autocomplete, ...rest } = parameter;
  const suggested = rest["suggestedValue"] ?? defaultValue;
  const ingested = rest["ingestionSuggestedValue"] ?? fullSyncSuggestedValue;
  return {
    ...rest,
    type: typeof type === "string" ? compileType(type) : type,
    ...(isMembers(rest["crawlStrategy"]) ? { crawlStrategy: compileCrawling(rest["crawlStrategy"]) } : {}),
    ...(suggested === undefined ? {} : { suggestedValue: suggested }),
    ...(ingested === undefined ? {} : { ingestionSuggestedValue: ingested }),
    ...(autocomplete === undefined ? {} : { autocomplete: metadataFormula(requirementOf(autocomplete) ?? connectionRequirement) }),
  };
}

function compileCrawling(strategy: Members): Members {
  const { parentTable } = strategy;
  if (!isMembers(parentTable) || typeof parentTable["propertyKey"] !== "string") return strategy;
  return { ...strategy, parentTable: { ...parentTable, propertyKey: normalizePropertyPath(parentTable["propertyKey"]) } };
}

/** `stringArray` → `{ type: "array", items: 0 }`; `sparseStringArray` may have gaps. */
function compileType(type: string): unknown {
  const [, sparse, word = "", list] = /^(sparse)?(.*?)(Array)?$/.exec(type) ?? [];
  const scalar = typeNumber(word.slice(0, 1).toLowerCase() + word.slice(1));
  return list === undefined ? scalar : { type: "array", items: scalar, ...(sparse === undefined ? {} : { allowEmpty: true }) };
}

function typeNumber(word: string): unknown {
  return (Type as Readonly<Record<string, number>>)[word] ?? word;
}

function compileSlot(definition: Members, slot: string): Members {
  return definition[slot] === undefined ? {} : { [slot]: compileAuthentication(definition[slot]) };
}

function compileAuthentication(authentication: unknown): unknown {
  if (!isMembers(authentication)) return authentication;
  const { postSetup, ...rest } = withMetadataFormulas(authentication, undefined);
  if (!Array.isArray(postSetup)) return rest;
  const steps = postSetup.map((step: unknown) => {
    if (!isMembers(step)) return step;
    const { getOptions, getOptionsFormula, ...members } = step;
    return { ...members, ...((getOptions ?? getOptionsFormula) === undefined ? {} : { getOptions: metadataFormula(undefined) }) };
  });
  return { ...rest, postSetup: steps };
}

function withMetadataFormulas(part: Members, connectionRequirement: unknown): Members {
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) =>
      METADATA_MEMBERS.includes(name) && value !== undefined
        ? [name, metadataFormula(requirementOf(value) ?? connectionRequirement)]
        : [name, value],
    ),
  );
}

function requirementOf(value: unknown): unknown {
  return isMembers(value) ? value["connectionRequirement"] : undefined;
}

function metadataFormula(connectionRequirement: unknown): Members {
  return {
    name: "getMetadata",
    resultType: Type.object,
    parameters: METADATA_PARAMETERS,
    connectionRequirement: connectionRequirement ?? "optional",
  };
}

function withoutCode(formula: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(formula).filter(([name]) => !FUNCTIONS.includes(name)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
