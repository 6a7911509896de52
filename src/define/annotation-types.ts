import type { UpdateOutcome, ValueType } from "./enumerations.ts";
import type { CommonFormulaDefinition, Formula } from "./formula.ts";
import type { Continuation } from "./invocation.ts";
import type { ParamDefs, ParameterValues } from "./parameter.ts";
import type { NumberSchema } from "./scalar-schemas.ts";
import type {
  ArraySchema,
  ExecutionContext,
  ObjectSchemaDefinition,
  Schema,
  StringSchema,
} from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import type {
  SyncFormula,
  SyncFormulaDefinition,
  SyncFormulaResult,
  SyncTable,
  SyncUpdate,
  SyncUpdateResult,
  SyncUpdateSingleResult,
} from "./sync-table.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/** A value that a formula accepts. */
export type PackFormulaValue = string | number | boolean | Date | PackFormulaValue[];
/** A value that a formula returns. */
export type PackFormulaResult =
  | string
  | number
  | boolean
  | Date
  | object
  | null
  | undefined
  | PackFormulaResult[];

/** The type of a list in a compiled definition. */
export interface ArrayType<Item> {
  /** Always `array`. */
  readonly type: "array";
  /** The type of one element. */
  readonly items: Item;
  /** The list may have gaps. */
  readonly allowEmpty?: true | undefined;
}

/** Options that every formula has. */
export type CommonPackFormulaDef<Params extends ParamDefs = ParamDefs> = CommonFormulaDefinition<
  Params,
  ParamDefs
>;
/** A formula with a certain result type. */
export type PackFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Result = PackFormulaResult,
  Context extends ExecutionContext = ExecutionContext,
> = CommonPackFormulaDef<Params> & {
  /** Computes the result. `execute` receives the arguments in the order of the parameters. */
  execute(args: ParameterValues<Params>, context: Context): MaybePromise<Result>;
};
/** A formula with a certain result type and an `onError` function. */
export type BaseFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Result = PackFormulaResult,
> = PackFormulaDef<Params, Result> & {
  /**
   * A function that runs if `execute` throws. Its return value becomes the result of the
   * formula.
   */
  onError?: ((error: Error) => MaybePromise<Result>) | undefined;
};

/** A formula that returns text. */
export type StringFormulaDef<Params extends ParamDefs = ParamDefs> = BaseFormulaDef<
  Params,
  SchemaType<StringSchema> | null
> & {
  /** Always `string`. */
  readonly resultType: "string";
  /** The schema of the result. */
  readonly schema?: StringSchema | undefined;
};
/** A formula that returns a number. */
export type NumericFormulaDef<Params extends ParamDefs = ParamDefs> = BaseFormulaDef<
  Params,
  SchemaType<NumberSchema> | null
> & {
  /** Always `number`. */
  readonly resultType: "number";
  /** The schema of the result. */
  readonly schema?: NumberSchema | undefined;
};
/** A formula that returns true or false. */
export type BooleanFormulaDef<Params extends ParamDefs = ParamDefs> = BaseFormulaDef<
  Params,
  boolean | null
> & {
  /** Always `boolean`. */
  readonly resultType: "boolean";
};
/** A formula that returns a list. */
export type ArrayFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Items extends Schema = Schema,
> = BaseFormulaDef<Params, SchemaType<ArraySchema<Items>> | null> & {
  /** Always `array`. */
  readonly resultType: "array";
  /** The schema of one element. */
  readonly items: Items;
};
/** A formula that returns an object. */
export type ObjectFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Definition extends ObjectSchemaDefinition = ObjectSchemaDefinition,
> = BaseFormulaDef<Params, SchemaType<Definition> | null> & {
  /** Always `object`. */
  readonly resultType: "object";
  /** The schema of the result. */
  readonly schema: Definition;
};

interface DefinitionByResult<Params extends ParamDefs, S> {
  string: StringFormulaDef<Params>;
  number: NumericFormulaDef<Params>;
  boolean: BooleanFormulaDef<Params>;
  array: ArrayFormulaDef<Params, Extract<S, Schema>>;
  object: ObjectFormulaDef<Params, Extract<S, ObjectSchemaDefinition>>;
}
/** The argument of `makeFormula` for a certain result type. */
export type FormulaDefinitionOptions<
  Params extends ParamDefs = ParamDefs,
  Result extends ValueType = ValueType,
  S = Schema,
