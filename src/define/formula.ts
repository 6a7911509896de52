import type { ExecutionContext } from "./context.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import type { Arguments, Parameter } from "./parameter.ts";
import type { BooleanSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";

/** An example call, shown to users. */
export interface FormulaExample {
  /** Arguments in the order of the parameters. */
  params: readonly unknown[];
  result: unknown;
}

/** The members that all formulas have. */
export interface FormulaOptions<
  Params extends readonly Parameter[] = readonly Parameter[],
  Varargs extends readonly Parameter[] = readonly Parameter[],
> {
  /** Unique within the Pack, ignoring case; a letter, then letters, digits or `_`; at most 50 characters (rules 41, 42, 56). */
  name: string;
  /** At most 1,000 characters. */
  description: string;
  /** What a language model reads in place of the description: at most 20,000 characters. */
  instructions?: string | undefined;
  /** Optional ones come last (rule 47). */
  parameters: Params;
  /** Parameters that a caller may repeat as a group, after all others. */
  varargParameters?: Varargs | undefined;
  examples?: readonly FormulaExample[] | undefined;
  /** True for a button's formula: one that changes something. Its result is never reused. @default false */
  isAction?: boolean | undefined;
  /** Whether it needs a connected account. @default the one of the Pack's user authentication */
  connectionRequirement?: ConnectionRequirement | undefined;
  /** How long a result may be reused, in seconds: 0 to 86,400. @default 300 */
  cacheTtlSecs?: number | undefined;
  isExperimental?: boolean | undefined;
  /** Scopes that this formula needs beside those of the authentication. */
  extraOAuthScopes?: string[] | undefined;
}

/** A formula as the runtime reads it. */
export interface Formula extends FormulaOptions {
  resultType: ValueType;
  schema?: Schema | undefined;
  /** The schema of the elements, when the result is an array. */
  items?: Schema | undefined;
  execute(args: readonly unknown[], context: ExecutionContext): unknown;
}

export interface SchemaByResult {
  string: StringSchema | undefined;
  number: NumberSchema | undefined;
  boolean: BooleanSchema | undefined;
  array: undefined;
  object: ObjectSchema | undefined;
}
export interface ItemsByResult {
  string: undefined;
  number: undefined;
  boolean: undefined;
  array: Schema | undefined;
  object: undefined;
}
// A select list needs the options that only a schema has.
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

/** What a formula's `execute` returns; `null` is a blank. */
export type FormulaResult<Result extends ValueType, Definition, Items, Hint> =
  | null
  | (Result extends "array"
      ? SchemaType<Items>[]
      : SchemaType<Definition extends { readonly type: Result } ? Definition : { type: Result; codaType: Hint }>);

/** A formula as an author writes it. */
export type FormulaDefinition<
  Params extends readonly Parameter[],
  Varargs extends readonly Parameter[],
  Result extends ValueType,
  Definition,
  Items,
  Hint,
> = FormulaOptions<Params, Varargs> & {
  /** What kind of value it gives: a `ValueType`. */
  resultType: Result;
  /** The schema of the result, unless it is an array. */
  schema?: Definition | undefined;
  /** The schema of the elements, when the result is an array. */
  items?: Items | undefined;
  /** Short for a `schema` of the result type with this value hint. */
  codaType?: Hint | undefined;
  /** Computes the result. It receives the arguments in the order of the parameters. */
  execute(
    args: Arguments<Params, Varargs>,
    context: ExecutionContext,
  ): FormulaResult<Result, Definition, Items, Hint> | Promise<FormulaResult<Result, Definition, Items, Hint>>;
  /** Turns an error of `execute` into a result, or throws another one. */
  onError?(error: Error): unknown;
} & RequiredByResult[Result];

/**
 * Defines a formula.
 * @returns the formula as the runtime reads it: `codaType` has become a schema, and `onError` a part of `execute`
 */
export function makeFormula<
  const Params extends readonly Parameter[],
  const Result extends ValueType,
  const Varargs extends readonly Parameter[] = [],
  const Definition extends SchemaByResult[Result] = undefined,
  const Items extends ItemsByResult[Result] = undefined,
  const Hint extends HintByResult[Result] = undefined,
>(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): Formula {
  const { codaType, onError, ...formula } = definition as Formula & { codaType?: string; onError?(error: unknown): unknown };
  if (codaType !== undefined) formula.schema = { type: formula.resultType, codaType } as Schema;
  if (onError !== undefined) {
    const { execute } = formula;
    formula.execute = async (args, context) => {
      try {
        return await execute(args, context);
      } catch (error) {
        return onError(error);
      }
    };
  }
  return formula;
}
