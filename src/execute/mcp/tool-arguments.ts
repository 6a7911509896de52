import { PackError } from "../../errors.ts";
import { isRecord, toMembers } from "../../shared/values.ts";
import type { FormulaArguments } from "../arguments/arguments.ts";
import type { McpTool } from "./mcp-client.ts";

/**
 * The arguments of a tool: a JSON object, and single ones by name. A text becomes what the tool's
 * schema says: a number, a boolean,
 * a list or an object. The server checks them.
 * @throws {PackError} ARGUMENT_TYPE, ARGUMENT_COUNT
 */
export function readToolArguments(
  { name, inputSchema }: McpTool,
  args: FormulaArguments,
): Record<string, unknown> {
  const given: readonly unknown[] = "text" in args ? args.text : args;
  if (given.length > 1) {
    throw new PackError(
      "ARGUMENT_COUNT",
      `The tool ${name} takes one JSON object, but there are ${given.length} arguments.`,
      {
        details: { expected: "1", received: given.length },
        hint: `Write one object such as '{"name":"value"}', or pass --arg name=value for each argument.`,
      },
    );
  }
  const properties = toMembers(inputSchema?.["properties"]);
  const named = "text" in args ? Object.entries(args.named ?? {}) : [];
  return {
    ...readObject(given[0]),
    ...Object.fromEntries(
      named.map(([key, text]) => [key, readArgument(key, text, properties[key])]),
    ),
  };
}

function readObject(argument: unknown): Record<string, unknown> {
  if (argument === undefined || argument === "") return {};
  const value = typeof argument === "string" ? parseJson(argument) : argument;
  if (isRecord(value)) return value;
  throw createTypeError("arguments", 'a JSON object such as {"name":"value"}');
}

function readArgument(name: string, text: unknown, schema: unknown): unknown {
  const { type } = toMembers(schema);
  if (typeof text !== "string" || type === undefined || type === "string") return text;
  const value = parseJson(text);
  if (value === undefined)
    throw createTypeError(name, typeof type === "string" ? `JSON of the type ${type}` : "JSON");
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createTypeError(parameter: string, expected: string): PackError<"ARGUMENT_TYPE"> {
  return new PackError("ARGUMENT_TYPE", `The argument ${parameter} must be ${expected}.`, {
    details: { parameter, expected },
    hint: "Put single quotes around the JSON, so that your shell does not change it.",
  });
}
