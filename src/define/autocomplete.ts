import type { AutocompleteOption, MetadataFormula } from "./formula.ts";
import { makeMetadataFormula } from "./metadata.ts";
import type { Untyped } from "./untyped.ts";

/** A choice with the text that users see and the value that the formula receives. */
export type AutocompleteResult<Value = string | number> = { readonly display: string; readonly value: Value };

/**
 * Finds the options whose text holds what the user typed, in either case.
 * @param search what the user typed; the empty text finds all
 * @param options texts and numbers show themselves
 */
export async function simpleAutocomplete(
  search: string | undefined,
  options: readonly AutocompleteOption[],
): Promise<AutocompleteResult[]> {
  const choices = options.map((option) => (typeof option === "object" ? option : { display: String(option), value: option }));
  return matching(search ?? "", choices);
}

/**
 * Finds the objects whose member `displayKey` holds what the user typed, in either case.
 * @throws {TypeError} when `search` is no text
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

/** Accepted from older Packs: give the options to `autocomplete` itself. */
export function makeSimpleAutocompleteMetadataFormula(options: readonly AutocompleteOption[]): MetadataFormula {
  return makeMetadataFormula((_context, search) => simpleAutocomplete(search, options), { connectionRequirement: "none" });
}
