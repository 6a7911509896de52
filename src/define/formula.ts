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

/** An example call for the documentation: its arguments and its result. */
export interface FormulaExample {
  /** The arguments, in the order of the parameters. */
  readonly params: readonly unknown[];
  /** What the formula returns for them. */
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

/** Members that every formula has, including the formula of a sync table. */
export interface CommonFormulaDefinition<
  Params extends readonly AnyParameter[] = readonly Parameter[],
  Varargs extends readonly AnyParameter[] = readonly Parameter[],
> {
  /**
   * A letter, then letters, digits or `_`; unique within the Pack, ignoring case. At most 50
   * characters.
   */
  readonly name: string;
  /** What it does. At most 1,000 characters. */
  readonly description: string;
  /** Replaces the description for language models. At most 20,000 characters. */
  readonly instructions?: string | undefined;
  /** The parameters, in the order in which `execute` gets their values. */
  readonly parameters: Params;
  /** Parameters that may be repeated as a group after the declared ones. */
  readonly varargParameters?: Varargs | undefined;
  /** Arguments and the result that they give. Users see them. */
  readonly examples?: readonly FormulaExample[] | undefined;
  /**
   * The formula changes something: users run it with a button, and its result is not cached.
   * @default false
   */
  readonly isAction?: boolean | undefined;
  /**
   * Whether the formula needs an account. @default `required` when the Pack has user
   * authentication, else `none`
   */
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  /** How long a result may be reused, in seconds. At most 86,400. @default about 300 */
  readonly cacheTtlSecs?: number | undefined;
  /**
   * Leaves the formula out of the suggestions that users get while they write. They can still write
   * its name.
   * @default false
   */
  readonly isExperimental?: boolean | undefined;
  /** Scopes that this formula needs in addition to those of the authentication. */
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

/** A formula in the Pack's definition. */
export interface Formula extends CommonFormulaDefinition {
  /** The number of the result type. For a list, it is that of an object. */
  readonly resultType: Type;
  /** The schema of the result, unless it is a list. */
  readonly schema?: StringSchema | NumberSchema | ObjectSchema | undefined;
  /** The schema of one element, when the result is a list. */
  readonly items?: Schema | undefined;
  /** Runs the formula. */
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/**
 * The value that a formula receives for each type of parameter. Html, Markdown and Email are text;
 * Image and File are URLs.
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

/** A choice for a parameter: a text, a number, or a value with a different text to show. */
export type AutocompleteOption = string | number | MetadataFormulaObjectResultType;

/** The types of parameters that can have choices. */
export type AutocompleteParameterTypes = "string" | "number" | "stringArray" | "sparseStringArray";

/**
 * The initial value of a parameter: a value of its type, or for a list of dates also a span of
 * days.
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
  /** The property of its rows that has the value. */
  readonly propertyKey: string;
  /**
   * The row that the value comes from also gives its permissions. Only for the table's id.
   * @default false
   */
  readonly inheritPermissions?: boolean | undefined;
}

/** Where a parameter takes its values from when a table is indexed. */
export interface CrawlStrategy {
  /** The column whose values the parameter takes. */
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

/** A parameter of a formula in the definition, as `makeParameter` returns it. */
export interface Parameter<T extends ParameterType = ParameterType>
  extends WrittenParameter<T, CompiledParameterType<T>> {}

/** A parameter as you write it, and as it is in the definition: only its type differs. */
export interface WrittenParameter<T extends ParameterType = ParameterType, Written = T> {
  /** The type of its value. */
  readonly type: Written;
  /** A letter, then letters, digits or `_`; unique within the formula. At most 50 characters. */
  readonly name: string;
  /** What to enter. At most 1,000 characters. */
  readonly description: string;
  /** Replaces the description for language models. At most 20,000 characters. */
  readonly instructions?: string | undefined;
  /** The user may leave it out. Optional parameters come last. @default false */
  readonly optional?: boolean | undefined;
  /** The choices, or a function that finds them. For text and numbers only. */
  readonly autocomplete?:
    | (T extends AutocompleteParameterTypes
        ? readonly AutocompleteOption[] | MetadataFunction | MetadataFormula
        : never)
    | undefined;
  /** The initial value of the field. */
  readonly suggestedValue?: SuggestedValueType<T> | undefined;
  /** The value that is used when the table is indexed. */
  readonly ingestionSuggestedValue?: SuggestedValueType<T> | undefined;
  /** Where the values come from when the table is indexed. */
  readonly crawlStrategy?: CrawlStrategy | undefined;
  /**
   * Set it to false if a change of the value requires a full sync. Only for optional parameters.
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

/** The values of the other parameters by name, while the user fills in one of them. */
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
 * A metadata function as a formula, with `search` and `formulaContext` (JSON text) as its
 * parameters.
 */
export interface MetadataFormula<Result = LegacyDefaultMetadataReturnType> extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<Result>;
}

/** A metadata function, plain or wrapped as a formula. */
export type MetadataFormulaDef<
  Context extends ExecutionContext = ExecutionContext,
  Result = LegacyDefaultMetadataReturnType,
> = MetadataFunction<Context, Result> | MetadataFormula<Result>;
