import type { MetadataFunction } from "./metadata.ts";

/** The JavaScript value that a formula receives for each type of parameter. */
export interface ParameterValueMap {
  string: string;
  number: number;
  boolean: boolean;
  date: Date;
  html: string;
  /** An image as a URL. */
  image: string;
  /** A file as a URL. */
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

/** One choice that a parameter offers: a value, or a value with the text that shows it. */
export type ParameterOption = string | number | { display: string; value: string | number };

/** A parameter of a formula. */
export interface Parameter<Type extends keyof ParameterValueMap = keyof ParameterValueMap> {
  /** What values it takes: a `ParameterType`. */
  readonly type: Type;
  /** Unique within the formula; a letter, then letters, digits or `_`; at most 50 characters (rules 32, 33, 53). */
  readonly name: string;
  /** At most 1,000 characters. */
  readonly description?: string | undefined;
  /** What a language model reads in place of the description: at most 20,000 characters. */
  readonly instructions?: string | undefined;
  /** Optional parameters come last (rule 47). @default false */
  readonly optional?: boolean | undefined;
  /** The choices offered while the value is typed, for strings and numbers: a list, or a function that looks them up. */
  readonly autocomplete?: readonly ParameterOption[] | MetadataFunction | undefined;
  /** Fills the parameter in when a user adds the formula. */
  readonly suggestedValue?: unknown;
  /** The suggested value of an index. */
  readonly ingestionSuggestedValue?: unknown;
  /** Whether an incremental sync keeps working when it is set. A required parameter cannot say `false` (rule 37). */
  readonly supportsIncrementalSync?: boolean | undefined;
  /** Takes the values of this parameter from the rows of another table, one sync for each. */
  readonly crawlStrategy?: CrawlStrategy | undefined;
}

export interface CrawlStrategy {
  parentTable?: { tableName: string; propertyKey: string; inheritPermissions?: boolean | undefined } | undefined;
}

type Value<P> = P extends { readonly type: infer Type extends keyof ParameterValueMap }
  ? P extends { readonly optional: true }
    ? ParameterValueMap[Type] | undefined
    : ParameterValueMap[Type]
  : never;

/** The values of parameters, in their order. */
export type ParameterValues<Params extends readonly Parameter[]> = { -readonly [Index in keyof Params]: Value<Params[Index]> };

type Tail<Varargs extends readonly Parameter[]> = Varargs extends readonly [] ? [] : ParameterValues<Varargs>[number][];

/** What `execute` receives first: the declared parameters, then the repeated vararg groups. */
export type Arguments<Params extends readonly Parameter[], Varargs extends readonly Parameter[] = []> = [
  ...ParameterValues<Params>,
  ...Tail<Varargs>,
];

/**
 * Defines a parameter. Keep it in a constant to use it in several formulas.
 * @returns the definition, frozen
 */
export function makeParameter<const Definition extends Parameter>(definition: Definition): Readonly<Definition> {
  return Object.freeze({ ...definition });
}
