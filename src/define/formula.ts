import type { ExecutionContext } from "./context.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type { Arguments, Parameter } from "./parameter.ts";
import type { NumberSchema, ObjectSchema, ObjectSchemaDefinition, Schema, SchemaType, StringSchema } from "./schema.ts";

type MaybePromise<Value> = Value | Promise<Value>;

/** A call that documentation shows: its arguments and what comes back. */
export interface FormulaExample {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** Members that every formula has. */
export interface CommonFormulaDefinition<Params extends readonly Parameter[], Varargs extends readonly Parameter[]> {
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
}

interface Executable<Params extends readonly Parameter[], Varargs extends readonly Parameter[], Result> {
  /** Computes the result from the arguments, in the order of the parameters. */
  execute(args: Arguments<Params, Varargs>, context: ExecutionContext): MaybePromise<Result>;
  /** Called when `execute` throws; what it returns becomes the result. */
  onError?: ((error: Error) => MaybePromise<Result>) | undefined;
}

export interface StringFormulaDefinition<
  Params extends readonly Parameter[],
  Varargs extends readonly Parameter[],
  S extends StringSchema = StringSchema,
> extends CommonFormulaDefinition<Params, Varargs>,
    Executable<Params, Varargs, SchemaType<S>> {
  readonly resultType: "string";
  readonly schema?: S | undefined;
  /** Short for a schema with this hint. */
  readonly codaType?: Exclude<StringSchema["codaType"], "selectList"> | undefined;
}

export interface NumericFormulaDefinition<
  Params extends readonly Parameter[],
  Varargs extends readonly Parameter[],
  S extends NumberSchema = NumberSchema,
> extends CommonFormulaDefinition<Params, Varargs>,
    Executable<Params, Varargs, SchemaType<S>> {
  readonly resultType: "number";
  readonly schema?: S | undefined;
  /** Short for a schema with this hint. */
  readonly codaType?: NumberSchema["codaType"];
}

export interface BooleanFormulaDefinition<Params extends readonly Parameter[], Varargs extends readonly Parameter[]>
  extends CommonFormulaDefinition<Params, Varargs>,
    Executable<Params, Varargs, boolean> {
  readonly resultType: "boolean";
}

export interface ArrayFormulaDefinition<Params extends readonly Parameter[], Varargs extends readonly Parameter[], S extends Schema>
  extends CommonFormulaDefinition<Params, Varargs>,
    Executable<Params, Varargs, SchemaType<S>[]> {
  readonly resultType: "array";
  /** Schema of one item. */
  readonly items: S;
}

export interface ObjectFormulaDefinition<
  Params extends readonly Parameter[],
  Varargs extends readonly Parameter[],
  S extends ObjectSchemaDefinition,
> extends CommonFormulaDefinition<Params, Varargs>,
    Executable<Params, Varargs, SchemaType<S>> {
  readonly resultType: "object";
  readonly schema: S;
}

/** A formula as its author writes it. `resultType` decides which schema members it has. */
export type FormulaDefinition<
  Params extends readonly Parameter[] = readonly Parameter[],
  Varargs extends readonly Parameter[] = readonly Parameter[],
  S extends Schema = Schema,
  O extends ObjectSchemaDefinition = ObjectSchemaDefinition,
> =
  | StringFormulaDefinition<Params, Varargs>
  | NumericFormulaDefinition<Params, Varargs>
  | BooleanFormulaDefinition<Params, Varargs>
  | ArrayFormulaDefinition<Params, Varargs, S>
  | ObjectFormulaDefinition<Params, Varargs, O>;

/** A formula as the Pack's definition holds it. */
export interface Formula {
  readonly name: string;
  readonly description: string;
  readonly instructions?: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly varargParameters?: readonly Parameter[] | undefined;
  readonly examples?: readonly FormulaExample[] | undefined;
  readonly isAction?: boolean | undefined;
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  readonly cacheTtlSecs?: number | undefined;
  readonly isExperimental?: boolean | undefined;
  readonly extraOAuthScopes?: readonly string[] | undefined;
  readonly resultType: "string" | "number" | "boolean" | "array" | "object";
  readonly schema?: StringSchema | NumberSchema | ObjectSchema | undefined;
  readonly items?: Schema | undefined;
  execute(args: unknown[], context: ExecutionContext): Promise<unknown>;
}

/**
 * Makes a formula for `newPack({ formulas: […] })`. `pack.addFormula` takes the same definition.
 */
export function makeFormula<
  const Params extends readonly Parameter[],
  const Varargs extends readonly Parameter[] = [],
  const S extends Schema = Schema,
  const O extends ObjectSchemaDefinition = ObjectSchemaDefinition,
>(definition: FormulaDefinition<Params, Varargs, S, O>): Formula {
  // The union of definitions has no common signature of execute; each member agrees with its own result type.
  const { onError, codaType, execute, ...rest } = definition as unknown as Formula & {
    onError?: (error: Error) => unknown;
    codaType?: string;
  };
  const schema = codaType === undefined ? rest.schema : ({ type: rest.resultType, codaType, ...rest.schema } as StringSchema);
  const objectSchema = rest.resultType === "object" && schema !== undefined ? { ...schema, type: "object" as const } : schema;
  return {
    ...rest,
    ...(objectSchema === undefined ? {} : { schema: objectSchema as Formula["schema"] }),
    async execute(args, context) {
      if (onError === undefined) return await execute(args, context);
      try {
        return await execute(args, context);
      } catch (error) {
        return await onError(error as Error);
      }
    },
  };
}
