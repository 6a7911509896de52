import type { Formula } from "../define/formula.ts";
import type { Format } from "../define/pack.ts";
import { isPackError, PackError, usageError } from "../errors.ts";
import { type FormulaArguments, prepareArguments } from "./arguments/arguments.ts";
import {
  addTrace,
  createTrace,
  ExecutionFailure,
  type ExecutionResult,
  joinTraces,
} from "./execution-result.ts";
import { formulaNamed, runnableNamed, tableNamed } from "./find-block.ts";
import type { ExecuteMcpOptions } from "./mcp/execute-mcp.ts";
import { executeMetadata } from "./metadata/execute-metadata.ts";
import type { MetadataTarget } from "./metadata/metadata-formulas.ts";
import {
  type ExecuteTarget,
  lastArgument,
  parseTarget,
  searchArgument,
  textArgument,
  valuesArgument,
} from "./parse-target.ts";
import { normalizeResult } from "./results/result.ts";
import { type RunOptions, run } from "./run.ts";
import { executePermissions, type RowAccess } from "./tables/execute-permissions.ts";
import {
  collectSyncTable,
  executeSyncTable,
  type SyncPage,
  type SyncTableResult,
} from "./tables/execute-sync-table.ts";
import { executeUpdate, type UpdateOutcome } from "./tables/execute-update.ts";
import type { SyncLimits } from "./tables/sync-page.ts";

/** What to run. */
export interface Target {
  /**
   * A formula, a sync table, or a metadata formula such as `Tasks:getName` or
   * `Auth:getConnectionName`; `TARGET_FORMS` lists all forms.
   */
  target: string;
  /** Values, or text that is converted to the types of the parameters. */
  args: FormulaArguments;
  /** Which table, when it is dynamic. */
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table, when it is known. @default the run asks the Pack */
  schema?: unknown;
  /** The edited rows of `Table:update`. @default the last argument, which is JSON */
  updates?: readonly unknown[] | undefined;
}

export interface ExecuteTargetOptions extends ExecuteMcpOptions, Target, SyncLimits {
  /** Receives every page of a sync as it arrives. */
  onPage?: ((page: SyncPage) => void) | undefined;
}

/** The outcome of a target. `kind` determines the shape of `result`. */
export type TargetRun =
  | ({ kind: "value" } & ExecutionResult)
  | ({ kind: "sync" } & ExecutionResult<SyncTableResult>)
  | ({ kind: "incremental" } & ExecutionResult<{
      full: SyncTableResult;
      incremental: SyncTableResult;
    }>)
  | ({ kind: "update" } & ExecutionResult<UpdateOutcome[]>)
  | ({ kind: "permissions" } & ExecutionResult<{ rowAccessDefinitions: RowAccess[] }>);

/**
 * Runs any target of a Pack with what `runTarget` has opened: formula, table or metadata formula.
 * @throws {ExecutionFailure} TARGET_INVALID and those of the target
 */
export async function executeTarget(options: ExecuteTargetOptions): Promise<TargetRun> {
  try {
    return await dispatch(options, parseTarget(options.target));
  } catch (error) {
    // Every failure has logs and requests, even before the Pack's code runs.
    if (!isPackError(error) || error instanceof ExecutionFailure) throw error;
    throw new ExecutionFailure(error as PackError, createTrace());
  }
}

async function dispatch(options: ExecuteTargetOptions, target: ExecuteTarget): Promise<TargetRun> {
  switch (target.kind) {
    case "block":
      return await runBlock(options, target.name);
    case "update":
      return await runUpdate(options, target.table);
    case "permissions":
      return await runPermissions(options, target.table);
    case "syncThenPermissions":
      return await syncThenPermissions(options, target.table);
    case "incremental":
      return await syncTwice(options, target.table);
    case "matchFormats":
      return {
        kind: "value",
        ...(await matchFormat({ ...options, text: textArgument(options.args, 0) ?? "" })),
      };
    case "mcpTools":
    case "mcpCall": {
      // Loaded on demand: few Packs have an MCP server.
      const { executeMcp } = await import("./mcp/execute-mcp.ts");
      return { kind: "value", ...(await executeMcp(options, target, options.args)) };
    }
    default:
      return { kind: "value", ...(await runMetadata(options, target)) };
  }
}

async function runBlock(options: ExecuteTargetOptions, name: string): Promise<TargetRun> {
  const { table } = runnableNamed(options.isolate.definition, name);
  if (table === undefined && options.dynamicUrl !== undefined)
    throw usageError(
      `${name} is a formula, but a dynamic URL requires a dynamic table.`,
      "Remove --dynamic-url, or run a dynamic table.",
    );
  if (table === undefined)
    return { kind: "value", ...(await executeFormula({ ...options, formula: name })) };
  return {
    kind: "sync",
    ...(await collectSyncTable({ ...options, table: name }, options.onPage)),
  };
}

async function runUpdate(options: ExecuteTargetOptions, table: string): Promise<TargetRun> {
  tableNamed(options.isolate.definition, table);
  const edited = readUpdates(options);
  return {
    kind: "update",
    ...(await executeUpdate({ ...options, table, ...edited })),
  };
}

