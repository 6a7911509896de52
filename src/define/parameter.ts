import type { ParameterType } from "./enumerations.ts";
import type { MetadataFunction } from "./metadata.ts";

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

/** A choice that is offered while a parameter is filled in. */
export type AutocompleteOption = string | number | { readonly display: string; readonly value: string | number };

export interface Parameter<T extends ParameterType = ParameterType> {
  readonly type: T;
  /** A letter, then letters, digits or `_`; unique within the formula. At most 50 characters. */
  readonly name: string;
  /** What to give; at most 1,000 characters. */
  readonly description: string;
  /** Replaces the description for language models. */
  readonly instructions?: string | undefined;
  /** May be left out; optional parameters come last. @default false */
  readonly optional?: boolean | undefined;
  /** Choices, or a function that finds them. For text and numbers only. */
  readonly autocomplete?: readonly AutocompleteOption[] | MetadataFunction | undefined;
  /** What the field holds at first. */
  readonly suggestedValue?: ParameterValueMap[T] | undefined;
}

type Value<P> = P extends { readonly type: infer T extends keyof ParameterValueMap }
  ? P extends { readonly optional: true }
    ? ParameterValueMap[T] | undefined
    : ParameterValueMap[T]
  : never;

/** The values of a list of parameters, in its order. */
export type ParameterValues<Params extends readonly Parameter[]> = { -readonly [Index in keyof Params]: Value<Params[Index]> };

type Tail<Varargs extends readonly Parameter[]> = Varargs extends readonly [] ? [] : ParameterValues<Varargs>[number][];

/** What `execute` receives: the declared parameters in order, then the groups of repeating ones. */
export type Arguments<Params extends readonly Parameter[], Varargs extends readonly Parameter[] = []> = [
  ...ParameterValues<Params>,
  ...Tail<Varargs>,
];

/** Defines a parameter. Keep it in a variable to use it in several formulas. */
export function makeParameter<const P extends Parameter>(definition: P & Record<Exclude<keyof P, keyof Parameter>, never>): P {
  return Object.freeze({ ...definition });
}
