import type {
  ConnectionRequirement,
  FormulaPurpose,
  NetworkConnection,
  ParameterType,
  PrecannedDate,
  PrecannedDateRange,
  Type,
} from "./enumerations.ts";
import type { NumberSchema } from "./scalar-schemas.ts";
import type {
  ArraySchema,
  ExecutionContext,
  MetadataFormulaObjectResultType,
  MetadataFormulaResultType,
  ObjectSchema,
  Schema,
  StringSchema,
} from "./schema.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

// Formulas and parameters refer to each other: a formula has parameters, a parameter may find its
// choices with a metadata formula, and a metadata formula is a formula.

/**
 * An example of a call: arguments and a result. Users see examples in the documentation of the
 * Pack.
 */
export interface FormulaExample {
  /** The arguments, in the order of the parameters. */
  readonly params: readonly unknown[];
  /** The result of the formula for these arguments. */
  readonly result: unknown;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface Network {
  readonly hasSideEffect?: boolean | undefined;
  readonly requiresConnection?: boolean | undefined;
  readonly connection?: NetworkConnection | undefined;
}

/** A parameter, plain or made by `makeParameter`. */
export type AnyParameter = Parameter | WrittenParameter;

/** Options that every formula has, including the formula of a sync table. */
export interface CommonFormulaDefinition<
  Params extends readonly AnyParameter[] = readonly Parameter[],
  Varargs extends readonly AnyParameter[] = readonly Parameter[],
> {
  /**
   * The name of the formula: a letter, then letters, digits or `_`. The name must be unique in the
   * Pack, regardless of upper and lower case. At most 50 characters.
   */
  readonly name: string;
  /** A description of the formula. At most 1,000 characters. */
  readonly description: string;
  /**
   * The description that language models see instead of `description`. At most 20,000 characters.
   */
  readonly instructions?: string | undefined;
  /** The parameters of the formula. `execute` receives the arguments in this order. */
  readonly parameters: Params;
  /** A group of parameters that users can repeat after the other parameters. */
  readonly varargParameters?: Varargs | undefined;
  /** Example calls that users see. */
  readonly examples?: readonly FormulaExample[] | undefined;
  /**
   * Makes the formula an action. Users run an action with a button. The result of an action is not
   * cached.
   * @default false
   */
  readonly isAction?: boolean | undefined;
  /**
   * Sets whether the formula needs an account.
   * @default `required` if the Pack has user authentication, otherwise `none`
   */
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  /** The number of seconds to cache a result. At most 86,400. @default about 300 */
  readonly cacheTtlSecs?: number | undefined;
  /**
   * Hides the formula from the suggestions that users see while they type. Users can still enter
   * its name.
   * @default false
   */
  readonly isExperimental?: boolean | undefined;
  /** The scopes that this formula needs in addition to the scopes of the authentication. */
  readonly extraOAuthScopes?: readonly string[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly network?: Network | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly isSystem?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly purpose?: FormulaPurpose | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly allowedAuthenticationNames?: readonly string[] | undefined;
}

/** A formula in the definition of a Pack. */
export interface Formula extends CommonFormulaDefinition {
  /** The number of the result type. For a list, the number is `Type.object`. */
  readonly resultType: Type;
  /** The schema of the result, if the result is not a list. */
  readonly schema?: StringSchema | NumberSchema | ObjectSchema | undefined;
  /** The schema of one element, if the result is a list. */
  readonly items?: Schema | undefined;
  /** Runs the formula. */
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/**
 * The value that a formula receives for each type of parameter. For `html`, `markdown` and `email`,
 * the value is a string. For `image` and `file`, the value is a URL.
 */
export interface ParameterValueMap {
  string: string;
  number: number;
  boolean: boolean;
  date: Date;
  html: string;
  image: string;
  file: string;
  markdown: string;
  email: string;
  stringArray: string[];
  numberArray: number[];
  booleanArray: boolean[];
  dateArray: Date[];
  htmlArray: string[];
  imageArray: string[];
  fileArray: string[];
  markdownArray: string[];
  emailArray: string[];
  sparseStringArray: (string | undefined)[];
  sparseNumberArray: (number | undefined)[];
  sparseBooleanArray: (boolean | undefined)[];
  sparseDateArray: (Date | undefined)[];
  sparseHtmlArray: (string | undefined)[];
  sparseImageArray: (string | undefined)[];
  sparseFileArray: (string | undefined)[];
  sparseMarkdownArray: (string | undefined)[];
  sparseEmailArray: (string | undefined)[];
}

/** A choice for a parameter: a string, a number, or an object with a value and a display text. */
export type AutocompleteOption = string | number | MetadataFormulaObjectResultType;

/** The parameter types that can have choices. */
export type AutocompleteParameterTypes = "string" | "number" | "stringArray" | "sparseStringArray";

/**
 * The type of the initial value of a parameter. For a list of dates, the initial value can also be
 * a period.
 */
export type SuggestedValueType<T extends ParameterType> = T extends "dateArray"
  ? Date[] | PrecannedDateRange
  : T extends "date"
    ? Date | PrecannedDate
    : ParameterValueMap[T];

/** A column of another sync table. */
export interface SyncTableRelation {
  /** The `name` of the sync table. */
  readonly tableName: string;
  /** The row property that contains the value. */
  readonly propertyKey: string;
  /**
   * Copies the permissions of the row that contains the value. If you set this option,
   * `propertyKey` must be the `idProperty` of the table.
   * @default false
   */
  readonly inheritPermissions?: boolean | undefined;
}

/** The source of the parameter values that search uses to index a table. */
export interface CrawlStrategy {
  /** The column that contains the values of the parameter. */
  readonly parentTable?: SyncTableRelation | undefined;
}

/** The number of each type of value in a definition. */
interface TypeNumbers {
  string: typeof Type.string;
  number: typeof Type.number;
  boolean: typeof Type.boolean;
  date: typeof Type.date;
  html: typeof Type.html;
  image: typeof Type.image;
  file: typeof Type.file;
  markdown: typeof Type.markdown;
  email: typeof Type.email;
}

/** The type of a parameter in a definition: a number, or a list of values with this number. */
export type CompiledParameterType<T extends ParameterType = ParameterType> =
  T extends keyof TypeNumbers
    ? TypeNumbers[T]
    : T extends `sparse${infer Item}Array`
      ? {
          readonly type: "array";
          readonly items: TypeNumbers[Uncapitalize<Item> & keyof TypeNumbers];
          readonly allowEmpty: true;
        }
      : T extends `${infer Item}Array`
        ? {
            readonly type: "array";
            readonly items: TypeNumbers[Item & keyof TypeNumbers];
            readonly allowEmpty?: undefined;
          }
        : never;

/** The formula parameter that `makeParameter` returns. */
export interface Parameter<T extends ParameterType = ParameterType>
  extends WrittenParameter<T, CompiledParameterType<T>> {}

/** A parameter as you write it, and as it is in the definition: only its type differs. */
export interface WrittenParameter<T extends ParameterType = ParameterType, Written = T> {
  /** The type of the value. */
  readonly type: Written;
  /**
   * The name of the parameter: a letter, then letters, digits or `_`. The name must be unique in
   * the formula. At most 50 characters.
   */
  readonly name: string;
  /** An explanation of the value that the user enters. At most 1,000 characters. */
  readonly description: string;
  /**
   * The description that language models see instead of `description`. At most 20,000 characters.
   */
  readonly instructions?: string | undefined;
  /** Allows users to leave out the argument. Put optional parameters last. @default false */
  readonly optional?: boolean | undefined;
  /**
   * The choices, or a function that finds them. Only string and number parameters can have choices.
   */
  readonly autocomplete?:
    | (T extends AutocompleteParameterTypes
        ? readonly AutocompleteOption[] | MetadataFunction | MetadataFormula
        : never)
    | undefined;
  /** The initial value of the field. */
  readonly suggestedValue?: SuggestedValueType<T> | undefined;
  /** The parameter value that search uses to index the table. */
  readonly ingestionSuggestedValue?: SuggestedValueType<T> | undefined;
  /** The source of the parameter values that search uses to index the table. */
  readonly crawlStrategy?: CrawlStrategy | undefined;
  /**
   * Set this option to `false` if a full sync is required after the parameter has changed. Only
   * optional parameters can have this option.
   * @default true
   */
  readonly supportsIncrementalSync?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `suggestedValue`. */
  readonly defaultValue?: SuggestedValueType<T> | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `ingestionSuggestedValue`. */
  readonly fullSyncSuggestedValue?: SuggestedValueType<T> | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly allowedPresetValues?: readonly (PrecannedDate | PrecannedDateRange)[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly allowManualInput?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly inheritPermissions?: boolean | undefined;
}

/** The result of a metadata function: a label, choices or a schema. */
export type LegacyDefaultMetadataReturnType =
  | MetadataFormulaResultType
  | readonly MetadataFormulaResultType[]
  | ArraySchema
  | ObjectSchema
  | null
  | undefined;

/** The current values of the other parameters, by parameter name. */
export type MetadataContext = Record<string, Untyped>;

/**
 * A function that returns information for the document service: the name of an account, the choices
 * of a parameter, or a schema.
 */
export type MetadataFunction<
  Context extends ExecutionContext = ExecutionContext,
  Result = LegacyDefaultMetadataReturnType,
> = (context: Context, search: string, parameters: MetadataContext) => MaybePromise<Result>;

/**
 * A metadata function as a formula. The parameters of the formula are `search` and `formulaContext`
 * (a JSON string).
 */
export interface MetadataFormula<Result = LegacyDefaultMetadataReturnType> extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<Result>;
}

/** A metadata function, or a formula that `makeMetadataFormula` returns. */
export type MetadataFormulaDef<
  Context extends ExecutionContext = ExecutionContext,
  Result = LegacyDefaultMetadataReturnType,
> = MetadataFunction<Context, Result> | MetadataFormula<Result>;
