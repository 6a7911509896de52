import { PackError } from "../errors.ts";
import type { FormulaArguments } from "../execute/arguments/arguments.ts";
import { type RunFormulaOptions, type RunResult, runFormula } from "../execute/run-target.ts";
import type { SyncTableResult } from "../execute/tables/execute-sync-table.ts";
import type { UpdateOutcome } from "../execute/tables/execute-update.ts";
import { createRedactor } from "../shared/redact.ts";
import type { MockFetcher } from "./mock-fetcher.ts";

/** Options of the functions that run a Pack in a test. */
export interface ExecuteOptions
  extends Partial<Omit<RunFormulaOptions, "file" | "formula" | "args" | "mock" | "packNow">> {
  /**
   * Responds to every request; see `mockFetcher`. packsmith uses invented values for missing
   * credentials.
   */
  fetcher?: MockFetcher | undefined;
  /**
   * The clock for the Pack, caches, blobs and tokens; see `createFakeClock`.
   * @default the real time
   */
  clock?: { now(): number; advance?(ms: number): void } | undefined;
}

/** Options of `executeFormula`. */
export type ExecuteFormulaOptions = ExecuteOptions;

/**
 * Runs a formula of a Pack in a test. packsmith validates and builds the Pack, and runs the formula
 * in the sandbox.
 * @param file entry file of the Pack, relative to the working directory
 * @param args values in the order of the parameters, or `{ text }` with the arguments of a command
 *   line
 * @returns the checked result
 * @throws {PackError} when the run fails; the message is the Pack's own
 */
export async function executeFormula(
  file: string,
  formula: string,
  args: FormulaArguments = [],
  options: ExecuteFormulaOptions = {},
): Promise<unknown> {
  return requireResult(await runTarget(file, formula, args, options));
}

/**
 * Syncs all pages of a table of a Pack in a test.
 * @param table name of the table; `"Table>incremental"` runs a full and an incremental sync
 * @returns the checked rows, the number of pages and why the sync ended
 * @throws {PackError} when the run fails; the message is the Pack's own
 */
export async function executeSyncTable(
  file: string,
  table: string,
  args: FormulaArguments = [],
  options: ExecuteOptions = {},
): Promise<SyncTableResult> {
  const run = await runTarget(file, table, args, options);
  if (run.ok && run.kind !== "sync") {
    throw new PackError("TABLE_UNKNOWN", `${table} is not a sync table.`, {
      details: { name: table, known: [] },
      hint: "Run the formula with executeFormula.",
    });
  }
  return requireResult(run) as SyncTableResult;
}

/**
 * Writes edited rows with `executeUpdate` of a table in a test.
 * @param updates `{ previousValue, newValue, updatedFields }` of each row
 * @returns one outcome for each update, in the same order
 * @throws {PackError} when the run fails; the message is the Pack's own
 */
export async function executeUpdate(
  file: string,
  table: string,
  args: readonly unknown[],
  updates: readonly unknown[],
  options: ExecuteOptions = {},
): Promise<UpdateOutcome[]> {
  return requireResult(
    await runTarget(file, `${table}:update`, [...args, updates], options),
  ) as UpdateOutcome[];
}

/**
 * Runs a metadata formula of a Pack in a test.
 * @param target such as `"Formula:autocomplete:parameter"`, `"Table:getSchema"`,
 *   `"Table:options:property"` or
 * `"Auth:getConnectionName"`; `packsmith execute --help` lists all of them
 * @param args of the metadata formula, such as the search text and the values of the other
 *   parameters
 * @returns the checked result
 * @throws {PackError} when the run fails; the message is the Pack's own
 */
export async function executeMetadata(
  file: string,
  target: string,
  args: FormulaArguments = [],
  options: ExecuteOptions = {},
): Promise<unknown> {
  return requireResult(await runTarget(file, target, args, options));
}

async function runTarget(
  file: string,
  target: string,
  args: FormulaArguments,
  options: ExecuteOptions,
): Promise<RunResult> {
  const { fetcher, clock, ...rest } = options;
  const atClock =
    clock === undefined
      ? {}
      : {
          now: () => clock.now(),
          packNow: () => clock.now(),
          sleep: async (ms: number) => {
            clock.advance?.(ms);
          },
        };
  return await runFormula({
    cwd: process.cwd(),
    redactor: createRedactor(),
    ...atClock,
    ...rest,
    ...(fetcher === undefined ? {} : { mock: fetcher }),
    file,
    formula: target,
    args,
  });
}

function requireResult(run: RunResult): unknown {
  if (!run.ok) throw run.failure.cause;
  return run.result;
}
