import type { ExecutionContext } from "../context.ts";
import { isMembers, listOf, type Members } from "./members.ts";
import { normalizeSchema } from "./normalize-schema.ts";
import { keepWritten, writtenOf } from "./written.ts";

type MetadataFunction = (context: ExecutionContext, search: string, formulaContext: unknown) => unknown;

const PARAMETERS = [
  { name: "search", description: "Metadata to search for." },
  { name: "formulaContext", description: "Serialized JSON for metadata." },
].map((parameter) =>
  Object.freeze({ ...parameter, optional: true, allowManualInput: true, autocomplete: undefined, type: 0, crawlStrategy: undefined }),
);

/**
 * The compiled form of a metadata function: a formula that takes what the user typed and the values of the other parameters as
 * JSON text. Text that is not JSON counts as no values.
 */
export function compileMetadataFunction(run: MetadataFunction, connectionRequirement: unknown = "optional"): Members {
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
      return run(context, search, values);
    },
    parameters: PARAMETERS,
    examples: [],
    connectionRequirement,
    resultType: 2,
    schema: undefined,
    validateParameters: undefined,
  };
}

/** Compiles a metadata function; a formula, or anything else, stays as it is. */
export function compileMetadata(metadata: unknown): unknown {
  return typeof metadata === "function" ? keepWritten(compileMetadataFunction(metadata as MetadataFunction), metadata) : metadata;
}

/** The formula that lists the options of a property. */
export function compilePropertyOptions(run: unknown, name: string, schema: unknown): Members {
  return {
    connectionRequirement: "optional",
    execute: async (_: unknown, context: ExecutionContext) => (run as (context: ExecutionContext) => unknown)(context),
    name,
    description: `A property options function for ${name}`,
    parameters: [],
    validateParameters: undefined,
    resultType: 2,
    schema: normalizeSchema({ type: "array", items: schema }),
  };
}

/** Makes `getSchema` always give the schema of an array, as the service expects it. */
export function asArraySchema(getSchema: unknown): unknown {
  if (!isMembers(getSchema) || typeof getSchema["execute"] !== "function") return getSchema;
  const execute = getSchema["execute"] as (args: unknown, context: unknown) => unknown;
  const wrap = (schema: unknown): unknown => (isMembers(schema) && schema["type"] === "array" ? schema : { type: "array", items: schema });
  return keepWritten(
    {
      ...getSchema,
      execute(args: unknown, context: unknown) {
        const schema = execute(args, context);
        return schema instanceof Promise ? schema.then(wrap) : wrap(schema);
      },
    },
    writtenOf(getSchema),
  );
}

/** Writes a connection requirement onto a formula and onto the choices of its parameters. Without one nothing changes. */
export function withRequirement(formula: unknown, connectionRequirement: unknown): unknown {
  if (!isMembers(formula) || !connectionRequirement) return formula;
  const parameters = (list: unknown): unknown[] =>
    listOf(list).map((parameter) =>
      isMembers(parameter)
        ? keepWritten(
            { ...parameter, autocomplete: withRequirement(parameter["autocomplete"], connectionRequirement) },
            writtenOf(parameter),
          )
        : parameter,
    );
  const written = writtenOf(formula);
  return keepWritten(
    {
      ...formula,
      parameters: parameters(formula["parameters"]),
      varargParameters: formula["varargParameters"] && parameters(formula["varargParameters"]),
      connectionRequirement,
    },
    // What the author wrote for a metadata formula, a function or a list of choices, has no requirement.
    isMembers(written) ? { ...written, connectionRequirement } : written,
  );
}
