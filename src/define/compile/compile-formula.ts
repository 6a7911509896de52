import type { ExecutionContext } from "../context.ts";
import { compileParameter } from "./compile-parameter.ts";
import { copyAsJson, isMembers, type Members } from "./members.ts";
import { compileMetadata, withRequirement } from "./metadata-formula.ts";
import { normalizeSchema } from "./normalize-schema.ts";
import { keepWritten, writtenOf } from "./written.ts";

const RESULT_TYPES: Members = { string: 0, number: 1, array: 2, object: 2, boolean: 3 };

/**
 * The compiled form of a formula that an author defined.
 * @param definition with the members of `makeFormula`
 */
export function compileFormula(definition: Members): Members {
  const { onError, resultType, items, schema, codaType, execute, ...rest } = definition;
  const isScalar = resultType === "string" || resultType === "number";
  const isArray = resultType === "array";
  const hint = codaType ? { type: resultType, codaType } : undefined;
  const written = {
    ...rest,
    resultType,
    ...(isArray && items !== undefined ? { items } : {}),
    ...writtenSchema(resultType, schema, hint),
    execute,
  };
  const compiled = {
    ...rest,
    // A member that the result type does not have is refused by validation; the service ignores it.
    ...(isScalar || schema === undefined ? {} : { schema }),
    ...(isScalar || codaType === undefined ? {} : { codaType }),
    ...(isArray || items === undefined ? {} : { items }),
    parameters: compileParameters(rest["parameters"]),
    ...("varargParameters" in rest ? { varargParameters: compileParameters(rest["varargParameters"]) } : {}),
    execute: onError ? executeWithFallback(execute as Execute, onError as OnError) : execute,
    validateParameters: compileMetadata(rest["validateParameters"]),
    resultType: RESULT_TYPES[String(resultType)] ?? resultType,
    ...(isScalar ? { schema: schema || hint } : isArray ? { schema: asData({ type: "array", items }) } : {}),
    ...(resultType === "object" ? { schema: asData(schema) } : {}),
  };
  return withRequirement(keepWritten(compiled, written), rest["connectionRequirement"]) as Members;
}

/** Compiles the parameters that were written as plain objects, without `makeParameter`. */
export function compileParameters(parameters: unknown): unknown {
  if (!Array.isArray(parameters)) return parameters;
  return parameters.map((parameter) =>
    isMembers(parameter) && writtenOf(parameter) === parameter && typeof parameter["type"] === "string"
      ? compileParameter(parameter)
      : parameter,
  );
}

type Execute = (args: readonly unknown[], context: ExecutionContext) => unknown;
type OnError = (error: unknown) => unknown;

function executeWithFallback(execute: Execute, onError: OnError): Execute {
  return async (args, context) => {
    try {
      return await execute(args, context);
    } catch (error) {
      return onError(error);
    }
  };
}

function writtenSchema(resultType: unknown, schema: unknown, hint: object | undefined): Members {
  const given = hint ? { ...hint, ...(schema as object) } : schema;
  if (given === undefined) return {};
  return { schema: resultType === "object" && isMembers(given) ? { ...given, type: "object" } : given };
}

/** A schema as the service stores it: names compiled, functions gone. */
function asData(schema: unknown): unknown {
  return copyAsJson(normalizeSchema(isMembers(schema) && schema["type"] === undefined ? { ...schema, type: "object" } : schema));
}
