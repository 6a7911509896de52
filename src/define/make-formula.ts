import { compileFormula } from "./compile/compile-formula.ts";
import type { ValueType } from "./enumerations.ts";
import type { AnyParameter, CommonFormulaDefinition, Formula } from "./formula.ts";
import type { Arguments } from "./parameter.ts";
import type { NumberSchema } from "./scalar-schemas.ts";
import type { ExecutionContext, ObjectSchemaDefinition, Schema, StringSchema } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import type { MaybePromise } from "./untyped.ts";

/** The type of `schema` for each type of result. */
export interface SchemaByResult {
  string: StringSchema | undefined;
  number: NumberSchema | undefined;
  boolean: undefined;
  array: undefined;
  object: ObjectSchemaDefinition | undefined;
}
export interface ItemsByResult {
  string: undefined;
  number: undefined;
  boolean: undefined;
  array: Schema | undefined;
  object: undefined;
}
/**
 * The type of `codaType` for each type of result. A select list is missing, because it needs its
 * options.
 */
export interface HintByResult {
  string: Exclude<StringSchema["codaType"], "selectList">;
  number: NumberSchema["codaType"];
  boolean: undefined;
  array: undefined;
  object: undefined;
}
interface RequiredByResult {
  string: unknown;
  number: unknown;
  boolean: unknown;
  array: { items: unknown };
  object: { schema: unknown };
}

/**
 * What `execute` returns for each type of result; `null` is a blank. A lookup, so that editors show
 * the type of the value.
 */
interface ValueByResult<Definition, Items, Hint> {
  string: ScalarValue<"string", Definition, Hint> | null;
  number: ScalarValue<"number", Definition, Hint> | null;
  boolean: boolean | null;
  array: SchemaType<Items>[] | null;
  object: SchemaType<Definition> | null;
}
type ScalarValue<Result, Definition, Hint> = SchemaType<
  Definition extends undefined ? { readonly type: Result; readonly codaType: Hint } : Definition
>;
/** The result of `execute`. `null` is a blank value. */
export type FormulaResult<Result extends ValueType, Definition, Items, Hint> = ValueByResult<
  Definition,
  Items,
  Hint
>[Result];

/** The definition of a formula. For a list, set `items`. For an object, set `schema`. */
export type FormulaDefinition<
  Params extends readonly AnyParameter[],
  Varargs extends readonly AnyParameter[],
  Result extends ValueType,
  Definition,
  Items,
  Hint,
> = CommonFormulaDefinition<Params, Varargs> & {
  /** The type of the result. */
  readonly resultType: Result;
  /** The schema of the result, if the result is not an array. */
  readonly schema?: Definition | undefined;
  /** The schema of one element, if the result is an array. */
  readonly items?: Items | undefined;
  /** A value hint for the result. Use `codaType` if a schema would contain only this hint. */
  readonly codaType?: Hint | undefined;
  /** Computes the result. `execute` receives the arguments in the order of the parameters. */
  execute(
    args: Arguments<Params, Varargs>,
    context: ExecutionContext,
  ): MaybePromise<FormulaResult<Result, Definition, Items, Hint>>;
  /**
   * A function that runs if `execute` throws. Its return value becomes the result of the
   * formula.
   */
  onError?:
    | ((error: Error) => MaybePromise<FormulaResult<Result, Definition, Items, Hint>>)
    | undefined;
} & RequiredByResult[Result];

/**
 * Creates a formula for `newPack({ formulas: […] })`. `pack.addFormula` accepts the same
 * definition.
 * @example
 * ```ts
 * const double = makeFormula({
 *   name: "Double",
 *   description: "Doubles a number.",
 *   parameters: [
 *     makeParameter({ type: ParameterType.Number, name: "value", description: "The number." }),
 *   ],
 *   resultType: ValueType.Number,
 *   execute: async ([value]) => value * 2,
 * });
 * export const pack = newPack({ formulas: [double] });
 * ```
 */
export function makeFormula<
  const Params extends readonly AnyParameter[],
  const Result extends ValueType,
  const Varargs extends readonly AnyParameter[] = [],
  const Definition extends SchemaByResult[Result] = undefined,
  const Items extends ItemsByResult[Result] = undefined,
  const Hint extends HintByResult[Result] = undefined,
>(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): Formula {
  return compileFormula(definition) as Formula;
}
