import type { MetadataFormulaDef } from "../../define/formula.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { ExecutionContext, SyncExecutionContext } from "../../define/schema.ts";
import type { Untyped } from "../../define/untyped.ts";
import { formulaNamed, tableNamed } from "../../execute/find-block.ts";
import { restoreMembers, takeMembers } from "./compiled-names.ts";
import { wrapThrown } from "./exceptions.ts";
import { newPlainContext, newPlainSyncContext } from "./mock-context.ts";
import {
  newRealFetcherExecutionContext,
  newRealFetcherSyncExecutionContext,
} from "./real-context.ts";
import { assertArguments, assertResult, type CheckedFormula, isScalar } from "./suite-checks.ts";

/** How arguments and results are checked. */
export interface ExecuteOptions {
  /** @default true */
  validateParams?: boolean | undefined;
  /** @default true */
  validateResult?: boolean | undefined;
  /**
   * Results have the names of the compiled definition (`DueDate`); `false` keeps the names that the
   * Pack returned. @default true
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
}

/** The result of one page, as the Pack returned it, with its rows renamed. */
export interface SyncPageOutcome {
  result: Untyped[];
  continuation?: Untyped;
  completion?: Untyped;
  deletedRowIds?: string[];
  permissionsContext?: Untyped[];
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
  const ownContext = contextFor(pack, context, contextOptions);
  assertAuthentication(formula, ownContext);
  const args = checkedArguments(formula, params, options);
  const value = await callPack(() => formula.execute(args, ownContext));
  return readResult(formula, value, ownContext, options);
}

/**
 * Syncs all pages of a table. As with `@codahq/packs-sdk`, `context.sync.continuation` is the one of
 * the current page.
 */
export async function executeSyncFormula(
  pack: Pack,
  table: string,
  params: Params,
  context?: SyncExecutionContext | undefined,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<SyncFormulaOutcome> {
  const { getter } = tableNamed(pack, table).table;
  checkedArguments(getter, params, options);
  const outcome: SyncFormulaOutcome = { result: [], deletedRowIds: [], permissionsContext: [] };
  const ownContext = syncContextFor(pack, context, contextOptions);
  const sync = ownContext.sync as { continuation?: unknown };
  const pageOptions = { ...options, validateParams: false, validateResult: false };
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await syncPage(pack, table, params, ownContext, pageOptions);
    for (const row of answer.result) outcome.result.push(row);
    for (const id of answer.deletedRowIds ?? []) outcome.deletedRowIds.push(id);
    for (const entry of answer.permissionsContext ?? []) outcome.permissionsContext.push(entry);
    sync.continuation = answer.continuation;
    if (answer.continuation) continue;
    if (options.validateResult !== false)
      assertResult(checkedGetter(table, getter), outcome.result);
    return outcome;
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
): Promise<SyncPageOutcome> {
  const ownContext = syncContextFor(pack, context, contextOptions);
  return await syncPage(pack, table, params, ownContext, options);
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
  const { search = "", formulaContext } = metadataParams;
  return typeof formula === "function"
    ? await formula(context, search, formulaContext ?? {})
    : await formula.execute(
        [search, formulaContext === undefined ? "" : JSON.stringify(formulaContext)],
        context,
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
    throw new Error(
      `The rows of ${table} cannot be edited, because the table has no executeUpdate.`,
    );
  const args = checkedArguments(getter, params, options);
  const answer = (await callPack(() =>
    executeUpdate.call(
      getter,
      args,
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
      args,
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
): Promise<SyncPageOutcome> {
  const { getter } = tableNamed(pack, name).table;
  assertAuthentication(getter, context);
  const args = checkedArguments(getter, params, options);
  const answer = (await callPack(() => getter.execute(args, context))) as
    | SyncPageOutcome
    | undefined;
  if (answer === undefined || answer === null)
    throw new Error(
      `The formula of ${name} returned nothing. If there are no rows, return { result: [] }.`,
    );
  const formula = checkedGetter(name, getter);
  return { ...answer, result: readResult(formula, answer.result, context, options) as Untyped[] };
}

/** The getter of a table whose schema is found at run time has none: its rows are not checked. */
function checkedGetter(name: string, getter: object): CheckedFormula {
  return { ...(getter as CheckedFormula), name, resultType: "object" };
}

/** Renames and checks a result. */
function readResult(
  formula: CheckedFormula,
  value: unknown,
  context: { readonly sync?: { readonly schema?: unknown } | undefined },
  options: ExecuteOptions,
): unknown {
  const checked = { ...formula, schema: createSchema(formula) };
  const schema = context.sync?.schema ?? checked.schema;
  const taken = typeof value === "object" ? takeMembers(value, schema) : value;
  if (options.validateResult !== false) assertResult(checked, taken);
  return options.useDeprecatedResultNormalization === false ? restoreMembers(taken, schema) : taken;
}

/** `items` of a text or a number has no effect. */
function createSchema({
  resultType,
  schema,
  items,
}: CheckedFormula & { readonly items?: unknown }): unknown {
  if (schema !== undefined || items === undefined || isScalar(resultType)) return schema;
  return { type: "array", items };
}

/** @throws if the account of the context is not one that the formula allows */
function assertAuthentication(
  formula: { readonly name: string; readonly allowedAuthenticationNames?: unknown },
  context: { readonly authenticationName?: unknown },
): void {
  const { name, allowedAuthenticationNames: allowed } = formula;
  if (!Array.isArray(allowed) || allowed.includes(context.authenticationName)) return;
  throw new Error(
    `${name} needs an account of ${allowed.join(", ")}: set authenticationName in the context.`,
  );
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
    : newPlainSyncContext();
}

function checkedArguments(
  formula: Parameters<typeof assertArguments>[0],
  params: Params,
  { validateParams }: ExecuteOptions,
): unknown[] {
  if (validateParams !== false) assertArguments(formula, params);
  return [...params];
}

async function callPack<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call();
  } catch (error) {
    throw wrapThrown(error);
  }
}
