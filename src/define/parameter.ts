import { compileParameter } from "./compile/compile-parameter.ts";
import type { ParameterType, Type } from "./enumerations.ts";
import type {
  AnyParameter,
  AutocompleteOption,
  AutocompleteParameterTypes,
  CompiledParameterType,
  MetadataFormula,
  MetadataFunction,
  Parameter,
  ParameterValueMap,
  WrittenParameter,
} from "./formula.ts";

/** Another name of `Parameter`. */
export type ParamDef<T extends ParameterType = ParameterType> = Parameter<T>;
/** A list of parameters. */
export type ParamDefs = readonly Parameter[];
/** @deprecated Accepted for compatibility with existing Packs. */
export type ParamsList = readonly Parameter[];
/** An optional parameter. */
export type OptionalParamDef<T extends ParameterType = ParameterType> = Parameter<T> & {
  readonly optional: true;
};
/** A required parameter. */
export type RequiredParamDef<T extends ParameterType = ParameterType> = Parameter<T> & {
  readonly optional?: false | undefined;
};

/** The argument of `makeParameter`. */
export interface ParameterOptions<
  T extends ParameterType = ParameterType,
  Optional extends boolean = boolean,
> extends Omit<WrittenParameter<T>, "optional" | "autocomplete"> {
  /** Allows users to leave out the argument. Put optional parameters last. @default false */
  readonly optional?: Optional | undefined;
  /**
   * The choices, or a function that finds them. Only string and number parameters can have choices.
   */
  readonly autocomplete?:
    | (T extends AutocompleteParameterTypes
        ? readonly AutocompleteOption[] | AutocompleteFunction | MetadataFormula
        : never)
    | undefined;
}

/**
 * Finds the choices for a parameter. The function receives the text that the user typed and the
 * values of the other parameters, by parameter name.
 */
export type AutocompleteFunction = MetadataFunction;

/** The result of `makeParameter` for these options. */
export type ParamDefFromOptionsUnion<T extends ParameterType, Options> = Options extends {
  readonly optional: true;
}
  ? OptionalParamDef<T>
  : RequiredParamDef<T>;

type TypesOfNumber = {
  [T in ParameterType as CompiledParameterType<T> extends Type
    ? CompiledParameterType<T>
    : never]: ParameterValueMap[T];
};
type ValueOfType<T> = T extends keyof ParameterValueMap
  ? ParameterValueMap[T]
  : T extends keyof TypesOfNumber
    ? TypesOfNumber[T]
    : T extends {
          readonly items: infer Item extends keyof TypesOfNumber;
          readonly allowEmpty: true;
        }
      ? (TypesOfNumber[Item] | undefined)[]
      : T extends { readonly items: infer Item extends keyof TypesOfNumber }
        ? TypesOfNumber[Item][]
        : never;
type Value<P> = P extends { readonly type: infer T }
  ? P extends { readonly optional: true }
    ? ValueOfType<T> | undefined
    : ValueOfType<T>
  : never;

/** The values of a list of parameters, in the same order. */
export type ParameterValues<Params extends readonly AnyParameter[]> = {
  -readonly [Index in keyof Params]: Value<Params[Index]>;
};
/** Another name of `ParameterValues`. */
export type ParamValues<Params extends readonly AnyParameter[]> = ParameterValues<Params>;

type Tail<Varargs extends readonly AnyParameter[]> = Varargs extends readonly []
  ? []
  : ParameterValues<Varargs>[number][];

/**
 * The arguments of `execute`, in the order of the parameters. The arguments for repeated groups
 * follow at the end.
 */
export type Arguments<
  Params extends readonly AnyParameter[],
  Varargs extends readonly AnyParameter[] = [],
> = [...ParameterValues<Params>, ...Tail<Varargs>];

/**
 * Defines a parameter. To use a parameter in several formulas, store it in a variable.
 * @example
 * ```ts
 * const city = makeParameter({
 *   type: ParameterType.String,
 *   name: "city",
 *   description: "The city to look up.",
 *   autocomplete: ["Berlin", "Lagos", "Lima"],
 * });
 * ```
 */
export function makeParameter<
  const T extends ParameterType,
  const Optional extends boolean = false,
>(
  definition: ParameterOptions<T, Optional>,
): Optional extends true ? OptionalParamDef<T> : RequiredParamDef<T> {
  return compileParameter(definition) as Optional extends true
    ? OptionalParamDef<T>
    : RequiredParamDef<T>;
}
