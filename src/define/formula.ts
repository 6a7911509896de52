import type { PrecannedDate, PrecannedDateRange } from "./date-ranges.ts";
import type { ConnectionRequirement, FormulaPurpose, NetworkConnection, ParameterType, ValueType } from "./enumerations.ts";
import type { NumberSchema } from "./scalar-schemas.ts";
import type {
  ArraySchema,
  ExecutionContext,
  MetadataFormulaResultType,
  ObjectSchema,
  Schema,
  SimpleAutocompleteOption,
  StringSchema,
} from "./schema.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

// Formulas and parameters are one circle of types: a formula has parameters, a parameter may find its choices with a metadata
// formula, and a metadata formula is a formula.

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

/** A formula as the Pack's definition holds it. */
export interface Formula extends CommonFormulaDefinition {
  readonly resultType: ValueType;
  readonly schema?: StringSchema | NumberSchema | ObjectSchema | undefined;
  readonly items?: Schema | undefined;
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/** The value that a formula receives for each type of parameter. Html, Markdown, Email are text; Image and File are URLs. */
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

/** A choice that is offered while a parameter is filled in: a text or number that shows itself, or with a text of its own. */
export type AutocompleteOption = string | number | (SimpleAutocompleteOption & { readonly hasChildren?: boolean | undefined });

/** The types of parameters that can offer choices. */
export type AutocompleteParameterTypes = "string" | "number" | "stringArray" | "sparseStringArray";

/** What a parameter may hold at first: a value of its type; for a list of dates also a span of days. */
export type SuggestedValueType<T extends ParameterType> = T extends "dateArray"
  ? Date[] | PrecannedDateRange
  : T extends "date"
    ? Date | PrecannedDate
    : ParameterValueMap[T];

/** A column of another sync table. */
export interface SyncTableRelation {
  readonly tableName: string;
  readonly propertyKey: string;
  /** Rows that are found this way have the permissions of the row that led to them. Only for the table's id. @default false */
  readonly inheritPermissions?: boolean | undefined;
}

/** Where the values of a parameter come from when a table is indexed. */
export interface CrawlStrategy {
  readonly parentTable?: SyncTableRelation | undefined;
}

/** A parameter of a formula: what the user is asked for. */
export interface Parameter<T extends ParameterType = ParameterType> {
  /** What kind of value it takes. */
  readonly type: T;
  /** A letter, then letters, digits or `_`; unique within the formula. At most 50 characters. */
  readonly name: string;
  /** What to give; at most 1,000 characters. */
  readonly description: string;
  /** Replaces the description for language models. At most 20,000 characters. */
  readonly instructions?: string | undefined;
  /** May be left out; optional parameters come last. @default false */
  readonly optional?: boolean | undefined;
  /** Choices, or a function that finds them. For text and numbers only. */
  readonly autocomplete?:
    | (T extends AutocompleteParameterTypes ? readonly AutocompleteOption[] | MetadataFunction | MetadataFormula : never)
    | undefined;
  /** What the field holds at first. */
  readonly suggestedValue?: SuggestedValueType<T> | undefined;
  /** The value that is used when the table is indexed. */
  readonly ingestionSuggestedValue?: SuggestedValueType<T> | undefined;
  /** Where the values come from when the table is indexed. */
  readonly crawlStrategy?: CrawlStrategy | undefined;
  /** False when a change of this value needs a sync of all rows. Only for optional parameters. @default true */
  readonly supportsIncrementalSync?: boolean | undefined;
  /** Accepted from older Packs: `suggestedValue`. */
  readonly defaultValue?: SuggestedValueType<T> | undefined;
  /** Accepted from older Packs: `ingestionSuggestedValue`. */
  readonly fullSyncSuggestedValue?: SuggestedValueType<T> | undefined;
  /** Accepted from older Packs. */
  readonly allowedPresetValues?: readonly (PrecannedDate | PrecannedDateRange)[] | undefined;
  /** Accepted from older Packs. */
  readonly allowManualInput?: boolean | undefined;
  /** Accepted from older Packs. */
  readonly inheritPermissions?: boolean | undefined;
}

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
