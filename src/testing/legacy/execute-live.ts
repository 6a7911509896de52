import type { ExecutionContext, SyncExecutionContext } from "../../define/context.ts";
import type { MetadataFormulaDef } from "../../define/metadata.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { Untyped } from "../../define/untyped.ts";
import { prepareArguments } from "../../execute/arguments/arguments.ts";
import { formulaNamed, tableNamed } from "../../execute/find-block.ts";
import { normalizeResult, normalizeRow } from "../../execute/results/result.ts";
import { renameMembers } from "./compiled-names.ts";
import { legacyException, wrapThrown } from "./exceptions.ts";
import { newPlainContext } from "./mock-context.ts";
import { newRealFetcherExecutionContext, newRealFetcherSyncExecutionContext } from "./real-context.ts";

/** What of the arguments and the result is checked. */
export interface ExecuteOptions {
  /** @default true */
  validateParams?: boolean | undefined;
  /** @default true */
  validateResult?: boolean | undefined;
  /** Results have the names of the compiled definition (`DueDate`); `false` keeps the author's. @default true */
  useDeprecatedResultNormalization?: boolean | undefined;
}

/** Which context a test runs in, beside the one that it passes. */
export interface ContextOptions {
  /** Sends the requests, with the stored account of `manifestPath`, whatever context is passed. @default false */
  useRealFetcher?: boolean | undefined;
  /** Entry file of the Pack. */
  manifestPath?: string | undefined;
}

/** All pages of a table. */
export interface SyncFormulaOutcome {
  result: Untyped[];
  deletedRowIds: string[];
  permissionsContext: Untyped[];
  /** What the last page ended with. */
  completion?: Untyped;
}

type Pack = PackVersionDefinition;
type Params = readonly unknown[];

const MAX_PAGES = 100;

/**
 * Runs a formula of a definition in this process, as older suites expect it.
 * @throws {ParameterException} {ResultValidationException}, and a copy of what the Pack threw, with the original as its cause
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
  const value = await callPack(() => formula.execute(args as never, contextFor(pack, context, contextOptions)));
  const checked = options.validateResult === false ? value : orLegacy(() => normalizeResult(formula, value));
  const schema = formula.schema ?? (formula.items === undefined ? undefined : { items: formula.items });
  return renameMembers(checked, schema, options.useDeprecatedResultNormalization !== false);
}

/** Syncs a table, all its pages. The context that is passed stays as it is. */
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
    const answer = await syncPage(pack, table, params, { ...base, sync } as SyncExecutionContext, options);
    for (const row of answer.result) outcome.result.push(row);
    for (const id of answer.deletedRowIds) outcome.deletedRowIds.push(id);
    for (const entry of answer.permissionsContext) outcome.permissionsContext.push(entry);
    if (answer.completion !== undefined) outcome.completion = answer.completion;
    if (answer.continuation === undefined || answer.continuation === null) return outcome;
    sync = { ...sync, continuation: answer.continuation };
  }
  throw new Error(`The table ${table} has more than ${MAX_PAGES} pages; does its continuation ever end?`);
}

/** The same, and the rows alone. */
export async function executeSyncFormulaFromPackDef(...args: Parameters<typeof executeSyncFormula>): Promise<Untyped[]> {
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
  return await syncPage(pack, table, params, syncContextFor(pack, context, contextOptions), options);
}

/** Asks a metadata function or formula of a definition. */
export async function executeMetadataFormula(
  formula: MetadataFormulaDef,
  metadataParams: { search?: string | undefined; formulaContext?: Record<string, unknown> | undefined } = {},
  context: ExecutionContext = newPlainContext(),
): Promise<Untyped> {
  const { search = "", formulaContext = {} } = metadataParams;
  return await callPack(() =>
    typeof formula === "function"
      ? formula(context, search, formulaContext)
      : formula.execute([search, JSON.stringify(formulaContext)], context),
  );
}

