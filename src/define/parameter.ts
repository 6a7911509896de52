import { compileParameter } from "./compile/compile-parameter.ts";
import type { Members } from "./compile/members.ts";
import type { PrecannedDate, PrecannedDateRange } from "./date-ranges.ts";
import type { ParameterType } from "./enumerations.ts";
import type { MetadataFormula, MetadataFunction, SimpleAutocompleteOption } from "./metadata.ts";

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

/** A parameter by its older name. */
export type ParamDef<T extends ParameterType = ParameterType> = Parameter<T>;
/** A list of parameters. */
export type ParamDefs = readonly Parameter[];
/** Accepted from older Packs. */
export type ParamsList = readonly Parameter[];
/** A parameter that may be left out. */
export type OptionalParamDef<T extends ParameterType = ParameterType> = Parameter<T> & { readonly optional: true };
/** A parameter that must be given. */
export type RequiredParamDef<T extends ParameterType = ParameterType> = Parameter<T> & { readonly optional?: false | undefined };

/** What `makeParameter` takes: a parameter of one type. */
export interface ParameterOptions<T extends ParameterType = ParameterType, Optional extends boolean = boolean>
  extends Omit<Parameter<T>, "optional" | "autocomplete"> {
  /** May be left out; optional parameters come last. @default false */
  readonly optional?: Optional | undefined;
  /** Choices, or a function that finds them. For text and numbers only. */
  readonly autocomplete?:
    | (T extends AutocompleteParameterTypes ? readonly AutocompleteOption[] | AutocompleteFunction | MetadataFormula : never)
    | undefined;
}

/** Finds the choices of a parameter from what the user typed and the values of the other parameters, by name. */
export type AutocompleteFunction = MetadataFunction;

/** What `makeParameter` gives for its options. */
export type ParamDefFromOptionsUnion<T extends ParameterType, Options> = Options extends { readonly optional: true }
  ? OptionalParamDef<T>
  : RequiredParamDef<T>;

type Value<P> = P extends { readonly type: infer T extends keyof ParameterValueMap }
  ? P extends { readonly optional: true }
    ? ParameterValueMap[T] | undefined
    : ParameterValueMap[T]
  : never;

/** The values of a list of parameters, in its order. */
export type ParameterValues<Params extends readonly Parameter[]> = { -readonly [Index in keyof Params]: Value<Params[Index]> };
/** Another name of `ParameterValues`. */
export type ParamValues<Params extends readonly Parameter[]> = ParameterValues<Params>;

type Tail<Varargs extends readonly Parameter[]> = Varargs extends readonly [] ? [] : ParameterValues<Varargs>[number][];

/** What `execute` receives: the declared parameters in order, then the groups of repeating ones. */
export type Arguments<Params extends readonly Parameter[], Varargs extends readonly Parameter[] = []> = [
  ...ParameterValues<Params>,
  ...Tail<Varargs>,
];

/** Defines a parameter. Keep it in a variable to use it in several formulas. */
export function makeParameter<const T extends ParameterType, const Optional extends boolean = false>(
  definition: ParameterOptions<T, Optional>,
): Optional extends true ? OptionalParamDef<T> : RequiredParamDef<T> {
  return compileParameter(definition as unknown as Members) as unknown as Optional extends true ? OptionalParamDef<T> : RequiredParamDef<T>;
}
