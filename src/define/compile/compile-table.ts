import type { ExecutionContext } from "../schema.ts";
import { compileParameters } from "./compile-parameter.ts";
import { convertPart, findItem, isRecord, type Members } from "./members.ts";
import { compileMetadata, compilePropertyOptions, withRequirement } from "./metadata-formula.ts";
import { normalizeSchema } from "./normalize-schema.ts";
import { copyWritten, keepWritten } from "./written.ts";

// Every Pack carries what follows, so it is written for few bytes.

type Execute = (...given: unknown[]) => unknown;

/** The rows of a dynamic table until `getSchema` was called. */
const PLACEHOLDER = {
  type: "object",
  idProperty: "id",
  displayProperty: "id",
  properties: { id: { type: "string" } },
};

/**
 * The compiled form of a sync table. What is wrong with the options is not reported here:
 * validation finds all of it, with its
 * place.
 * @param written the options of `makeSyncTable`, or of `makeDynamicSyncTable` with `isDynamic`
 */
export function compileTable(definition: object): object {
  const written = definition as Members;
  const {
    name,
    displayName,
    description,
    instructions,
    identityName,
    role,
    indexing,
    isDynamic,
    formula,
  } = written;
  const { getSchema, entityName, defaultAddDynamicColumns, propertyOptions } = ((isDynamic
    ? written
    : written["dynamicOptions"]) ?? {}) as Members;
  const own = isDynamic ? (written["placeholderSchema"] ?? PLACEHOLDER) : written["schema"];
  const namedPropertyOptions: Record<string, unknown> = {};
  let schema: unknown;
  if (isRecord(own)) {
    const rows = JSON.parse(
      JSON.stringify({
        ...own,
        type: "object",
        identity: { ...(own["identity"] as object), name: identityName },
      }),
    );
    for (const [key, property] of Object.entries(own["properties"] ?? {})) {
      const options = findItem(property)?.["options"];
      if (typeof options !== "function") continue;
      // The service asks the formula that the property names.
      Object.assign(findItem(rows.properties[key]) as object, { options: key });
      namedPropertyOptions[key] = compilePropertyOptions(
        options,
        `${identityName}.${key}.Options`,
        rows.properties[key],
      );
    }
    schema = normalizeSchema(rows);
  }
  if (propertyOptions)
    namedPropertyOptions["__coda_dynamic__"] = compilePropertyOptions(
      propertyOptions,
      `${identityName}.DynamicPropertyOptions`,
      {
        type: "object",
        properties: {},
      },
    );
  const metadata: Record<string, unknown> = { getSchema: asArrays(compileMetadata(getSchema)) };
  if (isDynamic) for (const key of DYNAMIC) metadata[key] = compileMetadata(written[key]);
  const compiled = {
    name,
    displayName,
    description,
    instructions,
    schema,
    identityName,
    // Without types, an author may forget the formula.
    getter: convertPart(formula, (members) =>
      compileGetter(written, members, getSchema ? undefined : { type: "array", items: schema }),
    ),
    entityName,
    defaultAddDynamicColumns,
    role,
    indexing,
    ...metadata,
    ...(isDynamic ? { isDynamic } : {}),
    ...(Object.keys(namedPropertyOptions)[0] && { namedPropertyOptions }),
  };
  return withTableRequirement(keepWritten(compiled, written), written["connectionRequirement"]);
}

const DYNAMIC = ["getDisplayUrl", "listDynamicUrls", "searchDynamicUrls", "getName"] as const;

/**
 * Writes a connection requirement onto everything of a compiled table that the service runs.
 * Without one nothing changes.
 */
export function withTableRequirement<Table extends object>(
  table: Table,
  connectionRequirement: unknown,
): Table {
  if (!connectionRequirement) return table;
  const change = (part: unknown): unknown => withRequirement(part, connectionRequirement);
  const changed = { ...table } as Record<string, unknown>;
  for (const key of ["getter", "getSchema", ...DYNAMIC])
    if (changed[key]) changed[key] = change(changed[key]);
  const options = changed["namedPropertyOptions"];
  if (options)
    changed["namedPropertyOptions"] = Object.fromEntries(
      Object.entries(options).map(([key, each]) => [key, change(each)]),
    );
  return keepWritten(changed as Table, { ...copyWritten(table), connectionRequirement });
}

function compileGetter(
  { name, description, connectionRequirement }: Members,
  formula: Members,
  schema: unknown,
): Members {
  const { execute, executeUpdate, executeGetPermissions, onError, ...rest } = formula as Members &
    Record<"execute" | "executeUpdate" | "onError", Execute>;
  return {
    name,
    description: description ?? "",
    ...rest,
    parameters: compileParameters(rest["parameters"]),
    cacheTtlSecs: 0,
    async execute(args: unknown, context: ExecutionContext) {
      let page: Members;
      try {
        page = ((await execute(args, context)) || {}) as Members;
      } catch (error) {
        onError?.(error);
        throw error;
      }
      const {
        result,
        continuation,
        completion,
        deletedItemIds,
        deletedRowIds = deletedItemIds,
        permissionsContext,
      } = page;
      return {
        result: result || [],
        ...(continuation ? { continuation } : {}),
        ...(completion ? { completion } : {}),
        ...(deletedRowIds ? { deletedRowIds, deletedItemIds: deletedRowIds } : {}),
        ...(permissionsContext ? { permissionsContext } : {}),
      };
    },
    executeUpdate:
      executeUpdate &&
      (async (...given: unknown[]) => ({
        result: ((await executeUpdate(...given)) as Members | undefined)?.["result"] || [],
      })),
    executeGetPermissions,
    schema,
    isSyncFormula: true,
    supportsUpdates: !!executeUpdate,
    supportsGetPermissions: !!executeGetPermissions,
    connectionRequirement: rest["connectionRequirement"] || connectionRequirement,
    resultType: 2,
    validateParameters: compileMetadata(rest["validateParameters"]),
  };
}

/** Makes `getSchema` always give the schema of a list of rows, as the service expects it. */
function asArrays(getSchema: unknown): unknown {
  return convertPart(getSchema, (formula) => ({
    ...formula,
    async execute(...given: unknown[]) {
      const schema = await (formula["execute"] as Execute)(...given);
      return (schema as Members | undefined)?.["type"] === "array"
        ? schema
        : { type: "array", items: schema };
    },
  }));
}