/** Writes rows through the `executeUpdate` of a table. @returns the outcome of each row */
export async function executeUpdateFormulaFromPackDef(
  pack: Pack,
  table: string,
  params: Params,
  context: SyncExecutionContext | undefined,
  updates: readonly unknown[],
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<Untyped> {
  const { getter, schema } = tableNamed(pack, table).table;
  const { executeUpdate } = getter;
  if (executeUpdate === undefined) throw new Error(`The rows of ${table} cannot be edited.`);
  const args = checkedArguments(getter, params, options);
  const answer = (await callPack(() =>
    executeUpdate.call(getter, args as never, updates as never, syncContextFor(pack, context, contextOptions)),
  )) as { result?: readonly unknown[] };
  const isCompiled = options.useDeprecatedResultNormalization !== false;
  const result = (answer.result ?? []).map((row) =>
    row instanceof Error
      ? { outcome: "error", error: row }
      : { outcome: "success", finalValue: renameMembers(row, rowSchemaOf(schema), isCompiled) },
  );
  return { result };
}

/** Asks a table who may see its rows. */
export async function executeGetPermissionsFormulaFromPackDef(
  pack: Pack,
  table: string,
  params: Params,
  context: SyncExecutionContext | undefined,
  request: unknown,
  options: ExecuteOptions = {},
  contextOptions: ContextOptions = {},
): Promise<Untyped> {
  const { getter } = tableNamed(pack, table).table;
  const { executeGetPermissions } = getter;
  if (executeGetPermissions === undefined) throw new Error(`${table} has no executeGetPermissions.`);
  const args = checkedArguments(getter, params, options);
  return await callPack(() =>
    executeGetPermissions.call(getter, args as never, request as never, syncContextFor(pack, context, contextOptions)),
  );
}

async function syncPage(
  pack: Pack,
  name: string,
  params: Params,
  context: SyncExecutionContext,
  options: ExecuteOptions,
): Promise<SyncFormulaOutcome & { continuation?: Untyped }> {
  const { getter, schema } = tableNamed(pack, name).table;
  const args = checkedArguments(getter, params, options);
  const answer = ((await callPack(() => getter.execute(args as never, context))) ?? {}) as unknown as Record<string, unknown>;
  const rowSchema = rowSchemaOf(context.sync.schema ?? schema);
  const isCompiled = options.useDeprecatedResultNormalization !== false;
  const rows = listOf(answer["result"]).map((row, index) =>
    options.validateResult === false ? row : orLegacy(() => normalizeRow(row, rowSchema, `result[${index}]`)),
  );
  return {
    result: rows.map((row) => renameMembers(row, rowSchema, isCompiled)),
    deletedRowIds: listOf(answer["deletedRowIds"] ?? answer["deletedItemIds"]).map(String),
    permissionsContext: listOf(answer["permissionsContext"]),
    ...(answer["continuation"] === undefined ? {} : { continuation: answer["continuation"] }),
    ...(answer["completion"] === undefined ? {} : { completion: answer["completion"] }),
  };
}

function contextFor(pack: Pack, context: ExecutionContext | undefined, { useRealFetcher, manifestPath }: ContextOptions): ExecutionContext {
  if (useRealFetcher === true) return newRealFetcherExecutionContext(pack, manifestPath ?? "pack.ts");
  return context ?? newPlainContext();
}

function syncContextFor(
  pack: Pack,
  context: SyncExecutionContext | undefined,
  { useRealFetcher, manifestPath }: ContextOptions,
): SyncExecutionContext {
  if (useRealFetcher !== true) return context ?? { ...newPlainContext(), sync: {} };
  return { ...newRealFetcherSyncExecutionContext(pack, manifestPath ?? "pack.ts"), sync: context?.sync ?? {} };
}

function checkedArguments(formula: Parameters<typeof prepareArguments>[0], params: Params, { validateParams }: ExecuteOptions): unknown[] {
  return validateParams === false ? [...params] : orLegacy(() => prepareArguments(formula, params));
}

function orLegacy<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw legacyException(error);
  }
}

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

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
