import type { ExecutionContext } from "../context.ts";
import { compileParameters } from "./compile-formula.ts";
import { copyAsJson, isMembers, type Members } from "./members.ts";
import { asArraySchema, compileMetadata, compilePropertyOptions, withRequirement } from "./metadata-formula.ts";
import { normalizeSchema } from "./normalize-schema.ts";
import { keepWritten, writtenOf } from "./written.ts";

/** The key under which a table has the options of all properties with `OptionsType.Dynamic`. */
const DYNAMIC_OPTIONS = "__coda_dynamic__";
/** The metadata formulas of a dynamic table, beside `getSchema`. */
const DYNAMIC_METADATA = ["getDisplayUrl", "listDynamicUrls", "searchDynamicUrls", "getName"] as const;
const TABLE_METADATA = ["getSchema", ...DYNAMIC_METADATA] as const;

/**
 * The compiled form of a sync table. What is wrong with the options is not reported here: validation finds all of it, with its
 * place.
 * @param table the options of `makeSyncTable`
 */
export function compileTable(table: Members): Members {
  const { name, displayName, description, instructions, identityName, schema, connectionRequirement, role, indexing } = table;
  const dynamicOptions = isMembers(table["dynamicOptions"]) ? table["dynamicOptions"] : {};
  const { getSchema: writtenGetSchema, entityName, defaultAddDynamicColumns, propertyOptions } = dynamicOptions;
  const getSchema = asArraySchema(compileMetadata(writtenGetSchema));
  const rows = rowSchemaOf(schema, identityName);
  const normalized = normalizeSchema(rows);
  const options = namedOptionsOf(schema, rows, identityName, propertyOptions);
  const hasRows = getSchema === undefined && normalized !== undefined;
  const getter = compileGetter(table, hasRows ? { type: "array", items: normalized } : undefined);
  const compiled = {
    name,
    displayName,
    description,
    instructions,
    schema: normalized,
    identityName,
    getter,
    getSchema,
    entityName,
    defaultAddDynamicColumns,
    namedPropertyOptions: options,
    role,
    indexing,
  };
  return withTableRequirement(keepWritten(compiled, writtenTable(table, getter)), connectionRequirement);
}

/**
 * The compiled form of a dynamic sync table.
 * @param table the options of `makeDynamicSyncTable`
 */
export function compileDynamicTable(table: Members): Members {
  const { getName, getDisplayUrl, listDynamicUrls, searchDynamicUrls, placeholderSchema, ...rest } = table;
  const { getSchema, entityName, defaultAddDynamicColumns, propertyOptions, ...common } = rest;
  const written = { getName, getDisplayUrl, listDynamicUrls, searchDynamicUrls };
  const placeholder = {
    type: "object",
    idProperty: "id",
    displayProperty: "id",
    identity: { name: table["identityName"] },
    properties: { id: { type: "string" } },
  };
  const base = compileTable({
    ...common,
    schema: placeholderSchema ?? placeholder,
    dynamicOptions: { getSchema, entityName, defaultAddDynamicColumns, propertyOptions },
  });
  const metadata = Object.fromEntries(Object.entries(written).map(([name, value]) => [name, compileMetadata(value)]));
  const compiled = { ...base, isDynamic: true, ...metadata };
  return withTableRequirement(
    keepWritten(compiled, { ...writtenOf(base), isDynamic: true, ...withoutAbsent(written) }),
    table["connectionRequirement"],
  );
}

/** Writes a connection requirement onto everything of a compiled table that the service runs. Without one nothing changes. */
export function withTableRequirement(table: Members, connectionRequirement: unknown): Members {
  if (!connectionRequirement) return table;
  const written = writtenOf(table);
  const metadata = TABLE_METADATA.filter((name) => table[name] !== undefined);
  const options = table["namedPropertyOptions"];
  return keepWritten(
    {
      ...table,
      getter: withRequirement(table["getter"], connectionRequirement),
      ...Object.fromEntries(metadata.map((name) => [name, withRequirement(table[name], connectionRequirement)])),
      ...(isMembers(options)
        ? {
            namedPropertyOptions: Object.fromEntries(
              Object.entries(options).map(([key, each]) => [key, withRequirement(each, connectionRequirement)]),
            ),
          }
        : {}),
    },
    { ...written, connectionRequirement, getter: requirementInto(written["getter"], connectionRequirement) },
  );
}

function requirementInto(getter: unknown, connectionRequirement: unknown): unknown {
  return isMembers(getter) && !getter["connectionRequirement"] ? { ...getter, connectionRequirement } : getter;
}

/** The schema of a row as data, with the identity of the table. */
function rowSchemaOf(schema: unknown, identityName: unknown): Members | undefined {
  const copy = copyAsJson(schema);
  if (!isMembers(copy)) return undefined;
  const identity = isMembers(copy["identity"]) ? copy["identity"] : {};
  return { ...copy, type: "object", identity: { ...identity, name: identityName } };
}

