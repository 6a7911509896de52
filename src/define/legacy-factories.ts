import { compileLegacyParameter } from "./compile/compile-parameter.ts";
import type { ConnectionRequirement, ParameterType } from "./enumerations.ts";
import type {
  AnyParameter,
  CommonFormulaDefinition,
  Formula,
  WrittenParameter,
} from "./formula.ts";
import type { FormulaResult } from "./make-formula.ts";
import { UserVisibleError } from "./pack-errors.ts";
import type { Arguments, OptionalParamDef, RequiredParamDef } from "./parameter.ts";
import {
  createResultShape,
  makeUntypedFormula,
  type ResponseHandlerTemplate,
  readProjection,
} from "./request-template.ts";
import type { ExecutionContext, ObjectSchemaDefinition, Schema, StringSchema } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import {
  type DynamicOptions,
  makeSyncTable,
  type SyncFormulaDefinition,
  type SyncTable,
} from "./sync-table.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/**
 * @deprecated Accepted for compatibility with existing Packs. Options of a parameter factory, in
 * addition to name and description.
 */
export type LegacyParameterOptions<T extends ParameterType> = Omit<
  WrittenParameter<T>,
  "type" | "name" | "description"
>;

/**
 * @deprecated Accepted for compatibility with existing Packs. A parameter of one of these
 * factories. Its type is optional when its options say so.
 */
export type LegacyParameter<T extends ParameterType, Options> = Options extends {
  readonly optional: true;
}
  ? OptionalParamDef<T>
  : RequiredParamDef<T>;

type LegacyParameterFactory<T extends ParameterType> = <
  const Options extends LegacyParameterOptions<T> = LegacyParameterOptions<T>,
>(
  name: string,
  description: string,
  options?: Options,
) => LegacyParameter<T, Options>;

function createFactory<T extends ParameterType>(type: T): LegacyParameterFactory<T> {
  return <Options extends LegacyParameterOptions<T>>(
    name: string,
    description: string,
    options?: Options,
  ) =>
    compileLegacyParameter({ ...options, name, description, type }) as LegacyParameter<T, Options>;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.String, … })` instead.
 */
export const makeStringParameter = /* @__PURE__ */ createFactory("string");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.StringArray, … })` instead.
 */
export const makeStringArrayParameter = /* @__PURE__ */ createFactory("stringArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.Number, … })` instead.
 */
export const makeNumericParameter = /* @__PURE__ */ createFactory("number");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.NumberArray, … })` instead.
 */
export const makeNumericArrayParameter = /* @__PURE__ */ createFactory("numberArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.Boolean, … })` instead.
 */
export const makeBooleanParameter = /* @__PURE__ */ createFactory("boolean");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.BooleanArray, … })` instead.
 */
export const makeBooleanArrayParameter = /* @__PURE__ */ createFactory("booleanArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.Date, … })` instead.
 */
export const makeDateParameter = /* @__PURE__ */ createFactory("date");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.DateArray, … })` instead.
 */
export const makeDateArrayParameter = /* @__PURE__ */ createFactory("dateArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.Html, … })` instead.
 */
export const makeHtmlParameter = /* @__PURE__ */ createFactory("html");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.HtmlArray, … })` instead.
 */
export const makeHtmlArrayParameter = /* @__PURE__ */ createFactory("htmlArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.Image, … })` instead.
 */
export const makeImageParameter = /* @__PURE__ */ createFactory("image");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.ImageArray, … })` instead.
 */
export const makeImageArrayParameter = /* @__PURE__ */ createFactory("imageArray");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.File, … })` instead.
 */
