import { restoreType } from "../../define/definition-form.ts";
import { isPackError } from "../../errors.ts";
import {
  type DeclaredParameter,
  type DeclaredParameters,
  prepareArguments,
} from "../../execute/arguments/arguments.ts";
import { problemOfHint, type ResultSchema } from "../../execute/results/result-hints.ts";
import { isRecord } from "../../shared/values.ts";
import { ParameterException, ResultValidationException } from "./exceptions.ts";

/**
 * Checks arguments. Suites for `@codahq/packs-sdk` pass `null` for what is left out.
 * @throws {ParameterException}
 */
export function assertArguments(
  { parameters = [], varargParameters = [] }: DeclaredParameters,
  params: readonly unknown[],
): void {
  const restored = (each: DeclaredParameter): DeclaredParameter => ({
    ...each,
    type: restoreType(each.type),
  });
  const declared = {
    parameters: parameters.map(restored),
    varargParameters: varargParameters.map(restored),
  };
  try {
    prepareArguments(
      declared,
      params.map((value) => value ?? undefined),
    );
  } catch (error) {
    throw isPackError(error) ? new ParameterException(error.message, { cause: error }) : error;
  }
}

interface Found {
  message: string;
  path: string;
}

/**
 * Checks a result as suites for `@codahq/packs-sdk` expect: the type of the result, and of the
 * members that have a value.
 * @param value with the names of the compiled schema
 * @param type of the result, when there is no schema
 * @throws {ResultValidationException}
 */
export function assertResult(
  name: string,
  value: unknown,
  schema: unknown,
  type?: "string" | "number" | "boolean",
): void {
  const isStructure =
    isRecord(schema) && (schema["type"] === "array" || schema["type"] === "object");
  // A value hint of a formula's own text or number is not checked there.
  const errors = isStructure
    ? problemsOf(value, schema as ResultSchema, "result")
    : problemsOf(value, { type }, "result");
  const [first] = errors;
  if (first !== undefined) throw new ResultValidationException(`${name}: ${first.message}`, errors);
}

function problemsOf(value: unknown, schema: ResultSchema, path: string): Found[] {
  const problem = (words: string): Found[] => [{ message: `${path} ${words}.`, path }];
  const { type, codaType } = schema;
  if (type === "array") {
    if (!Array.isArray(value)) return problem("is not a list");
    return value.flatMap((item, index) =>
      problemsOf(item, schema.items ?? {}, `${path}[${index}]`),
    );
  }
  if (type === "object")
    return typeof value === "object" && value !== null
      ? objectProblems(value, schema, path)
      : problem("is not an object");
  const isDate = value instanceof Date && (codaType === "date" || codaType === "datetime");
  if (type === undefined) return value === undefined || value === null ? problem("is missing") : [];
  if (typeof value !== type && !isDate) return problem(`is not a ${String(type)}`);
  const hint =
    typeof value === "string" || typeof value === "number"
      ? problemOfHint(value, schema)
      : undefined;
  return hint === undefined ? [] : problem(hint);
}

function objectProblems(value: object, schema: ResultSchema, path: string): Found[] {
  const members = value as Record<string, unknown>;
  const problems = Object.entries(schema.properties ?? {}).flatMap(([name, property]): Found[] => {
    const member = members[name];
    const at = `${path}.${name}`;
    if (property.required === true && (member === undefined || member === null))
      return [{ message: `${at} is required.`, path: at }];
    // An empty text, zero and false count as no value.
    return member ? problemsOf(member, property, at) : [];
  });
  const id = schema.idProperty ?? schema.id;
  if (typeof id !== "string" || !(id in members) || members[id] || members[id] === 0)
    return problems;
  return [
    ...problems,
    { message: `${path}.${id} is the id, and it is empty.`, path: `${path}.${id}` },
  ];
}