async function runPermissions(options: ExecuteTargetOptions, table: string): Promise<TargetRun> {
  tableNamed(options.isolate.definition, table);
  const { args, last } = lastArgument(options.args, "request", '{"rows":[{"row":{}}]}');
  const { rows = [], permissionsContext } = (last ?? {}) as {
    rows?: { row: unknown }[];
    permissionsContext?: unknown[];
  };
  return {
    kind: "permissions",
    ...(await executePermissions({
      ...options,
      table,
      args,
      rows,
      permissionsContext,
    })),
  };
}

function readUpdates({ args: given, updates }: ExecuteTargetOptions) {
  if (updates !== undefined) return { args: given, updates };
  const example = '[{"previousValue":{},"newValue":{},"updatedFields":[]}]';
  const { args, last } = lastArgument(given, "updates", example);
  return { args, updates: Array.isArray(last) ? last : [last] };
}

async function runMetadata(
  options: ExecuteTargetOptions,
  target: MetadataTarget,
): Promise<ExecutionResult> {
  const { args } = options;
  switch (target.kind) {
    case "getConnectionName":
    case "getConnectionUserId":
    case "postSetup":
      return await executeMetadata({ ...options, target });
    case "validateParameters":
      return await executeMetadata({
        ...options,
        target: { ...target, values: valuesArgument(args) },
      });
    default:
      return await executeMetadata({
        ...options,
        target: { ...target, search: searchArgument(args), values: valuesArgument(args) },
      });
  }
}

async function syncThenPermissions(
  options: ExecuteTargetOptions,
  table: string,
): Promise<TargetRun> {
  const all: ExecutionResult<{ rowAccessDefinitions: RowAccess[] }> = {
    result: { rowAccessDefinitions: [] },
    ...createTrace(),
  };
  for await (const page of executeSyncTable({ ...options, table })) {
    options.onPage?.(page);
    addTrace(all, page);
    if (page.rows.length === 0) continue;
    const rows = page.rows.map((row) => ({ row }));
    const permissionsContext =
      page.permissionsContext.length === 0 ? undefined : page.permissionsContext;
    const answer = await executePermissions({ ...options, table, rows, permissionsContext });
    addTrace(all, answer);
    for (const definition of answer.result.rowAccessDefinitions)
      all.result.rowAccessDefinitions.push(definition);
  }
  return { kind: "permissions", ...all };
}

async function syncTwice(options: ExecuteTargetOptions, table: string): Promise<TargetRun> {
  const full = await collectSyncTable({ ...options, table }, options.onPage);
  const completion = full.result.completion as { incrementalContinuation?: unknown } | undefined;
  if (completion?.incrementalContinuation === undefined) {
    const path = "result.completion";
    const problem = new PackError(
      "RESULT_INVALID",
      `The full sync of ${table} returned no incrementalContinuation.`,
      {
        details: { path },
        hint:
          full.result.end === "complete"
            ? "Return completion: { incrementalContinuation } with the last page."
            : "The sync ended at the row limit. Pass a higher --max-rows.",
      },
    );
    throw new ExecutionFailure(problem, full);
  }
  const incremental = await collectSyncTable(
    { ...options, table, previousCompletion: completion },
    options.onPage,
  );
  return {
    kind: "incremental",
    result: { full: full.result, incremental: incremental.result },
    ...joinTraces(full, incremental),
  };
}

export interface ExecuteFormulaOptions extends RunOptions {
  formula: string;
  args: FormulaArguments;
}

/**
 * Runs a formula of a loaded Pack: checks the arguments, runs it in the sandbox, checks the result.
 * @throws {ExecutionFailure} every failure, with the logs and requests until then: FORMULA_UNKNOWN,
 *   ARGUMENT_COUNT,
 * ARGUMENT_TYPE, FORMULA_FAILED, FORMULA_USER_ERROR, RESULT_INVALID, RUN_*, FETCH_*, ACCOUNT_*,
 * OAUTH_*
 */
export async function executeFormula(options: ExecuteFormulaOptions): Promise<ExecutionResult> {
  let formula: Formula | undefined;
  return await run(
    options,
    () => {
      formula = formulaNamed(options.isolate.definition, options.formula);
      return {
        call: {
          kind: "formula",
          name: options.formula,
          args: prepareArguments(formula, options.args, options),
        },
      };
    },
    (value, { logs }) =>
      normalizeResult(formula as Formula, value, (message) =>
        logs.push({ level: "warn", message }),
      ),
  );
}

/** A column format that matches a text. */
export interface FormatMatch {
  /** Name of the format. */
  format: string;
  /** The formula that displays the text. */
  formula: string;
  args: [text: string];
  /** The matching pattern, such as `/^#[0-9]+$/i`. */
  matcher: string;
}

/**
 * Finds the column formats that match a text. The patterns run in the sandbox.
 * @throws {ExecutionFailure}
 */
export async function matchFormat(
  options: RunOptions & { text: string },
): Promise<ExecutionResult<FormatMatch[]>> {
  const { definition } = options.isolate;
  return await run(
    options,
    () => ({ call: { kind: "matchFormats", text: options.text } }),
    (value) =>
      (value as { format: number; matcher: number }[]).map(({ format: index, matcher }) => {
        const format = definition.formats[index] as Format;
        return {
          format: format.name,
          formula: format.formulaName,
          args: [options.text],
          matcher: String(format.matchers?.[matcher]),
        };
      }),
  );
}
