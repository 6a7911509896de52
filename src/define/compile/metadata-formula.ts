import type { ExecutionContext } from "../schema.ts";
import { convertPart, type Members } from "./members.ts";
import { normalizeSchema } from "./normalize-schema.ts";

type MetadataFunction = (
  context: ExecutionContext,
  search: string,
  formulaContext: unknown,
) => unknown;

const parameter = (name: string, description: string) =>
  Object.freeze({ name, description, optional: true, allowManualInput: true, type: 0 });

/**
 * The compiled form of a metadata function: a formula that takes what the user typed and the values
 * of the other parameters as
 * JSON text. Text that is not JSON counts as no values. Anything that is not a function is returned
 * as it is.
 */
export function compileMetadata(
  run: unknown,
  connectionRequirement: unknown = "optional",
): unknown {
  if (typeof run !== "function") return run;
  return {
    name: "getMetadata",
    description: "Gets metadata",
    execute([search, formulaContext]: readonly [string, string?], context: ExecutionContext) {
      let values: unknown = {};
      try {
        values = JSON.parse(formulaContext || "");
      } catch {
        // No values.
      }
      return (run as MetadataFunction)(context, search, values);
    },
    parameters: [
      parameter("search", "Metadata to search for."),
      parameter("formulaContext", "Serialized JSON for metadata."),
    ],
    examples: [],
    connectionRequirement,
    resultType: 2,
  };
}

/** The formula that lists the options of a property. */
export function compilePropertyOptions(run: unknown, name: string, items: unknown): object {
  return {
    connectionRequirement: "optional",
    execute: async (_: unknown, context: ExecutionContext) =>
      (run as (context: ExecutionContext) => unknown)(context),
    name,
    description: `A property options function for ${name}`,
    parameters: [],
    resultType: 2,
    schema: asData({ type: "array", items }),
  };
}

/**
 * Writes a connection requirement onto a formula and onto the choices of its parameters. Without
 * one nothing changes.
 */
export function withRequirement(formula: unknown, connectionRequirement: unknown): unknown {
  if (!connectionRequirement) return formula;
  const compileAutocompletes = (list: unknown): unknown =>
    (list as readonly Members[] | undefined)?.map?.((each) =>
      each?.["autocomplete"]
        ? { ...each, autocomplete: withRequirement(each["autocomplete"], connectionRequirement) }
        : each,
    ) ?? list;
  return convertPart(formula, (members) => ({
    ...members,
    parameters: compileAutocompletes(members["parameters"]),
    varargParameters: compileAutocompletes(members["varargParameters"]),
    connectionRequirement,
  }));
}

/** A schema as the service stores it: its names compiled, and data only, without functions. */
export function asData(schema: unknown): unknown {
  return schema && JSON.parse(JSON.stringify(normalizeSchema(schema)));
}
