import type { ConnectionRequirement } from "./enumerations.ts";
import type {
  AutocompleteOption,
  Formula,
  LegacyDefaultMetadataReturnType,
  MetadataContext,
  MetadataFormula,
  MetadataFunction,
  Parameter,
} from "./formula.ts";
import type { ExecutionContext, PropertyOptionsExecutionContext, PropertyOptionsMetadataFunction, Schema } from "./schema.ts";
import type { Untyped } from "./untyped.ts";

/** Accepted for compatibility with existing Packs. */
export interface PropertyOptionsMetadataFormula extends Formula {
  execute(args: readonly unknown[], context: ExecutionContext): Promise<unknown>;
}

/** A parameter that `validateParameters` rejects, and why. */
export interface ParameterValidationDetail {
  readonly message: string;
  readonly parameterName: string;
}
/** The arguments can be used. */
export interface ValidParameterValidationResult {
  readonly isValid: true;
}
/** The arguments cannot be used, and why. */
export interface InvalidParameterValidationResult {
  readonly isValid: false;
  readonly message: string;
  readonly errors?: readonly ParameterValidationDetail[] | undefined;
}
/** Whether the arguments can be used. */
export type ParameterValidationResult = ValidParameterValidationResult | InvalidParameterValidationResult;

const METADATA_PARAMETERS: readonly Parameter[] = [
  { type: "string", name: "search", description: "What the user typed.", optional: true },
  { type: "string", name: "formulaContext", description: "The values of the other parameters, as JSON text.", optional: true },
];

/**
 * Wraps a metadata function as a formula. Wherever the formula is accepted, the plain function is too.
 * @param options `connectionRequirement`: whether the function needs an account; `optional` by default
 */
export function makeMetadataFormula<Context extends ExecutionContext = ExecutionContext, Result = LegacyDefaultMetadataReturnType>(
  run: MetadataFunction<Context, Result>,
  { connectionRequirement = "optional" }: { connectionRequirement?: ConnectionRequirement | undefined } = {},
): MetadataFormula<Result> {
  return {
    name: "getMetadata",
    description: "Answers a question about the Pack.",
    parameters: METADATA_PARAMETERS,
    examples: [],
    resultType: "object",
    connectionRequirement,
    async execute([search, formulaContext], context) {
      return await run(context as Context, typeof search === "string" ? search : "", parseContext(formulaContext));
    },
  };
}

function parseContext(text: unknown): MetadataContext {
  try {
    const parsed: unknown = JSON.parse(String(text));
    return typeof parsed === "object" && parsed !== null ? (parsed as MetadataContext) : {};
  } catch {
    return {};
  }
}

/** Accepted for compatibility with existing Packs. */
export function makePropertyOptionsFormula({
  execute,
  schema,
  name,
}: {
  execute: PropertyOptionsMetadataFunction<readonly never[]> | PropertyOptionsMetadataFunction;
  schema: Schema;
  name: string;
}): PropertyOptionsMetadataFormula {
  return {
    name,
    description: "Lists the values that a property can have.",
    parameters: [],
    examples: [],
    resultType: "array",
    items: schema,
    connectionRequirement: "optional",
    cacheTtlSecs: 0,
    execute: async (_args, context) => await execute(context as PropertyOptionsExecutionContext),
  };
}

/** A choice: the text that users see, and the value that the formula receives. */
export type AutocompleteResult<Value = string | number> = { readonly display: string; readonly value: Value };

/**
 * Finds the options whose text contains what the user typed, ignoring case.
 * @param search what the user typed; empty text finds all options
 * @param options a text or a number is shown as it is
 */
export async function simpleAutocomplete(
  search: string | undefined,
  options: readonly AutocompleteOption[],
): Promise<AutocompleteResult[]> {
  const choices = options.map((option) => (typeof option === "object" ? option : { display: String(option), value: option }));
  return matching(search ?? "", choices);
}

/**
 * Finds the objects whose member `displayKey` contains what the user typed, ignoring case.
 * @throws {TypeError} when `search` is not text
 */
export async function autocompleteSearchObjects<
  Item extends object = Record<string, Untyped>,
  Display extends keyof Item = keyof Item,
  Key extends keyof Item = keyof Item,
>(search: string, objects: readonly Item[], displayKey: Display, valueKey: Key): Promise<AutocompleteResult<Item[Key]>[]> {
  if (typeof search !== "string") throw new TypeError("search must be text.");
  const choices = objects.map((item) => ({ display: String(item[displayKey]), value: item[valueKey] }));
  return matching(search, choices);
}

function matching<Value>(search: string, choices: readonly AutocompleteResult<Value>[]): AutocompleteResult<Value>[] {
  const sought = search.toLowerCase();
  return choices.filter(({ display }) => display.toLowerCase().includes(sought)).map(({ display, value }) => ({ display, value }));
}

/** Accepted for compatibility with existing Packs. Pass the options to `autocomplete` instead. */
export function makeSimpleAutocompleteMetadataFormula(options: readonly AutocompleteOption[]): MetadataFormula {
  return makeMetadataFormula((_context, search) => simpleAutocomplete(search, options), { connectionRequirement: "none" });
}
