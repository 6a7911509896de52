import type { MetadataFormulaDef } from "../../define/formula.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import type { Untyped } from "../../define/untyped.ts";
import { formulaNamed, tableNamed } from "../../execute/find-block.ts";
import { isRecord, listOf } from "../../shared/values.ts";
import { renameMembers } from "./compiled-names.ts";
import { wrapThrown } from "./exceptions.ts";
import { assertArguments, assertResult } from "./lenient-checks.ts";
import { newPlainContext } from "./mock-context.ts";
import {
  newRealFetcherExecutionContext,
  newRealFetcherSyncExecutionContext,
} from "./real-context.ts";

/** How arguments and results are checked. */
export interface ExecuteOptions {
  /** @default true */
  validateParams?: boolean | undefined;
  /** @default true */
  validateResult?: boolean | undefined;
  /**
   * Results have the names of the compiled definition (`DueDate`); `false` keeps the names that the
   * author wrote. @default true
   */
  useDeprecatedResultNormalization?: boolean | undefined;
}

/** Options for a context with real requests. */
export interface ContextOptions {
  /**
   * Sends the requests with the stored account of `manifestPath`, and ignores the context that is
   * passed. @default false
   */
  useRealFetcher?: boolean | undefined;
  /** Entry file of the Pack. */
  manifestPath?: string | undefined;
}

/** The result of all pages of a table. */
export interface SyncFormulaOutcome {
  result: Untyped[];
  deletedRowIds: string[];
  permissionsContext: Untyped[];
  /** `completion` of the last page. */
  completion?: Untyped;
}

type Pack = PackVersionDefinition;
type Params = readonly unknown[];

const MAX_PAGES = 100;

/**
 * Runs a formula of a definition in this process.
 * @throws {ParameterException} when the arguments do not match the parameters
 * @throws {ResultValidationException} when the result does not match the schema
 * @throws a copy of an error of the Pack, with the original as its `cause`
 */
