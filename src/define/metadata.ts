import { compileMetadata, compilePropertyOptions } from "./compile/metadata-formula.ts";
import type { ExecutionContext, PropertyOptionsExecutionContext } from "./context.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type { Formula } from "./formula.ts";
import type { ArraySchema, ObjectSchema, Schema } from "./schema.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/** A choice with the text that users see. */
export interface SimpleAutocompleteOption<Value = string | number> {
  readonly display: string;
  readonly value: Value;
}

/** An entry of a list that a metadata function returns. */
export interface MetadataFormulaObjectResultType extends SimpleAutocompleteOption {
  /** It can be opened: the function is called again with its value. */
  readonly hasChildren?: boolean | undefined;
}
/** One choice: a text or number that shows itself, or with a text of its own. */
export type MetadataFormulaResultType = string | number | MetadataFormulaObjectResultType;
/** What a metadata function may return: a label, choices, or a schema. */
export type LegacyDefaultMetadataReturnType =
  | MetadataFormulaResultType
  | readonly MetadataFormulaResultType[]
  | ArraySchema
  | ObjectSchema
  | null
  | undefined;

/** The values of the other parameters, by name, while one of them is completed. */
export type MetadataContext = Record<string, Untyped>;

/** A function of the Pack that answers a question about it: the label of an account, the choices of a parameter, a schema. */
export type MetadataFunction<Context extends ExecutionContext = ExecutionContext, Result = LegacyDefaultMetadataReturnType> = (
  context: Context,
  search: string,
  parameters: MetadataContext,
) => MaybePromise<Result>;

/** A metadata function as a formula, with `search` and `formulaContext` (JSON text) as its parameters. */
export interface MetadataFormula<Result = LegacyDefaultMetadataReturnType> extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<Result>;
}

/** A metadata function in either of its forms. */
export type MetadataFormulaDef<Context extends ExecutionContext = ExecutionContext, Result = LegacyDefaultMetadataReturnType> =
  | MetadataFunction<Context, Result>
  | MetadataFormula<Result>;

/** What a list of property options is: the options, or the options and how long they hold. */
export type PropertyOptionsMetadataResult<Options extends readonly unknown[]> =
  | Options
  | {
      readonly result: Options;
      /** In seconds. @default about 300 */
      readonly cacheTtlSecs?: number | undefined;
    };

/** Lists what a property may hold. */
export type PropertyOptionsMetadataFunction<Options extends readonly unknown[] = readonly MetadataFormulaResultType[]> = (
  context: PropertyOptionsExecutionContext,
) => MaybePromise<PropertyOptionsMetadataResult<Options> | undefined>;

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

/**
 * Wraps a metadata function as a formula. Every place that takes the formula takes the function itself, too.
 * @param options whether the function needs an account; `optional` by default
 */
export function makeMetadataFormula<Context extends ExecutionContext = ExecutionContext, Result = LegacyDefaultMetadataReturnType>(
  run: MetadataFunction<Context, Result>,
  { connectionRequirement = "optional" }: { connectionRequirement?: ConnectionRequirement | undefined } = {},
): MetadataFormula<Result> {
  return compileMetadata(run, connectionRequirement) as unknown as MetadataFormula<Result>;
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
  return compilePropertyOptions(execute, name, schema) as unknown as PropertyOptionsMetadataFormula;
}
