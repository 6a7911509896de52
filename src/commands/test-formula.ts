import { createRedactor } from "../redact.ts";
import { type RunFormulaOptions, runFormula } from "./run-formula.ts";

/** How a test runs a formula. */
export type ExecuteFormulaOptions = Partial<Omit<RunFormulaOptions, "file" | "formula" | "args">>;

/**
 * Runs a formula of a Pack in a test: built, validated and sandboxed as everywhere else.
 * @param file entry file of the Pack, relative to the working directory
 * @param args values in the order of the parameters
 * @returns the checked result
 * @throws {PackError} the failure, with the Pack's own message
 */
export async function executeFormula(
  file: string,
  formula: string,
  args: readonly unknown[] = [],
  options: ExecuteFormulaOptions = {},
): Promise<unknown> {
  const run = await runFormula({ cwd: process.cwd(), redactor: createRedactor(), ...options, file, formula, args });
  if (!run.ok) throw run.failure.cause;
  return run.result;
}
