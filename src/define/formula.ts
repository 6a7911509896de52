import { compileFormula } from "./compile/compile-formula.ts";
import type { Members } from "./compile/members.ts";
import type { ExecutionContext } from "./context.ts";
import type { ConnectionRequirement, FormulaPurpose, NetworkConnection, ValueType } from "./enumerations.ts";
import type { Arguments, Parameter } from "./parameter.ts";
import type { NumberSchema, ObjectSchema, ObjectSchemaDefinition, Schema, StringSchema } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import type { MaybePromise } from "./untyped.ts";

/** A call that documentation shows: its arguments and what comes back. */
export interface FormulaExample {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** Accepted from older Packs. */
export interface Network {
  readonly hasSideEffect?: boolean | undefined;
  readonly requiresConnection?: boolean | undefined;
  readonly connection?: NetworkConnection | undefined;
}

/** Members that every formula has, that of a sync table included. */
export interface CommonFormulaDefinition<
  Params extends readonly Parameter[] = readonly Parameter[],
  Varargs extends readonly Parameter[] = readonly Parameter[],
> {
  /** A letter, then letters, digits or `_`; unique within the Pack, ignoring case. At most 50 characters. */
  readonly name: string;
  /** What it does; at most 1,000 characters. */
  readonly description: string;
  /** Replaces the description for language models. At most 20,000 characters. */
  readonly instructions?: string | undefined;
  readonly parameters: Params;
  /** Parameters that may be repeated as a group after the declared ones. */
  readonly varargParameters?: Varargs | undefined;
  readonly examples?: readonly FormulaExample[] | undefined;
  /** It changes something: users run it with a button, and its result is not cached. @default false */
  readonly isAction?: boolean | undefined;
  /** @default `required` when the Pack has user authentication, else `none` */
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  /** How long a result may be reused, in seconds. At most 86,400. @default about 300 */
  readonly cacheTtlSecs?: number | undefined;
  readonly isExperimental?: boolean | undefined;
  /** Scopes that this formula needs beside those of the authentication. */
  readonly extraOAuthScopes?: readonly string[] | undefined;
  /** Accepted from older Packs. */
  readonly network?: Network | undefined;
  /** Accepted from older Packs. */
  readonly isSystem?: boolean | undefined;
  /** Accepted from older Packs. */
  readonly purpose?: FormulaPurpose | undefined;
  /** Accepted from older Packs. */
  readonly allowedAuthenticationNames?: readonly string[] | undefined;
}

/** The schemas that a formula may give for each type of result. */
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
/** The value hints that need no further schema. A select list needs its options. */
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

/** What a formula's `execute` returns for each type of result; `null` is a blank. Looked up, so that editors show the value. */
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
/** What a formula's `execute` returns; `null` is a blank. */
export type FormulaResult<Result extends ValueType, Definition, Items, Hint> = ValueByResult<Definition, Items, Hint>[Result];

/** A formula as its author writes it. `resultType` decides which schema members it has. */
export type FormulaDefinition<
  Params extends readonly Parameter[],
  Varargs extends readonly Parameter[],
  Result extends ValueType,
  Definition,
  Items,
  Hint,
> = CommonFormulaDefinition<Params, Varargs> & {
  /** What kind of value it gives. */
  readonly resultType: Result;
  /** The schema of the result, unless it is an array. */
  readonly schema?: Definition | undefined;
  /** The schema of one element, when the result is an array. */
  readonly items?: Items | undefined;
  /** Short for a schema of the result type with this hint. */
  readonly codaType?: Hint | undefined;
  /** Computes the result from the arguments, in the order of the parameters. */
  execute(args: Arguments<Params, Varargs>, context: ExecutionContext): MaybePromise<FormulaResult<Result, Definition, Items, Hint>>;
  /** Called when `execute` throws; what it returns becomes the result. */
  onError?: ((error: Error) => MaybePromise<FormulaResult<Result, Definition, Items, Hint>>) | undefined;
} & RequiredByResult[Result];

/** A formula as the Pack's definition holds it. */
export interface Formula extends CommonFormulaDefinition {
  readonly resultType: ValueType;
  readonly schema?: StringSchema | NumberSchema | ObjectSchema | undefined;
  readonly items?: Schema | undefined;
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/**
 * Makes a formula for `newPack({ formulas: […] })`. `pack.addFormula` takes the same definition.
 */
export function makeFormula<
  const Params extends readonly Parameter[],
  const Result extends ValueType,
  const Varargs extends readonly Parameter[] = [],
  const Definition extends SchemaByResult[Result] = undefined,
  const Items extends ItemsByResult[Result] = undefined,
  const Hint extends HintByResult[Result] = undefined,
>(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): Formula {
  return compileFormula(definition as unknown as Members) as unknown as Formula;
}
