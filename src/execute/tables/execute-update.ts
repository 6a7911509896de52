import type { SyncTable } from "../../define/sync-table.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { SandboxError } from "../../sandbox/protocol.ts";
import { thrownClass } from "../../shared/failures.ts";
import { isRecord } from "../../shared/values.ts";
import {
  argumentsByName,
  type FormulaArguments,
  prepareArguments,
} from "../arguments/arguments.ts";
import {
  addTrace,
  createTrace,
  ExecutionFailure,
  type ExecutionResult,
} from "../execution-result.ts";
import { tableNamed } from "../find-block.ts";
import { normalizeUpdatedRow, type Warn } from "../results/result.ts";
import { type RunOptions, run, withoutAbsent } from "../run.ts";

/** A row that a user has edited. */
export interface RowUpdate {
  previousValue: unknown;
  newValue: unknown;
  /** Names of the edited members. */
  updatedFields: readonly string[];
}

/** The outcome of one update. */
export type UpdateOutcome =
  | { outcome: "success" /** The row after the update. */; finalValue: unknown }
  | { outcome: "error"; error: UpdateError };

export interface UpdateError {
  /**
   * Class of the error that the Pack threw or returned. Otherwise, the error code of the run, such
   * as RUN_TIMEOUT.
   */
  name: string;
  message: string;
  /** Whether the message is for the user of the Pack. */
  isUserVisible: boolean;
  statusCode?: number | undefined;
}

export interface ExecuteUpdateOptions extends RunOptions {
  table: string;
  args: FormulaArguments;
  updates: readonly unknown[];
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table. @default the schema in the definition */
  schema?: unknown;
}

/**
 * Writes edited rows with `executeUpdate` of a table, in batches of its `maxUpdateBatchSize`. When
 * a batch fails, the rows of
 * other batches are still written.
 * @returns one outcome per update, in their order
 * @throws {ExecutionFailure} TABLE_UNKNOWN, METADATA_MISSING the table has no executeUpdate,
 *   ARGUMENT_COUNT, ARGUMENT_TYPE
 */
export async function executeUpdate(
  options: ExecuteUpdateOptions,
): Promise<ExecutionResult<UpdateOutcome[]>> {
  const all: ExecutionResult<UpdateOutcome[]> = { result: [], ...createTrace() };
  const { table, args, updates } = await checkedInput(options);
  const size = Math.max(1, Number(table.getter.maxUpdateBatchSize ?? 1) || 1);
  const session = {};
  for (let from = 0; from < updates.length; from += size) {
    const batch = updates.slice(from, from + size);
    const { result, ...trace } = await runBatch(options, table, args, batch, session);
    all.result.push(...result);
    addTrace(all, trace);
  }
  return all;
}

async function checkedInput(
  options: ExecuteUpdateOptions,
): Promise<{ table: SyncTable; args: unknown[]; updates: RowUpdate[] }> {
  try {
    const { table } = tableNamed(options.isolate.definition, options.table);
    if (table.getter.executeUpdate === undefined) {
      throw new PackError(
        "METADATA_MISSING",
        `The table ${options.table} has no executeUpdate, so its rows cannot be edited.`,
        {
          details: { name: "executeUpdate" },
          hint: "Add executeUpdate to the formula of the table.",
        },
      );
    }
    return {
      table,
      args: prepareArguments(table.getter, options.args, options),
      updates: options.updates.map(checkedUpdate),
    };
  } catch (error) {
    if (!isPackError(error)) throw error;
    throw new ExecutionFailure(error as PackError, createTrace());
  }
}

function checkedUpdate(update: unknown, index: number): RowUpdate {
  if (isRecord(update) && isRecord(update["newValue"])) {
    const { previousValue = {}, newValue, updatedFields = Object.keys(newValue) } = update;
    const isList =
      Array.isArray(updatedFields) && updatedFields.every((field) => typeof field === "string");
    if (isRecord(previousValue) && isList)
      return { previousValue, newValue, updatedFields: updatedFields as string[] };
  }
  const expected = "an object { previousValue, newValue, updatedFields }";
  throw new PackError("ARGUMENT_TYPE", `Update ${index} must be ${expected}.`, {
    details: { parameter: "updates", expected },
    hint: "Write rows in previousValue and newValue, and a list of property names in updatedFields.",
  });
}

async function runBatch(
  options: ExecuteUpdateOptions,
  table: SyncTable,
  args: unknown[],
  batch: readonly RowUpdate[],
  session: object,
): Promise<ExecutionResult<UpdateOutcome[]>> {
  try {
    return await run(
      options,
      () => ({
        call: { kind: "update", table: options.table, args, updates: batch },
        session,
        context: {
          sync: withoutAbsent({
            schema: options.schema,
            dynamicUrl: options.dynamicUrl,
            parameters: argumentsByName(table.getter, args),
            executionId: options.executionId,
          }),
        },
      }),
      (value, { logs }) =>
        readOutcomes(value, batch.length, options.schema ?? table.schema, (message) =>
          logs.push({ level: "warn", message }),
        ),
    );
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    const { logs, requests, durationMs } = error;
    const failure: UpdateError = {
      name: thrownClass(error) ?? error.code,
      message: error.message,
      isUserVisible: error.code === "FORMULA_USER_ERROR",
      ...(isPackError(error, "FETCH_STATUS") ? { statusCode: error.details.status } : {}),
    };
    return {
      result: batch.map(() => ({ outcome: "error", error: failure })),
      logs,
      requests,
      durationMs,
    };
  }
}

function readOutcomes(value: unknown, count: number, schema: unknown, warn: Warn): UpdateOutcome[] {
  if (!Array.isArray(value))
    throw invalid("result.result", "must be an array with one entry per update");
  if (value.length !== count)
    throw invalid("result.result", `has ${value.length} entries for ${count} updates`);
  return value.map((entry: unknown, index) => {
    const path = `result.result[${index}]`;
    if (!isRecord(entry)) throw invalid(path, "cannot be read");
    if (entry["outcome"] === "error") {
      const { name, message, isUserVisible, statusCode } = entry["error"] as SandboxError;
      return {
        outcome: "error",
        error: {
          // An object that only claims to be an error.
          name: name ?? "Error",
          message,
          isUserVisible,
          ...(statusCode === undefined ? {} : { statusCode }),
        },
      };
    }
    return {
      outcome: "success",
      finalValue: readFinalValue(entry["finalValue"], schema, path, warn),
    };
  });
}

/** The platform takes an updated row as it is, so a row that does not fit its schema is kept. */
function readFinalValue(value: unknown, schema: unknown, path: string, warn: Warn): unknown {
  try {
    return normalizeUpdatedRow(value, schema, path);
  } catch (error) {
    if (!isPackError(error, "RESULT_INVALID")) throw error;
    warn(error.message);
    return value;
  }
}

function invalid(path: string, problem: string): PackError {
  return new PackError("RESULT_INVALID", `${path} ${problem}.`, {
    details: { path },
    hint: "Return { result: [row or Error, …] } from executeUpdate, in the order of the updates.",
  });
}
