import type { ConnectionRequirement, ParameterType } from "./enumerations.ts";
import type { CommonFormulaDefinition, Formula, Parameter } from "./formula.ts";
import { type FormulaResult, makeFormula } from "./make-formula.ts";
import { UserVisibleError } from "./pack-errors.ts";
import type { Arguments, OptionalParamDef, RequiredParamDef } from "./parameter.ts";
import { projectionOf, type ResponseHandlerTemplate, resultShapeOf } from "./request-template.ts";
import type { ExecutionContext, ObjectSchemaDefinition, Schema, StringSchema } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import { type DynamicOptions, makeSyncTable, type SyncFormulaDefinition, type SyncTable } from "./sync-table.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/** Accepted from older Packs. What the older parameter factories take beside name and description. */
export type LegacyParameterOptions<T extends ParameterType> = Omit<Parameter<T>, "type" | "name" | "description">;

/** Accepted from older Packs. A parameter of an older factory: optional in the type when its options say so. */
export type LegacyParameter<T extends ParameterType, Options> = Options extends { readonly optional: true }
  ? OptionalParamDef<T>
  : RequiredParamDef<T>;

type LegacyParameterFactory<T extends ParameterType> = <const Options extends LegacyParameterOptions<T> = LegacyParameterOptions<T>>(
  name: string,
  description: string,
  options?: Options,
) => LegacyParameter<T, Options>;

function factoryOf<T extends ParameterType>(type: T): LegacyParameterFactory<T> {
  return <Options extends LegacyParameterOptions<T>>(name: string, description: string, options?: Options) =>
    Object.freeze({ ...options, type, name, description }) as unknown as LegacyParameter<T, Options>;
}

/** Accepted from older Packs. `makeParameter({ type: ParameterType.String, … })` replaces it. */
export const makeStringParameter = /* @__PURE__ */ factoryOf("string");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.StringArray, … })` replaces it. */
export const makeStringArrayParameter = /* @__PURE__ */ factoryOf("stringArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Number, … })` replaces it. */
export const makeNumericParameter = /* @__PURE__ */ factoryOf("number");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.NumberArray, … })` replaces it. */
export const makeNumericArrayParameter = /* @__PURE__ */ factoryOf("numberArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Boolean, … })` replaces it. */
export const makeBooleanParameter = /* @__PURE__ */ factoryOf("boolean");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.BooleanArray, … })` replaces it. */
export const makeBooleanArrayParameter = /* @__PURE__ */ factoryOf("booleanArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Date, … })` replaces it. */
export const makeDateParameter = /* @__PURE__ */ factoryOf("date");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.DateArray, … })` replaces it. */
export const makeDateArrayParameter = /* @__PURE__ */ factoryOf("dateArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Html, … })` replaces it. */
export const makeHtmlParameter = /* @__PURE__ */ factoryOf("html");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.HtmlArray, … })` replaces it. */
export const makeHtmlArrayParameter = /* @__PURE__ */ factoryOf("htmlArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Image, … })` replaces it. */
export const makeImageParameter = /* @__PURE__ */ factoryOf("image");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.ImageArray, … })` replaces it. */
export const makeImageArrayParameter = /* @__PURE__ */ factoryOf("imageArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.File, … })` replaces it. */
export const makeFileParameter = /* @__PURE__ */ factoryOf("file");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.FileArray, … })` replaces it. */
export const makeFileArrayParameter = /* @__PURE__ */ factoryOf("fileArray");

/** Accepted from older Packs. `new UserVisibleError(message)` replaces it. */
export function makeUserVisibleError(message: string): UserVisibleError {
  return new UserVisibleError(message);
}

/** Accepted from older Packs. Whether the user sees the message of an error. */
export function isUserVisibleError(error: unknown): error is UserVisibleError {
  return typeof error === "object" && error !== null && (error as Partial<UserVisibleError>).isUserVisible === true;
}

type LegacyFormula<Params extends readonly Parameter[], Varargs extends readonly Parameter[], Result> = CommonFormulaDefinition<
  Params,
  Varargs
> & {
  execute(args: Arguments<Params, Varargs>, context: ExecutionContext): MaybePromise<Result>;
  readonly onError?: ((error: Error) => MaybePromise<Result>) | undefined;
};

/** Accepted from older Packs. `makeFormula({ resultType: ValueType.String, … })` replaces it. */
export function makeStringFormula<
  const Params extends readonly Parameter[],
  const Varargs extends readonly Parameter[] = [],
  const Definition extends StringSchema | undefined = undefined,
>({
  response,
  ...definition
}: LegacyFormula<Params, Varargs, FormulaResult<"string", Definition, undefined, undefined>> & {
  readonly response?: { readonly schema?: Definition } | undefined;
}): Formula {
  return formulaOf({ ...definition, resultType: "string", schema: response?.schema });
}

/** Accepted from older Packs. `makeFormula({ resultType: ValueType.Number, … })` replaces it. */
export function makeNumericFormula<const Params extends readonly Parameter[], const Varargs extends readonly Parameter[] = []>(
  definition: LegacyFormula<Params, Varargs, number | null>,
): Formula {
  return formulaOf({ ...definition, resultType: "number" });
}

/**
 * Accepted from older Packs. `makeFormula({ resultType: ValueType.Object, … })` replaces it, and `ValueType.Array` where
 * the schema is an array.
 */
export function makeObjectFormula<
  const Params extends readonly Parameter[],
  const Varargs extends readonly Parameter[] = [],
  const Result extends Schema | undefined = undefined,
>({
  response = {},
  ...definition
}: LegacyFormula<Params, Varargs, Result extends Schema ? SchemaType<Result> | Untyped : Untyped> & {
  readonly response?: ResponseHandlerTemplate<Extract<Result, Schema>> | undefined;
}): Formula {
  const { schema, projectKey, onError } = response;
  const execute = async (args: Arguments<Params, Varargs>, context: ExecutionContext) => {
    try {
      return projectionOf(await definition.execute(args, context), projectKey);
    } catch (error) {
      if (onError === undefined) throw error;
      return projectionOf(await onError(error as Error), projectKey);
    }
  };
  return formulaOf({ ...definition, ...resultShapeOf(schema), execute });
}

function formulaOf(definition: object): Formula {
  // The older forms say the type of their result by their name; makeFormula takes it from a literal.
  return makeFormula(definition as unknown as Parameters<typeof makeFormula>[0]);
}

/**
 * Accepted from older Packs. `makeSyncTable` replaces it.
 * @throws {Error} when the schema has no identity with a name
 */
export function makeSyncTableLegacy<const Params extends readonly Parameter[], const Definition extends ObjectSchemaDefinition>(
  name: string,
  schema: Definition,
  formula: SyncFormulaDefinition<Params, SchemaType<Definition>>,
  connectionRequirement?: ConnectionRequirement,
  dynamicOptions?: Pick<DynamicOptions, "getSchema" | "entityName">,
  displayName?: string,
): SyncTable {
  const identityName = schema.identity?.name;
  if (identityName === undefined) throw new Error(`The schema of the sync table ${name} has no identity.name.`);
  return makeSyncTable({ name, schema, formula, identityName, connectionRequirement, dynamicOptions, displayName });
}
