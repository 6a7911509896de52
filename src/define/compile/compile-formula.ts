import type { ExecutionContext } from "../schema.ts";
import { compileParameters } from "./compile-parameter.ts";
import { isRecord, type Members } from "./members.ts";
import { asData, compileMetadata, withRequirement } from "./metadata-formula.ts";
import { copyWritten, keepWritten } from "./written.ts";

type Execute = (args: readonly unknown[], context: ExecutionContext) => unknown;

/** The numbers of the types of results. */
const RESULT_TYPES: Members = { string: 0, number: 1, array: 2, object: 2, boolean: 3 };

/**
 * The compiled form of a formula.
 * @param written the members of `makeFormula`
 */
export function compileFormula(definition: object): object {
  const written = definition as Members;
  const { onError, resultType, items, schema, codaType, execute, ...rest } = written;
  const type = RESULT_TYPES[String(resultType)];
  const isData = type === 2;
  const compiled = {
    ...rest,
    // What the type of the result does not have is kept, as the service keeps it; validation
    // reports it.
    ...(items && resultType !== "array" ? { items } : {}),
    ...(codaType && type !== 0 && type !== 1 ? { codaType } : {}),
    parameters: compileParameters(rest["parameters"]),
    varargParameters: compileParameters(rest["varargParameters"]),
    execute: onError ? orElse(execute as Execute, onError as (error: unknown) => unknown) : execute,
    validateParameters: compileMetadata(rest["validateParameters"]),
    resultType: type ?? resultType,
    schema: !isData
      ? schema || (codaType && type !== 3 ? { type: resultType, codaType } : undefined)
      : asData(
          resultType === "array"
            ? { type: "array", items }
            : isRecord(schema)
              ? { type: "object", ...schema }
              : undefined,
        ),
  };
  return keepWritten(withRequirement(compiled, rest["connectionRequirement"]) as Members, written);
}

/**
 * Gives a compiled formula a connection requirement, which its parameters' choices follow. Without
 * one nothing changes.
 */
export function withFormulaRequirement<Part extends object>(
  formula: Part,
  connectionRequirement: unknown,
): Part {
  if (!connectionRequirement) return formula;
  return keepWritten(withRequirement(formula, connectionRequirement) as Part, {
    ...copyWritten(formula),
    connectionRequirement,
  });
}

function orElse(execute: Execute, onError: (error: unknown) => unknown): Execute {
  return async (args, context) => {
    try {
      return await execute(args, context);
    } catch (error) {
      return onError(error);
    }
  };
}
