import type { Formula } from "../define/formula.ts";
import { PackError } from "../errors.ts";
import { problemOfHint } from "./result-hints.ts";
import type { ResultSchema } from "./result-schema.ts";

const TYPE_NUMBERS = ["string", "number", "object", "boolean"];

/**
 * Checks what a formula returned against its result type and schema, falsy values included, and normalises it: a
 * `Date` becomes ISO text, or seconds since 1970 where the schema is a number. `null` stays `null`. The members of an
 * object keep the names under which the formula returned them (`fromKey`, not the display name), and members that the
 * schema does not name stay too: the author sees what the formula gave.
 * @throws {PackError} RESULT_INVALID with the path of the first value that does not fit
 */
export function normalizeResult(formula: Pick<Formula, "name" | "resultType" | "schema" | "items">, value: unknown): unknown {
  if (value === undefined) throw invalid("result", `${formula.name} returned nothing`, "Return a value, or null for a blank one.");
  return normalize(value, schemaOf(formula), "result");
}

/**
 * The same for a row of a sync table.
 * @param schema of one row
 * @param options.isPartial whether members may be missing that the schema requires, as in the answer to an update
 * @throws {PackError} RESULT_INVALID
 */
export function normalizeRow(value: unknown, schema: unknown, path: string, { isPartial = false }: { isPartial?: boolean } = {}): unknown {
  if (value === undefined) throw invalid(path, `${path} is undefined`, "Return an object for every row.");
  return normalize(value, isObject(schema) ? { type: "object", ...schema } : undefined, path, isPartial);
}

/** @returns the schema that a formula's result has, from whichever members declare it. */
function schemaOf({ resultType, schema, items }: Pick<Formula, "resultType" | "schema" | "items">): ResultSchema {
  const declared = isObject(schema) ? (schema as ResultSchema) : undefined;
  const type = typeName(resultType);
  if (type === "array" && declared?.type !== "array")
    return { type, items: (isObject(items) ? items : declared) as ResultSchema | undefined };
  return { ...declared, type: declared?.type ?? type };
}

function typeName(resultType: unknown): unknown {
  if (typeof resultType === "number") return TYPE_NUMBERS[resultType];
  return isObject(resultType) ? (resultType as { type?: unknown }).type : resultType;
}

function normalize(value: unknown, schema: ResultSchema | undefined, path: string, isPartial = false): unknown {
  if (value === null || schema === undefined) return value;
  switch (schema.type) {
    case "string":
    case "number":
      return scalar(value, schema, schema.type, path);
    case "boolean":
      if (typeof value !== "boolean") throw wrongType(path, "a boolean", value);
      return value;
    case "array":
      if (!Array.isArray(value)) throw wrongType(path, "an array", value);
      return value.map((item, index) => (item === undefined ? null : normalize(item, schema.items, `${path}[${index}]`)));
    case "object":
      return object(value, schema, path, isPartial);
    default:
      return value;
  }
}

function scalar(value: unknown, schema: ResultSchema, type: "string" | "number", path: string): unknown {
  const normalized = withoutDate(value, schema, type, path);
  // A string that is a date may be given as a number too: seconds since 1970.
  const isDateNumber = type === "string" && isDateHint(schema.codaType) && typeof normalized === "number";
  if (typeof normalized !== (isDateNumber ? "number" : type)) throw wrongType(path, `a ${type}`, value);
  if (typeof normalized === "number" && !Number.isFinite(normalized))
    throw invalid(path, `${path} is ${normalized}`, "Return a finite number, or null.");
  const problem = problemOfHint(normalized as string | number, schema);
  if (problem !== undefined)
    throw invalid(path, `${path} ${problem}`, `Its value hint is ${String(schema.codaType)}; return a value of that kind.`);
  return normalized;
}

function withoutDate(value: unknown, schema: ResultSchema, type: "string" | "number", path: string): unknown {
  if (!(value instanceof Date)) return value;
  if (!isDateHint(schema.codaType)) throw wrongType(path, `a ${type}`, value);
  if (Number.isNaN(value.getTime())) throw invalid(path, `${path} is an invalid date`, "Check how the date is made.");
  return type === "number" ? value.getTime() / 1000 : value.toISOString();
}

function isDateHint(hint: unknown): boolean {
  return hint === "date" || hint === "datetime" || hint === "time";
}

function object(value: unknown, schema: ResultSchema, path: string, isPartial: boolean): unknown {
  if (!isObject(value) || Array.isArray(value) || value instanceof Date || value instanceof Uint8Array)
    throw wrongType(path, "an object", value);
  const members = new Map(Object.entries(value as Record<string, unknown>));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const key = sourceKey(name, property);
    const member = members.get(key);
    const memberPath = `${path}.${key}`;
    if (member === undefined || member === null) {
      if (property.required === true && !isPartial)
        throw invalid(memberPath, `${memberPath} is missing, and the schema requires it`, "Return it, or drop `required`.");
      continue;
    }
    members.set(key, normalize(member, property, memberPath));
  }
  checkId(members, schema, path);
  return Object.fromEntries(members);
}

function checkId(members: ReadonlyMap<string, unknown>, schema: ResultSchema, path: string): void {
  const id = schema.idProperty ?? schema.id;
  const name = isObject(id) ? (id as { property?: unknown }).property : id;
  if (typeof name !== "string") return;
  const property = schema.properties?.[name];
  const key = sourceKey(name, property);
  const value = members.get(key);
  if (value === "") throw invalid(`${path}.${key}`, `${path}.${key} is the id and is empty`, "Give every object an id.");
  if (schema.codaType === "person" && typeof value === "string") {
    const problem = problemOfHint(value, { codaType: "email" });
    if (problem !== undefined) throw invalid(`${path}.${key}`, `${path}.${key} ${problem}`, "A person's id is an e-mail address.");
  }
}

function sourceKey(name: string, property: ResultSchema | undefined): string {
  for (const key of [property?.fromKey, property?.originalKey]) if (typeof key === "string") return key;
  return name;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function wrongType(path: string, expected: string, value: unknown): PackError<"RESULT_INVALID"> {
  const kind =
    value === undefined ? "undefined" : Array.isArray(value) ? "an array" : value instanceof Date ? "a Date" : `a ${typeof value}`;
  return invalid(
    path,
    `${path} must be ${expected}, not ${kind.replace("a object", "an object")}`,
    "Return what the schema says, or change the schema.",
  );
}

function invalid(path: string, message: string, hint: string): PackError<"RESULT_INVALID"> {
  return new PackError("RESULT_INVALID", `${message}.`, { details: { path }, hint });
}
