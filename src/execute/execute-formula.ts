import type { Formula } from "../define/formula.ts";
import { type FormulaArguments, prepareArguments } from "./arguments.ts";
import type { ExecutionResult } from "./execution-result.ts";
import { formulaNamed } from "./find-block.ts";
import { normalizeResult } from "./result.ts";
import { type RunOptions, run } from "./run.ts";

export interface ExecuteFormulaOptions extends RunOptions {
  formula: string;
  args: FormulaArguments;
}

/**
 * Runs a formula of a loaded Pack: checks the arguments, runs it in the sandbox, checks the result.
 * @throws {ExecutionFailure} every failure, with the logs and requests until then: FORMULA_UNKNOWN, ARGUMENT_COUNT,
 * ARGUMENT_TYPE, FORMULA_FAILED, FORMULA_USER_ERROR, RESULT_INVALID, RUN_*, FETCH_*, ACCOUNT_*, OAUTH_*
 */
export async function executeFormula(options: ExecuteFormulaOptions): Promise<ExecutionResult> {
  let formula: Formula | undefined;
  return await run(
    options,
    () => {
      formula = formulaNamed(options.isolate.definition, options.formula);
      return { call: { kind: "formula", name: options.formula, args: prepareArguments(formula, options.args, options) } };
    },
    (value) => normalizeResult(formula as Formula, value),
  );
}