/**
 * Moves the functions that list the options of a property from the schema into formulas of the table, and lets the property name
 * its formula.
 * @param rows the copy of the schema, which is changed
 */
function namedOptionsOf(schema: unknown, rows: Members | undefined, identityName: unknown, propertyOptions: unknown): Members | undefined {
  const named: Record<string, unknown> = {};
  const properties = isMembers(schema) && isMembers(schema["properties"]) ? schema["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    const options = itemOf(property)?.["options"];
    const copy = (rows?.["properties"] as Members | undefined)?.[name];
    if (typeof options !== "function") continue;
    Object.assign(itemOf(copy) ?? {}, { options: name });
    named[name] = copyOfFormula(compilePropertyOptions(options, `${identityName}.${name}.Options`, copy));
  }
  if (propertyOptions) {
    const anything = { type: "object", properties: {} };
    named[DYNAMIC_OPTIONS] = compilePropertyOptions(propertyOptions, `${identityName}.DynamicPropertyOptions`, anything);
  }
  return Object.keys(named).length === 0 ? undefined : named;
}

/** The schema belongs to the formula only. */
function copyOfFormula(formula: Members): Members {
  return { ...formula, schema: copyAsJson(formula["schema"]) };
}

function itemOf(schema: unknown): Members | undefined {
  const item = isMembers(schema) && schema["type"] === "array" ? schema["items"] : schema;
  return isMembers(item) ? item : undefined;
}

interface Page {
  result?: unknown[] | undefined;
  continuation?: unknown;
  completion?: unknown;
  deletedRowIds?: unknown;
  deletedItemIds?: unknown;
  permissionsContext?: unknown;
}
type Sync = (args: readonly unknown[], context: ExecutionContext) => Promise<Page | undefined>;
type Update = (
  args: readonly unknown[],
  updates: readonly unknown[],
  context: ExecutionContext,
) => Promise<{ result?: unknown[] } | undefined>;

function compileGetter({ formula, name, description, connectionRequirement }: Members, schema: unknown): unknown {
  // Without types, an author may forget the formula.
  if (!isMembers(formula)) return formula;
  const { execute, executeUpdate, executeGetPermissions, onError, ...rest } = formula;
  const written = {
    ...rest,
    name: rest["name"] ?? name,
    description: rest["description"] ?? description ?? "",
    cacheTtlSecs: 0,
    isSyncFormula: true,
    execute,
    ...withoutAbsent({ executeUpdate, executeGetPermissions }),
  };
  return keepWritten(
    {
      ...rest,
      name: rest["name"] ?? name,
      description: rest["description"] ?? description ?? "",
      parameters: compileParameters(rest["parameters"]),
      cacheTtlSecs: 0,
      execute: executePage(execute as Sync, onError as ((error: unknown) => unknown) | undefined),
      executeUpdate: executeUpdate && executeUpdates(executeUpdate as Update),
      schema,
      isSyncFormula: true,
      supportsUpdates: Boolean(executeUpdate),
      supportsGetPermissions: Boolean(executeGetPermissions),
      connectionRequirement: rest["connectionRequirement"] || connectionRequirement,
      resultType: 2,
      executeGetPermissions,
      validateParameters: compileMetadata(rest["validateParameters"]),
    },
    written,
  );
}

/** The service takes what is truthy; the deleted rows go by both of their names. */
function executePage(execute: Sync, onError: ((error: unknown) => unknown) | undefined) {
  return async (args: readonly unknown[], context: ExecutionContext) => {
    let page: Page;
    try {
      page = (await execute(args, context)) || {};
    } catch (error) {
      onError?.(error);
      throw error;
    }
    const { result, continuation, completion, permissionsContext } = page;
    const deletedRowIds = page.deletedRowIds ?? page.deletedItemIds;
    return {
      result: result || [],
      ...(continuation ? { continuation } : {}),
      ...(completion ? { completion } : {}),
      ...(deletedRowIds ? { deletedRowIds, deletedItemIds: deletedRowIds } : {}),
      ...(permissionsContext ? { permissionsContext } : {}),
    };
  };
}

function executeUpdates(executeUpdate: Update) {
  return async (args: readonly unknown[], updates: readonly unknown[], context: ExecutionContext) => ({
    result: (await executeUpdate(args, updates, context))?.result || [],
  });
}

function writtenTable({ formula: _, dynamicOptions, ...table }: Members, getter: unknown): Members {
  const { identityName, schema } = table;
  const identity = isMembers(schema) ? (schema["identity"] ?? (identityName && { name: identityName })) : undefined;
  return {
    defaultAddDynamicColumns: true,
    ...table,
    ...(isMembers(dynamicOptions) ? withoutAbsent(dynamicOptions) : {}),
    schema: isMembers(schema) ? { ...schema, type: "object", ...(identity ? { identity } : {}) } : schema,
    getter: isMembers(getter) ? writtenOf(getter) : getter,
  };
}

function withoutAbsent(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
