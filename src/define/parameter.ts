import type { ParameterType } from "./enumerations.ts";
import type {
  AutocompleteOption,
  AutocompleteParameterTypes,
  MetadataFormula,
  MetadataFunction,
  Parameter,
  ParameterValueMap,
} from "./formula.ts";

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
  return Object.freeze({ ...definition }) as unknown as Optional extends true ? OptionalParamDef<T> : RequiredParamDef<T>;
}