export async function executeFormulaFromPackDef(
  pack: Pack,
  name: string,
  params: Params,
  context?: ExecutionContext | undefined,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<Untyped> {
  const formula = formulaNamed(pack, name.split("::").at(-1) ?? name);
  const args = checkedArguments(formula, params, options);
  const value = await callPack(() =>
    formula.execute(args as never, contextFor(pack, context, contextOptions)),
  );
  const scalar = SCALARS[String(formula.resultType)];
  // `items` of a text or a number has no effect.
  const items = scalar === undefined ? formula.items : undefined;
  const schema = formula.schema ?? (items === undefined ? undefined : { type: "array", items });
  if (options.validateResult !== false)
    assertResult(name, renameMembers(value, schema, true), schema, scalar);
  return renameMembers(value, schema, options.useDeprecatedResultNormalization !== false);
}

/** Syncs all pages of a table. The context is not changed. */
export async function executeSyncFormula(
  pack: Pack,
  table: string,
  params: Params,
  context?: SyncExecutionContext | undefined,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<SyncFormulaOutcome> {
  const outcome: SyncFormulaOutcome = { result: [], deletedRowIds: [], permissionsContext: [] };
  const base = syncContextFor(pack, context, contextOptions);
  let sync: object = base.sync;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await syncPage(
      pack,
      table,
      params,
      { ...base, sync } as SyncExecutionContext,
      options,
    );
    for (const row of answer.result) outcome.result.push(row);
    for (const id of answer.deletedRowIds) outcome.deletedRowIds.push(id);
    for (const entry of answer.permissionsContext) outcome.permissionsContext.push(entry);
    if (answer.completion !== undefined) outcome.completion = answer.completion;
    if (answer.continuation === undefined || answer.continuation === null) return outcome;
    sync = { ...sync, continuation: answer.continuation };
  }
  throw new Error(
    `The table ${table} has more than ${MAX_PAGES} pages. Check that the last page returns no continuation.`,
  );
}

/** The same, but returns only the rows. */
export async function executeSyncFormulaFromPackDef(
  ...args: Parameters<typeof executeSyncFormula>
): Promise<Untyped[]> {
  return (await executeSyncFormula(...args)).result;
}

/** Syncs one page of a table. */
export async function executeSyncFormulaFromPackDefSingleIteration(
  pack: Pack,
  table: string,
  params: Params,
  context?: SyncExecutionContext | undefined,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<SyncFormulaOutcome & { continuation?: Untyped }> {
  return await syncPage(
    pack,
    table,
    params,
    syncContextFor(pack, context, contextOptions),
    options,
  );
}

/** Runs a metadata formula of a definition. */
export async function executeMetadataFormula(
  formula: MetadataFormulaDef,
  metadataParams: {
    search?: string | undefined;
    formulaContext?: Record<string, unknown> | undefined;
  } = {},
  context: ExecutionContext = newPlainContext(),
): Promise<Untyped> {
  const { search = "", formulaContext = {} } = metadataParams;
  return await callPack(() =>
    typeof formula === "function"
      ? formula(context, search, formulaContext)
      : formula.execute([search, JSON.stringify(formulaContext)], context),
  );
}

/**
 * Writes edited rows with `executeUpdate` of a table.
 * @returns the outcome of each row
 */
export async function executeUpdateFormulaFromPackDef(
  pack: Pack,
  table: string,
  params: Params,
  context: SyncExecutionContext | undefined,
  updates: readonly unknown[],
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<Untyped> {
  const { getter } = tableNamed(pack, table).table;
  const { executeUpdate } = getter;
  if (executeUpdate === undefined)
    throw new Error(`The rows of ${table} cannot be edited: it has no executeUpdate.`);
  const args = checkedArguments(getter, params, options);
  const answer = (await callPack(() =>
    executeUpdate.call(
      getter,
      args as never,
      updates as never,
      syncContextFor(pack, context, contextOptions),
    ),
  )) as { result?: readonly unknown[] };
  // The members of an updated row keep the names that the Pack gave them.
  const result = (answer.result ?? []).map((row) =>
    row instanceof Error
      ? { outcome: "error", error: row }
      : { outcome: "success", finalValue: row },
  );
  return { result };
}

/** Runs `executeGetPermissions` of a table: who may see its rows. */
export async function executeGetPermissionsFormulaFromPackDef(
  pack: Pack,
  table: string,
  params: Params,
  request: unknown,
  context?: SyncExecutionContext | undefined,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<Untyped> {
  const { getter } = tableNamed(pack, table).table;
  const { executeGetPermissions } = getter;
  if (executeGetPermissions === undefined)
    throw new Error(`${table} has no executeGetPermissions.`);
  const args = checkedArguments(getter, params, options);
  return await callPack(() =>
    executeGetPermissions.call(
      getter,
      args as never,
      request as never,
      syncContextFor(pack, context, contextOptions),
    ),
  );
}

async function syncPage(
  pack: Pack,
  name: string,
  params: Params,
  context: SyncExecutionContext,
  options: ExecuteOptions,
): Promise<SyncFormulaOutcome & { continuation?: Untyped }> {
  const { getter } = tableNamed(pack, name).table;
  const args = checkedArguments(getter, params, options);
  const answer = ((await callPack(() => getter.execute(args as never, context))) ??
    {}) as unknown as Record<string, unknown>;
  // The getter of a table whose schema is found at run time has none: its rows are neither renamed
  // nor checked.
  const rowSchema = rowSchemaOf(context.sync.schema ?? (getter as { schema?: unknown }).schema);
  const isCompiled = options.useDeprecatedResultNormalization !== false;
  const rows = listOf(answer["result"]);
  if (options.validateResult !== false && isRecord(rowSchema)) {
    assertResult(name, renameMembers(rows, { items: rowSchema }, true), {
      type: "array",
      items: { type: "object", ...rowSchema },
    });
  }
  return {
    result: rows.map((row) => renameMembers(row, rowSchema, isCompiled)),
    deletedRowIds: listOf(answer["deletedRowIds"] ?? answer["deletedItemIds"]).map(String),
    permissionsContext: [...listOf(answer["permissionsContext"])],
    ...(answer["continuation"] === undefined ? {} : { continuation: answer["continuation"] }),
    ...(answer["completion"] === undefined ? {} : { completion: answer["completion"] }),
  };
}

function contextFor(
  pack: Pack,
  context: ExecutionContext | undefined,
  { useRealFetcher, manifestPath }: ContextOptions,
): ExecutionContext {
  if (context !== undefined) return context;
  return useRealFetcher === true
    ? newRealFetcherExecutionContext(pack, manifestPath ?? "pack.ts")
    : newPlainContext();
}

function syncContextFor(
  pack: Pack,
  context: SyncExecutionContext | undefined,
  { useRealFetcher, manifestPath }: ContextOptions,
): SyncExecutionContext {
  if (context !== undefined) return context;
  return useRealFetcher === true
    ? newRealFetcherSyncExecutionContext(pack, manifestPath ?? "pack.ts")
    : { ...newPlainContext(), sync: {} };
}

function checkedArguments(
  formula: Parameters<typeof assertArguments>[0],
  params: Params,
  { validateParams }: ExecuteOptions,
): unknown[] {
  if (validateParams !== false) assertArguments(formula, params);
  return [...params];
}

/** The types of results that are not lists or objects, by their number and by their name. */
const SCALARS: Readonly<Record<string, "string" | "number" | "boolean">> = {
  0: "string",
  1: "number",
  3: "boolean",
  string: "string",
  number: "number",
  boolean: "boolean",
};

async function callPack<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call();
  } catch (error) {
    throw wrapThrown(error);
  }
}

function rowSchemaOf(schema: unknown): unknown {
  const part = schema as { type?: unknown; items?: unknown } | undefined;
  return part?.type === "array" ? part.items : part;
}