export const makeFileParameter = /* @__PURE__ */ createFactory("file");
/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeParameter({ type: ParameterType.FileArray, … })` instead.
 */
export const makeFileArrayParameter = /* @__PURE__ */ createFactory("fileArray");

/**
 * @deprecated Accepted for compatibility with existing Packs. Use `new UserVisibleError(message)`
 * instead.
 */
export function makeUserVisibleError(message: string): UserVisibleError {
  return new UserVisibleError(message);
}

/**
 * @deprecated Accepted for compatibility with existing Packs. Whether the user sees the message of
 * an error.
 */
export function isUserVisibleError(error: unknown): error is UserVisibleError {
  return (
    typeof error === "object" &&
    error !== null &&
    (error as Partial<UserVisibleError>).isUserVisible === true
  );
}

type LegacyFormula<
  Params extends readonly AnyParameter[],
  Varargs extends readonly AnyParameter[],
  Result,
> = CommonFormulaDefinition<Params, Varargs> & {
  execute(args: Arguments<Params, Varargs>, context: ExecutionContext): MaybePromise<Result>;
  readonly onError?: ((error: Error) => MaybePromise<Result>) | undefined;
};

/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeFormula({ resultType: ValueType.String, … })` instead.
 */
export function makeStringFormula<
  const Params extends readonly AnyParameter[],
  const Varargs extends readonly AnyParameter[] = [],
  const Definition extends StringSchema | undefined = undefined,
>({
  response,
  ...definition
}: LegacyFormula<Params, Varargs, FormulaResult<"string", Definition, undefined, undefined>> & {
  readonly response?: { readonly schema?: Definition } | undefined;
}): Formula {
  return makeUntypedFormula({ ...definition, resultType: "string", schema: response?.schema });
}

/**
 * @deprecated Accepted for compatibility with existing Packs. Use
 * `makeFormula({ resultType: ValueType.Number, … })` instead.
 */
export function makeNumericFormula<
  const Params extends readonly AnyParameter[],
  const Varargs extends readonly AnyParameter[] = [],
>(definition: LegacyFormula<Params, Varargs, number | null>): Formula {
  return makeUntypedFormula({ ...definition, resultType: "number" });
}

/**
 * @deprecated Accepted for compatibility with existing Packs.
 *   `makeFormula({ resultType: ValueType.Object, … })` replaces it, and `ValueType.Array` where
 * the schema is an array.
 */
export function makeObjectFormula<
  const Params extends readonly AnyParameter[],
  const Varargs extends readonly AnyParameter[] = [],
  const Result extends Schema | undefined = undefined,
>({
  response = {},
  ...definition
}: LegacyFormula<
  Params,
  Varargs,
  Result extends Schema ? SchemaType<Result> | Untyped : Untyped
> & {
  readonly response?: ResponseHandlerTemplate<Extract<Result, Schema>> | undefined;
}): Formula {
  const { schema, projectKey, onError } = response;
  const execute = async (args: Arguments<Params, Varargs>, context: ExecutionContext) => {
    try {
      return readProjection(await definition.execute(args, context), projectKey);
    } catch (error) {
      if (onError === undefined) throw error;
      return readProjection(await onError(error as Error), projectKey);
    }
  };
  return makeUntypedFormula({ ...definition, ...createResultShape(schema), execute });
}

/**
 * @deprecated Accepted for compatibility with existing Packs. Use `makeSyncTable` instead.
 * @throws {Error} when the schema has no identity with a name
 */
export function makeSyncTableLegacy<
  const Params extends readonly AnyParameter[],
  const Definition extends ObjectSchemaDefinition,
>(
  name: string,
  schema: Definition,
  formula: SyncFormulaDefinition<Params, SchemaType<Definition>>,
  connectionRequirement?: ConnectionRequirement,
  dynamicOptions?: Pick<DynamicOptions, "getSchema" | "entityName">,
  displayName?: string,
): SyncTable {
  const identityName = schema.identity?.name;
  if (identityName === undefined)
    throw new Error(`The schema of the sync table ${name} has no identity.name.`);
  return makeSyncTable({
    name,
    schema,
    formula,
    identityName,
    connectionRequirement,
    dynamicOptions,
    displayName,
  });
}