> = DefinitionByResult<Params, S>[Result];
/** The argument of `makeFormula`. */
export type FormulaOptions<
  Params extends ParamDefs = ParamDefs,
  Definition = FormulaDefinitionOptions<Params>,
> = Definition & {
  /** The parameters of the formula. `execute` receives the arguments in this order. */
  readonly parameters: Params;
};

/** A compiled formula with certain parameters, a result type and a context type. */
export type BaseFormula<
  Params extends ParamDefs = ParamDefs,
  Result = PackFormulaResult,
  Context extends ExecutionContext = ExecutionContext,
> = Omit<Formula, "parameters" | "execute"> & {
  /** The parameters of the formula. `execute` receives the arguments in this order. */
  readonly parameters: Params;
  /** Runs the formula. */
  execute(args: ParameterValues<Params>, context: Context): MaybePromise<Result>;
};
/** A compiled formula that returns text. */
export type StringPackFormula<Params extends ParamDefs = ParamDefs> = BaseFormula<
  Params,
  SchemaType<StringSchema>
>;
/** A compiled formula that returns a number. */
export type NumericPackFormula<Params extends ParamDefs = ParamDefs> = BaseFormula<Params, number>;
/** A compiled formula that returns true or false. */
export type BooleanPackFormula<Params extends ParamDefs = ParamDefs> = BaseFormula<Params, boolean>;
/** A compiled formula that returns an object or a list. */
export type ObjectPackFormula<Params extends ParamDefs = ParamDefs, S = Schema> = BaseFormula<
  Params,
  SchemaType<S>
>;
/** A compiled formula of the Pack or of a sync table. */
export type TypedPackFormula = Formula | SyncFormula;

/** The definition of a sync table formula that returns rows with a certain schema. */
export type SyncFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Definition extends ObjectSchemaDefinition = ObjectSchemaDefinition,
  NextPage = Continuation,
> = SyncFormulaDefinition<Params, SchemaType<Definition>, NextPage>;
/** A compiled sync table. */
export type SyncTableDef = SyncTable;
/** A compiled dynamic sync table. */
export type DynamicSyncTableDef = SyncTable & {
  /** Always true. */
  readonly isDynamic: true;
};

/** Any sync table. */
export type GenericSyncTable = SyncTable;
/** Any dynamic sync table. */
export type GenericDynamicSyncTable = DynamicSyncTableDef;
/** The formula of any sync table. */
export type GenericSyncFormula = SyncFormula;
/** A page of rows of any type. */
export type GenericSyncFormulaResult = SyncFormulaResult<Untyped>;
/** An edited row of any table. */
export type GenericSyncUpdate = SyncUpdate<{ [member: string]: Untyped }>;
/** The outcome of an update of a row of any type. */
export type GenericSyncUpdateSingleResult = SyncUpdateSingleResult<Untyped>;
/** The outcomes of updates of rows of any type. */
export type GenericSyncUpdateResult = SyncUpdateResult<Untyped>;

/** @deprecated Accepted for compatibility with existing Packs. */
export type SyncPassthroughData = Record<string, Untyped>;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SyncUpdateSingleResultMarshaledSuccess<Row = Untyped> {
  readonly outcome: UpdateOutcome.Success;
  readonly finalValue: Row;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SyncUpdateSingleResultMarshaledError {
  readonly outcome: UpdateOutcome.Error;
  readonly error: Error;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type SyncUpdateSingleResultMarshaled<Row = Untyped> =
  | SyncUpdateSingleResultMarshaledSuccess<Row>
  | SyncUpdateSingleResultMarshaledError;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SyncUpdateResultMarshaled<Row = Untyped> {
  readonly result: readonly SyncUpdateSingleResultMarshaled<Row>[];
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type GenericSyncUpdateSingleResultMarshaled = SyncUpdateSingleResultMarshaled;
/** @deprecated Accepted for compatibility with existing Packs. */
export type GenericSyncUpdateResultMarshaled = SyncUpdateResultMarshaled;
