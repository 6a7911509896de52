import { compileMetadata, compilePropertyOptions } from "./compile/metadata-formula.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type {
  AutocompleteOption,
  Formula,
  LegacyDefaultMetadataReturnType,
  MetadataFormula,
  MetadataFunction,
} from "./formula.ts";
import type { ExecutionContext, PropertyOptionsMetadataFunction, Schema } from "./schema.ts";
import type { UntypedBody } from "./untyped.ts";

/** @deprecated Accepted for compatibility with existing Packs. */
export interface PropertyOptionsMetadataFormula extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/** A parameter problem that `validateParameters` returns. */
export interface ParameterValidationDetail {
  /** The explanation that users see for the problem. */
  readonly message: string;
  /** The name of the parameter. */
  readonly parameterName: string;
}
/** The arguments are valid. */
export interface ValidParameterValidationResult {
  /** Always true. */
  readonly isValid: true;
}
/** The arguments are not valid. */
export interface InvalidParameterValidationResult {
  /** Always false. */
  readonly isValid: false;
  /** The explanation that users see for the problem. */
  readonly message: string;
  /** The problems of individual parameters. */
  readonly errors?: readonly ParameterValidationDetail[] | undefined;
}
/** The result of `validateParameters`. */
export type ParameterValidationResult =
  | ValidParameterValidationResult
  | InvalidParameterValidationResult;

/**
 * Wraps a metadata function as a formula. You can always pass the plain function instead.
 * @param options `connectionRequirement` sets whether the function needs an account; the default is
 *   `optional`
 * @example
 * ```ts
 * const account = makeMetadataFormula(async (context) => {
 *   const { body } = await context.fetcher.fetch({
 *     method: "GET",
 *     url: "https://api.example.com/me",
 *   });
 *   return String(body);
 * });
 * ```
 */
export function makeMetadataFormula<
  Context extends ExecutionContext = ExecutionContext,
  Result = LegacyDefaultMetadataReturnType,
>(
  run: MetadataFunction<Context, Result>,
  {
    connectionRequirement = "optional",
  }: {
    /** Sets whether the function needs an account. @default "optional" */
    connectionRequirement?: ConnectionRequirement | undefined;
  } = {},
): MetadataFormula<Result> {
  return compileMetadata(run, connectionRequirement) as MetadataFormula<Result>;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export function makePropertyOptionsFormula({
  execute,
  schema,
  name,
}: {
  execute: PropertyOptionsMetadataFunction<readonly never[]> | PropertyOptionsMetadataFunction;
  schema: Schema;
  name: string;
}): PropertyOptionsMetadataFormula {
  return compilePropertyOptions(execute, name, schema) as PropertyOptionsMetadataFormula;
}

/** A choice: the text that users see, and the value that the formula receives. */
export type AutocompleteResult<Value = string | number> = {
  /** The text that users see. */
  readonly display: string;
  /** The value that the formula receives. */
  readonly value: Value;
};

/**
 * Finds the options that contain the text that the user typed. The search is not case-sensitive.
 * @param search the text that the user typed; an empty string finds all options
 * @param options strings, numbers, or objects with `display` and `value`
 * @example
 * ```ts
 * const size = makeParameter({
 *   type: ParameterType.String,
 *   name: "size",
 *   description: "The size.",
 *   autocomplete: async (context, search) =>
 *     simpleAutocomplete(search, ["small", { display: "Large (2 m)", value: "large" }]),
 * });
 * ```
 */
export async function simpleAutocomplete(
  search: string | undefined,
  options: readonly AutocompleteOption[],
): Promise<AutocompleteResult[]> {
  const choices = options.map((option) =>
    typeof option === "object" ? option : { display: String(option), value: option },
  );
  return matching(search || "", choices, ({ display }) => (display as string | number).toString());
}

/**
 * Finds the objects whose `displayKey` property contains the text that the user typed. The search
 * is not case-sensitive.
 * @throws {TypeError} if `search` is not a string, or if the `displayKey` property of an object is
 *   not a string
 * @example
 * ```ts
 * const cities = [
 *   { name: "Lima", id: 4 },
 *   { name: "Lagos", id: 7 },
 * ];
 * const city = makeParameter({
 *   type: ParameterType.Number,
 *   name: "city",
 *   description: "The city.",
 *   autocomplete: async (context, search) =>
 *     autocompleteSearchObjects(search, cities, "name", "id"),
 * });
 * ```
 */
export async function autocompleteSearchObjects<
  Item extends object = Record<string, UntypedBody>,
  Display extends keyof Item = keyof Item,
  Key extends keyof Item = keyof Item,
>(
  search: string,
  objects: readonly Item[],
  displayKey: Display,
  valueKey: Key,
): Promise<AutocompleteResult<Item[Key]>[]> {
  if (typeof search !== "string") throw new TypeError("search must be a string.");
  const choices = objects.map((item) => ({
    display: item[displayKey] as string,
    value: item[valueKey],
  }));
  return matching(search, choices, ({ display }) => {
    if (typeof display !== "string")
      throw new TypeError(`${String(displayKey)} must be a string in each object.`);
    return display;
  });
}

function matching<Choice>(
  search: string,
  choices: readonly Choice[],
  textOf: (choice: Choice) => string,
): Choice[] {
  const sought = search.toLowerCase();
  return choices.filter((choice) => textOf(choice).toLowerCase().includes(sought));
}

/**
 * @deprecated Accepted for compatibility with existing Packs. Pass the options to `autocomplete`
 * instead.
 */
export function makeSimpleAutocompleteMetadataFormula(
  options: readonly AutocompleteOption[],
): MetadataFormula {
  return makeMetadataFormula((_context, search) => simpleAutocomplete(search, options));
}
