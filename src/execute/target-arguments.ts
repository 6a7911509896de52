import { PackError } from "../errors.ts";
import type { FormulaArguments } from "./arguments.ts";

/** Splits the JSON argument off that follows the parameters of an update or a permissions request. */
export function lastArgument(args: FormulaArguments, name: string, example: string): { args: FormulaArguments; last: unknown } {
  const given: readonly unknown[] = "text" in args ? args.text : args;
  if (given.length === 0) throw wrong(name, `JSON such as ${example}`);
  const last = given.at(-1);
  const rest = given.slice(0, -1);
  if (!("text" in args)) return { args: rest, last };
  return { args: { ...args, text: rest as string[] }, last: parsed(String(last), name) };
}

/** The text at a place; what is no text there is written as such. */
export function textArgument(args: FormulaArguments, index: number): string | undefined {
  const value: unknown = "text" in args ? args.text[index] : args[index];
  return value === undefined || value === null ? undefined : String(value);
}

/** What the user typed: the first argument, unless that is the object of values already. */
export function searchArgument(args: FormulaArguments): string {
  return valuesIndex(args) === 0 ? "" : (textArgument(args, 0) ?? "");
}

/** The values of the other parameters: a JSON object as the second argument, or as the only one. */
export function valuesArgument(args: FormulaArguments): Record<string, unknown> {
  const index = valuesIndex(args);
  const value: unknown = "text" in args ? args.text[index] : args[index];
  const values = typeof value === "string" ? (value === "" ? {} : parsed(value, "parameters")) : value;
  if (values === undefined || values === null) return {};
  if (typeof values === "object" && !Array.isArray(values)) return values as Record<string, unknown>;
  throw wrong("parameters", 'a JSON object such as {"name":"value"}');
}

function valuesIndex(args: FormulaArguments): 0 | 1 {
  const first: unknown = "text" in args ? args.text[0] : args[0];
  const second: unknown = "text" in args ? args.text[1] : args[1];
  const isObject = typeof first === "object" || (typeof first === "string" && /^\s*\{[\s\S]*\}\s*$/.test(first));
  return second === undefined && first !== null && isObject ? 0 : 1;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(name, "valid JSON");
  }
}

function wrong(parameter: string, expected: string): PackError {
  return new PackError("ARGUMENT_TYPE", `The argument ${parameter} must be ${expected}.`, {
    details: { parameter, expected },
    hint: "Put it in single quotes for the shell.",
  });
}
