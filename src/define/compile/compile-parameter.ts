import { simpleAutocomplete } from "../metadata.ts";
import { normalizePropertyName } from "../property-name.ts";
import { convertParts, isRecord, type Members } from "./members.ts";
import { compileMetadata } from "./metadata-formula.ts";
import { keepWritten } from "./written.ts";

/** The types of values, each at the place that is its number. */
export const TYPES: readonly string[] = [
  "string",
  "number",
  "object",
  "boolean",
  "date",
  "html",
  "image",
  "file",
  "markdown",
  "email",
];

/**
 * `string` → 0, `stringArray` → `{ type: "array", items: 0 }`; `sparseStringArray` may have gaps.
 * Other values stay.
 */
function compileType(type: unknown): unknown {
  const [, sparse, word = "", list] = /^(sparse)?(.*?)(Array)?$/.exec(String(type)) ?? [];
  const items = TYPES.indexOf(word.toLowerCase());
  if (typeof type !== "string" || items < 0) return type;
  return list ? { type: "array", items, ...(sparse && { allowEmpty: true }) } : items;
}

/** The compiled form of a parameter. It is frozen. */
export function compileParameter(definition: object): object {
  const written = definition as Members;
  const { autocomplete, crawlStrategy } = written;
  const choices = Array.isArray(autocomplete)
    ? (_context: unknown, search: string) =>
        simpleAutocomplete(search, autocomplete as Parameters<typeof simpleAutocomplete>[1])
    : autocomplete;
  const table = isRecord(crawlStrategy) && crawlStrategy["parentTable"];
  return Object.freeze(
    keepWritten(
      {
        ...written,
        type: compileType(written["type"]),
        allowManualInput: written["allowManualInput"] !== false,
        autocomplete: compileMetadata(choices),
        crawlStrategy: isRecord(table)
          ? {
              parentTable: {
                ...table,
                propertyKey: normalizePropertyName(String(table["propertyKey"])),
              },
            }
          : crawlStrategy,
      },
      written,
    ),
  );
}

/** Compiles the parameters that were written as plain objects, without `makeParameter`. */
export function compileParameters(parameters: unknown): unknown {
  return convertParts(parameters, (each) =>
    typeof each["type"] === "string" ? compileParameter(each) : each,
  );
}

/**
 * The compiled form of a parameter of a legacy factory: it does not say whether users may enter
 * values.
 */
export function compileLegacyParameter(definition: object): object {
  const written = definition as Members;
  const { allowManualInput: _, crawlStrategy: __, ...rest } = compileParameter(written) as Members;
  const given =
    "allowManualInput" in written ? { allowManualInput: written["allowManualInput"] } : {};
  return Object.freeze(keepWritten({ ...rest, ...given }, written));
}
