import type { ConnectionRequirement } from "./enumerations.ts";
import type { Formula, LegacyDefaultMetadataReturnType, MetadataContext, MetadataFormula, MetadataFunction, Parameter } from "./formula.ts";
import type { ExecutionContext, PropertyOptionsExecutionContext, PropertyOptionsMetadataFunction, Schema } from "./schema.ts";

/** Accepted from older Packs. */
export interface PropertyOptionsMetadataFormula extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/** A parameter that `validateParameters` refuses. */
export interface ParameterValidationDetail {
  readonly message: string;
  readonly parameterName: string;
}
/** The arguments can be used. */
export interface ValidParameterValidationResult {
  readonly isValid: true;
}
/** The arguments cannot be used, and why. */
export interface InvalidParameterValidationResult {
  readonly isValid: false;
  readonly message: string;
  readonly errors?: readonly ParameterValidationDetail[] | undefined;
}
/** Whether the arguments can be used. */
export type ParameterValidationResult = ValidParameterValidationResult | InvalidParameterValidationResult;

const METADATA_PARAMETERS: readonly Parameter[] = [
  { type: "string", name: "search", description: "What the user typed.", optional: true },
  { type: "string", name: "formulaContext", description: "The values of the other parameters, as JSON text.", optional: true },
];

/**
 * Wraps a metadata function as a formula. Every place that takes the formula takes the function itself, too.
 * @param options whether the function needs an account; `optional` by default
 */
export function makeMetadataFormula<Context extends ExecutionContext = ExecutionContext, Result = LegacyDefaultMetadataReturnType>(
  run: MetadataFunction<Context, Result>,
  { connectionRequirement = "optional" }: { connectionRequirement?: ConnectionRequirement | undefined } = {},
): MetadataFormula<Result> {
  return {
    name: "getMetadata",
    description: "Answers a question about the Pack.",
    parameters: METADATA_PARAMETERS,
    examples: [],
    resultType: "object",
    connectionRequirement,
    async execute([search, formulaContext], context) {
      return await run(context as Context, typeof search === "string" ? search : "", parseContext(formulaContext));
    },
  };
}

function parseContext(text: unknown): MetadataContext {
  try {
    const parsed: unknown = JSON.parse(String(text));
    return typeof parsed === "object" && parsed !== null ? (parsed as MetadataContext) : {};
  } catch {
    return {};
  }
}

/** Accepted from older Packs. */
export function makePropertyOptionsFormula({
  execute,
  schema,
  name,
}: {
  execute: PropertyOptionsMetadataFunction<readonly never[]> | PropertyOptionsMetadataFunction;
  schema: Schema;
  name: string;
}): PropertyOptionsMetadataFormula {
  return {
    name,
    description: "Lists what a property may hold.",
    parameters: [],
    examples: [],
    resultType: "array",
    items: schema,
    connectionRequirement: "optional",
    cacheTtlSecs: 0,
    execute: async (_args, context) => await execute(context as PropertyOptionsExecutionContext),
  };
}
