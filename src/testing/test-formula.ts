import { PackError } from "../errors.ts";
import type { FormulaArguments } from "../execute/arguments/arguments.ts";
import { type RunFormulaOptions, type RunFormulaResult, runFormula } from "../execute/run-formula.ts";
import type { SyncTableResult } from "../execute/tables/execute-sync-table.ts";
import type { UpdateOutcome } from "../execute/tables/execute-update.ts";
import { createRedactor } from "../shared/redact.ts";
import type { MockFetcher } from "./mock-fetcher.ts";

/** How a test runs something of a Pack. */
export interface ExecuteOptions extends Partial<Omit<RunFormulaOptions, "file" | "formula" | "args" | "mock" | "packNow">> {
  /** Answers every request; see `mockFetcher`. Credentials that were not given are made up. */
  fetcher?: MockFetcher | undefined;
  /** What the Pack sees as the present, and what everything expires by; see `createFakeClock`. @default the real time */
  clock?: { now(): number; advance?(ms: number): void } | undefined;
}

/** How a test runs a formula. */
export type ExecuteFormulaOptions = ExecuteOptions;

/**
 * Runs a formula of a Pack in a test: built, validated and sandboxed as everywhere else.
 * @param file entry file of the Pack, relative to the working directory
 * @param args values in the order of the parameters, or `{ text }` as on a command line
 * @returns the checked result
 * @throws {PackError} the failure, with the Pack's own message
 */
export async function executeFormula(
  file: string,
  formula: string,
  args: FormulaArguments = [],
  options: ExecuteFormulaOptions = {},
): Promise<unknown> {
  return resultOf(await runTarget(file, formula, args, options));
}

/**
 * Syncs a table of a Pack in a test: all its pages.
 * @param table name of the table; `"Table>incremental"` syncs it twice
 * @returns the checked rows, and what the sync ended with
 * @throws {PackError} the failure, with the Pack's own message
 */
export async function executeSyncTable(
  file: string,
  table: string,
  args: FormulaArguments = [],
  options: ExecuteOptions = {},
): Promise<SyncTableResult> {
  const run = await runTarget(file, table, args, options);
  if (run.ok && run.kind !== "sync") {
    throw new PackError("TABLE_UNKNOWN", `${table} is no sync table.`, {
      details: { name: table, known: [] },
      hint: "Run it with executeFormula.",
    });
  }
  return resultOf(run) as SyncTableResult;
}

/**
 * Writes edited rows through a table's `executeUpdate` in a test.
 * @param updates `{ previousValue, newValue, updatedFields }` of each row
 * @returns one outcome per update, in their order
 * @throws {PackError} the failure, with the Pack's own message
 */
export async function executeUpdate(
  file: string,
  table: string,
  args: readonly unknown[],
  updates: readonly unknown[],
  options: ExecuteOptions = {},
): Promise<UpdateOutcome[]> {
  return resultOf(await runTarget(file, `${table}:update`, [...args, updates], options)) as UpdateOutcome[];
}

/**
 * Asks a Pack a question in a test: `"Formula:autocomplete:parameter"`, `"Table:getSchema"`, `"Table:options:property"`,
 * `"Auth:getConnectionName"` and the other words of `packsmith execute --help`.
 * @param args of the question, such as the search text and the values of the other parameters
 * @returns the checked answer
 * @throws {PackError} the failure, with the Pack's own message
 */
export async function executeMetadata(
  file: string,
  question: string,
  args: FormulaArguments = [],
  options: ExecuteOptions = {},
): Promise<unknown> {
  return resultOf(await runTarget(file, question, args, options));
}

async function runTarget(file: string, target: string, args: FormulaArguments, options: ExecuteOptions): Promise<RunFormulaResult> {
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

function resultOf(run: RunFormulaResult): unknown {
  if (!run.ok) throw run.failure.cause;
  return run.result;
}
