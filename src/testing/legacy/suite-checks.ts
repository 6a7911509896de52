import { isEmail, problemOfHint, type ResultSchema } from "../../execute/results/result-hints.ts";
import { isRecord } from "../../shared/values.ts";
import { ParameterException, ResultValidationException } from "./exceptions.ts";

/** What the checks read of a formula or of the formula of a table. */
export interface CheckedFormula {
  readonly name: string;
  readonly parameters?: readonly { name: string; optional?: boolean | undefined }[] | undefined;
  readonly varargParameters?: readonly unknown[] | undefined;
  readonly resultType?: unknown;
  readonly schema?: unknown;
}

/**
 * Checks arguments as suites for `@codahq/packs-sdk` expect: their number, and that those that are
 * not optional have a value. Their types are not checked.
 * @throws {ParameterException}
 */
export function assertArguments(
  { parameters = [], varargParameters }: CheckedFormula,
  params: readonly unknown[],
): void {
  const required = parameters.filter(({ optional }) => optional !== true);
  if (params.length < required.length)
    throw new ParameterException(
      `The formula needs at least ${required.length} arguments, not ${params.length}.`,
    );
  if (params.length > parameters.length && !varargParameters)
    throw new ParameterException(
      `The formula takes ${parameters.length} arguments, not ${params.length}.`,
    );
  const missing = parameters.filter(
    ({ optional }, index) => optional !== true && isMissing(params[index]),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  throw new ParameterException(`These arguments are required and have no value: ${names}.`);
}

interface Found {
  message: string;
  path: string;
}

/**
 * Checks a result as suites for `@codahq/packs-sdk` expect: the type of the result, and of the
 * members that have a value.
 * @param value with the names of the compiled schema
 * @throws {ResultValidationException} with all problems
 */
export function assertResult({ name, resultType, schema }: CheckedFormula, value: unknown): void {
  const type = RESULT_TYPES[String(resultType)] ?? "object";
  const isFine = type === "date" ? value instanceof Date : typeof value === type;
  if (isMissing(value) || !isFine) throw fail(name, describe("result", `is not a ${type}`));
  if (type !== "object" || !isRecord(schema)) return;
  const part = schema as ResultSchema;
  const problems =
    part.type === "object"
      ? checkObject(value as object, part, "result")
      : check(value, part, "result");
  if (problems.length > 0) throw fail(name, problems);
}

function fail(name: string, problems: Found[]): ResultValidationException {
  const messages = problems.map(({ message }) => message).join("\n");
  return new ResultValidationException(`${name}: ${messages}`, problems);
}

/** The types of results, by their number and by their name. All others are objects. */
const RESULT_TYPES: Readonly<Record<string, "string" | "number" | "boolean" | "date">> = {
  0: "string",
  1: "number",
  3: "boolean",
  4: "date",
  5: "string",
  6: "string",
  7: "string",
  8: "string",
  9: "string",
  string: "string",
  number: "number",
  boolean: "boolean",
};

/** Whether results of this type are not lists or objects. */
export function isScalar(resultType: unknown): boolean {
  return Object.hasOwn(RESULT_TYPES, String(resultType));
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function describe(path: string, words: string): Found[] {
  return [{ message: `${path} ${words}.`, path }];
}

function check(value: unknown, schema: ResultSchema, path: string): Found[] {
  const { type, codaType } = schema;
  if (type === "array") {
    if (!Array.isArray(value)) return describe(path, "is not a list");
    return value.flatMap((item, index) => check(item, schema.items ?? {}, `${path}[${index}]`));
  }
  if (type === "object") {
    if (typeof value !== "object") return describe(path, "is not an object");
    if (codaType === "person") return checkPerson(value, schema, path);
    return value === null
      ? describe(path, "is null in a list of lists")
      : checkObject(value, schema, path);
  }
  // Accepted only here, as in a run: the document shows it as a date.
  if (value instanceof Date && (codaType === "date" || codaType === "datetime")) return [];
  if (type === undefined) return [];
  if (typeof value !== type) return describe(path, `is not a ${String(type)}`);
  const hint =
    typeof value === "string" || typeof value === "number"
      ? problemOfHint(value, schema)
      : undefined;
  return hint === undefined ? [] : describe(path, hint);
}

function checkPerson(value: object | null, schema: ResultSchema, path: string): Found[] {
  const id = schema.idProperty ?? schema.id;
  const members = (value ?? {}) as Record<string, unknown>;
  const mail = typeof id === "string" ? members[id] : undefined;
  return mail && isEmail(String(mail)) ? [] : describe(`${path}.${String(id)}`, "is not an e-mail");
}

function checkObject(value: object, schema: ResultSchema, path: string): Found[] {
  const members = value as Record<string, unknown>;
  const problems = Object.entries(schema.properties ?? {}).flatMap(([name, property]): Found[] => {
    const member = members[name];
    const at = `${path}.${name}`;
    if (property.required === true && isMissing(member)) return describe(at, "is required");
    // An empty text, zero and false count as no value.
    return member ? check(member, property, at) : [];
  });
  const id = schema.idProperty ?? schema.id;
  if (typeof id !== "string" || !(id in members) || members[id] || members[id] === 0)
    return problems;
  return [...problems, ...describe(`${path}.${id}`, "is the id, and it is empty")];
}
