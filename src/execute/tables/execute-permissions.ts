import type { SyncTable } from "../../define/sync-table.ts";
import { PackError } from "../../errors.ts";
import {
  argumentsByName,
  type FormulaArguments,
  prepareArguments,
} from "../arguments/arguments.ts";
import { addTrace, createTrace, type ExecutionResult } from "../execution-result.ts";
import { tableNamed } from "../find-block.ts";
import { type RunOptions, run, withoutAbsent } from "../run.ts";

export interface ExecutePermissionsOptions extends RunOptions {
  table: string;
  args: FormulaArguments;
  rows: readonly { row: unknown }[];
  /** The `permissionsContext` of the sync, one entry per row. */
  permissionsContext?: readonly unknown[] | undefined;
  dynamicUrl?: string | undefined;
  schema?: unknown;
  /** Limit of pages for each batch. @default 100 */
  maxPages?: number | undefined;
}

/** Who may see a row. */
export interface RowAccess {
  rowId: string | number;
  permissions: readonly unknown[];
}

const MAX_PAGES = 100;
const MAX_BATCH_SIZE = 10;

/**
 * Runs `executeGetPermissions` of a table, in batches of its `maxPermissionBatchSize`. Each batch
 * may have several pages.
 * @throws {ExecutionFailure} TABLE_UNKNOWN, METADATA_MISSING, RESULT_INVALID, and those of a run
 */
export async function executePermissions(
  options: ExecutePermissionsOptions,
): Promise<ExecutionResult<{ rowAccessDefinitions: RowAccess[] }>> {
  const all: ExecutionResult<{ rowAccessDefinitions: RowAccess[] }> = {
    result: { rowAccessDefinitions: [] },
    ...createTrace(),
  };
  const size = getBatchSize(options);
  const session = {};
  for (let from = 0; from < options.rows.length || from === 0; from += size) {
    const context = options.permissionsContext?.slice(from, from + size);
    const request = {
      rows: options.rows.slice(from, from + size),
      ...(context === undefined ? {} : { permissionsContext: context }),
    };
    let continuation: unknown;
    for (
      let page = 1;
      page === 1 || (continuation !== undefined && page <= (options.maxPages ?? MAX_PAGES));
      page++
    ) {
      const { result, ...trace } = await runPage(options, request, continuation, session);
      for (const definition of result.rowAccessDefinitions)
        all.result.rowAccessDefinitions.push(definition);
      addTrace(all, trace);
      continuation = result.continuation;
    }
  }
  return all;
}

function getBatchSize({ isolate, table }: ExecutePermissionsOptions): number {
  const found = isolate.definition.syncTables.find(({ name }) => name === table);
  return Math.max(1, found?.getter.maxPermissionBatchSize || MAX_BATCH_SIZE);
}

function runPage(
  options: ExecutePermissionsOptions,
  request: { rows: readonly { row: unknown }[] },
  continuation: unknown,
  session: object,
): Promise<ExecutionResult<{ rowAccessDefinitions: RowAccess[]; continuation: unknown }>> {
  return run(
    options,
    () => {
      const { table } = tableNamed(options.isolate.definition, options.table);
      assertHasPermissions(table);
      const args = prepareArguments(table.getter, options.args, options);
      return {
        call: { kind: "permissions", table: options.table, args, request },
        session,
        context: {
          sync: withoutAbsent({
            continuation,
            schema: options.schema,
            dynamicUrl: options.dynamicUrl,
            parameters: argumentsByName(table.getter, args),
            executionId: options.executionId,
          }),
        },
      };
    },
    readAnswer,
  );
}

function assertHasPermissions(table: SyncTable): void {
  if (table.getter.executeGetPermissions !== undefined) return;
  throw new PackError("METADATA_MISSING", `${table.name} has no executeGetPermissions.`, {
    details: { name: "executeGetPermissions" },
    hint: "Add executeGetPermissions to the formula of the table.",
  });
}

function readAnswer(value: unknown): { rowAccessDefinitions: RowAccess[]; continuation: unknown } {
  const { rowAccessDefinitions, continuation } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Record<string, unknown>;
  const isFine = Array.isArray(rowAccessDefinitions) && rowAccessDefinitions.every(isRowAccess);
  if (isFine) return { rowAccessDefinitions, continuation: continuation ?? undefined };
  throw new PackError(
    "RESULT_INVALID",
    "result.rowAccessDefinitions must be an array of { rowId, permissions }.",
    {
      details: { path: "result.rowAccessDefinitions" },
      hint: "Return one entry for each row.",
    },
  );
}

function isRowAccess(value: unknown): value is RowAccess {
  const { rowId, permissions } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Record<string, unknown>;
  return (typeof rowId === "string" || typeof rowId === "number") && Array.isArray(permissions);
}
