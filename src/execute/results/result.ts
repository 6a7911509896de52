import type { Formula } from "../../define/formula.ts";
import { PackError } from "../../errors.ts";
import type { ResultSchema } from "./result-hints.ts";
import { problemOfHint } from "./result-hints.ts";

const TYPE_NUMBERS = ["string", "number", "object", "boolean"];

/**
 * Checks the result of a formula against its result type and schema, and normalises it: a `Date`
 * becomes ISO text, or seconds
 * since 1970 where the schema is a number. `null` stays `null`. Members keep the names that the
 * formula returned (`fromKey`),
 * and members that are not in the schema are kept too, so that the author sees the complete result.
 * @throws {PackError} RESULT_INVALID with the path of the first invalid value
 */
export function normalizeResult(
  formula: Pick<Formula, "name" | "schema" | "items"> & { readonly resultType: unknown },
  value: unknown,
): unknown {
  if (value === undefined) {
    throw invalidResult(
      new Problem(
        () => `${formula.name} returned nothing`,
        "Return a value, or null for a blank one.",
      ),
      "result",
    );
  }
  const schema = schemaOf(formula);
  // The value hint of a formula's own text or number is not checked: a document shows it as it is.
  const own = typeof value === schema.type ? { type: schema.type } : schema;
  return normalizeAt("result", value, isScalar(schema) ? own : schema, false);
}

function isScalar({ type }: ResultSchema): boolean {
  return type === "string" || type === "number";
}

/**
 * The same for a row of a sync table. The value is not changed.
 * @param schema of one row
 * @param options.isPartial whether required members may be missing, as in the result of an update
 * @throws {PackError} RESULT_INVALID
 */
export function normalizeRow(
  value: unknown,
  schema: unknown,
  path: string,
  { isPartial = false }: { isPartial?: boolean } = {},
): unknown {
  if (value === undefined)
    throw invalidResult(
      new Problem((at) => `${at} is undefined`, "Return an object for each row."),
      path,
    );
  return normalizeAt(path, value, isObject(schema) ? rowSchema(schema) : undefined, isPartial);
}

/**
 * The same for the rows of a page.
 * @param path of the array
 * @throws {PackError} RESULT_INVALID
 */
export function normalizeRows(
  values: readonly unknown[],
  schema: unknown,
  path: string,
): unknown[] {
  const row = isObject(schema) ? rowSchema(schema) : undefined;
  return values.map((value, index) => {
    if (value === undefined) return normalizeRow(value, schema, `${path}[${index}]`);
    try {
      return normalize(value, row, false);
    } catch (error) {
      throw error instanceof Problem ? invalidResult(error, `${path}[${index}]`) : error;
    }
  });
}

/**
 * A row is an object even if its schema has no type. Returns the same object for the same schema,
 * so that its plan is reused.
 */
function rowSchema(schema: object): ResultSchema {
  if ("type" in schema) return schema as ResultSchema;
  const known = rowSchemas.get(schema) ?? { ...schema, type: "object" };
  rowSchemas.set(schema, known);
  return known;
}
const rowSchemas = new WeakMap<object, ResultSchema>();

/** @returns the schema of a formula's result, from `resultType`, `schema` and `items` */
function schemaOf({
  resultType,
  schema,
  items,
}: Pick<Formula, "schema" | "items"> & { readonly resultType: unknown }): ResultSchema {
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

function normalizeAt(
  path: string,
  value: unknown,
  schema: ResultSchema | undefined,
  isPartial: boolean,
): unknown {
  try {
    return normalize(value, schema, isPartial);
  } catch (error) {
    throw error instanceof Problem ? invalidResult(error, path) : error;
  }
}

/**
 * A problem with a value. Its path is built while the error propagates, so valid values need no
 * path.
 */
class Problem extends Error {
  path = "";
  readonly say: (path: string) => string;
  readonly hint: string;

  constructor(say: (path: string) => string, hint: string) {
    super();
    this.say = say;
    this.hint = hint;
  }
}

function inside(error: unknown, segment: string): unknown {
  if (error instanceof Problem) error.path = segment + error.path;
  return error;
}

function invalidResult(problem: Problem, root: string): PackError<"RESULT_INVALID"> {
  const path = root + problem.path;
  return new PackError("RESULT_INVALID", `${problem.say(path)}.`, {
    details: { path },
    hint: problem.hint,
  });
}

function normalize(value: unknown, schema: ResultSchema | undefined, isPartial: boolean): unknown {
  if (value === null || schema === undefined) return value;
  switch (schema.type) {
    case "string":
    case "number":
      return scalar(value, schema, schema.type);
    case "boolean":
      if (typeof value !== "boolean") throw wrongType("a boolean", value);
      return value;
    case "array":
      if (!Array.isArray(value)) throw wrongType("an array", value);
      return array(value, schema.items);
    case "object":
      return object(value, schema, isPartial);
    default:
      return value;
  }
}

function scalar(value: unknown, schema: ResultSchema, type: "string" | "number"): unknown {
  const normalized = value instanceof Date ? withoutDate(value, schema, type) : value;
  // A date in a string property may also be a number: seconds since 1970.
  const isDateNumber =
    type === "string" && typeof normalized === "number" && isDateHint(schema.codaType);
  if (typeof normalized !== (isDateNumber ? "number" : type)) throw wrongType(`a ${type}`, value);
  if (typeof normalized === "number" && !Number.isFinite(normalized))
    throw new Problem((path) => `${path} is ${normalized}`, "Return a finite number, or null.");
  if (schema.codaType === undefined) return normalized;
  const problem = problemOfHint(normalized as string | number, schema);
  if (problem !== undefined)
    throw new Problem(
      (path) => `${path} ${problem}`,
      `Its value hint is ${String(schema.codaType)}. Return a value of that kind.`,
    );
  return normalized;
}

function withoutDate(value: Date, schema: ResultSchema, type: "string" | "number"): unknown {
  if (!isDateHint(schema.codaType)) throw wrongType(`a ${type}`, value);
  if (Number.isNaN(value.getTime()))
    throw new Problem((path) => `${path} is an invalid date`, "Check how the date is made.");
  return type === "number" ? value.getTime() / 1000 : value.toISOString();
}

function isDateHint(hint: unknown): boolean {
  return hint === "date" || hint === "datetime" || hint === "time";
}

/** Copies the array only when an element changes: most pages do not. */
function array(items: readonly unknown[], schema: ResultSchema | undefined): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    let normalized: unknown;
    try {
      normalized = item === undefined ? null : normalize(item, schema, false);
    } catch (error) {
      throw inside(error, `[${index}]`);
    }
    if (Object.is(normalized, item)) continue;
    copy ??= items.slice();
    copy[index] = normalized;
  }
  return copy ?? items;
}

function object(value: unknown, schema: ResultSchema, isPartial: boolean): unknown {
  if (
    !isObject(value) ||
    Array.isArray(value) ||
    value instanceof Date ||
    value instanceof Uint8Array
  )
    throw wrongType("an object", value);
  const plan = planOf(schema);
  const members = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const { key, property, isRequired, isInherited, plainType } of plan.members) {
    const member = isInherited && !Object.hasOwn(members, key) ? undefined : members[key];
    // Most members only need the right type, and have it.
    if (typeof member === plainType && (plainType !== "number" || Number.isFinite(member)))
      continue;
    try {
      if (member === undefined || member === null) {
        if (isRequired && !isPartial)
          throw new Problem(
            (path) => `${path} is missing, and the schema requires it`,
            "Return it, or remove `required` from the schema.",
          );
        continue;
      }
      if (isUnchecked(member, property)) continue;
      const normalized = normalize(member, property, false);
      if (Object.is(normalized, member)) continue;
      copy ??= { ...members };
      copy[key] = normalized;
    } catch (error) {
      throw inside(error, `.${key}`);
    }
  }
  const result = copy ?? members;
  if (plan.idKey !== undefined) checkId(result[plan.idKey], plan.idKey, schema.codaType);
  return result;
}

/**
 * What the platform takes of a member without a look at its type: an empty text, zero, false and
 * NaN count as no value, a list or a Date is an object, and a number may be infinite.
 */
function isUnchecked(member: unknown, property: ResultSchema | undefined): boolean {
  if (!member) return true;
  if (property?.type === "object") return Array.isArray(member) || member instanceof Date;
  return (
    property?.type === "number" &&
    (member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY) &&
    problemOfHint(member, property) === undefined
  );
}

function checkId(value: unknown, key: string, codaType: unknown): void {
  if (value === "")
    throw inside(
      new Problem((path) => `${path} is the id and is empty`, "Give each object an id."),
      `.${key}`,
    );
  if (codaType !== "person" || typeof value !== "string") return;
  const problem = problemOfHint(value, { codaType: "email" });
  if (problem !== undefined)
    throw inside(
      new Problem((path) => `${path} ${problem}`, "The ID of a person must be an email address."),
      `.${key}`,
    );
}

/** What of an object schema every object is checked by; found once for each schema. */
interface Plan {
  members: readonly {
    key: string;
    property: ResultSchema;
    isRequired: boolean;
    /** Every object inherits a member of this name, so only an own member counts. */
    isInherited: boolean;
    /** The type of a value that needs no further check; absent when the type is not enough. */
    plainType: string | undefined;
  }[];
  idKey: string | undefined;
}
const plans = new WeakMap<ResultSchema, Plan>();

function planOf(schema: ResultSchema): Plan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const key = sourceKey(name, property);
    return {
      key,
      property,
      isRequired: property?.required === true,
      isInherited: key in Object.prototype,
      plainType: plainTypeOf(property),
    };
  });
  const id = schema.idProperty ?? schema.id;
  const name = isObject(id) ? (id as { property?: unknown }).property : id;
  const plan = {
    members,
    idKey: typeof name === "string" ? sourceKey(name, schema.properties?.[name]) : undefined,
  };
  plans.set(schema, plan);
  return plan;
}

function plainTypeOf(property: ResultSchema | undefined): string | undefined {
  if (property?.type === "boolean") return "boolean";
  return property?.codaType === undefined &&
    (property?.type === "string" || property?.type === "number")
    ? property.type
    : undefined;
}

function sourceKey(name: string, property: ResultSchema | undefined): string {
  for (const key of [property?.fromKey, property?.originalKey])
    if (typeof key === "string") return key;
  return name;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function wrongType(expected: string, value: unknown): Problem {
  const kind =
    value === undefined
      ? "undefined"
      : Array.isArray(value)
        ? "an array"
        : value instanceof Date
          ? "a Date"
          : `a ${typeof value}`;
  return new Problem(
    (path) => `${path} must be ${expected}, not ${kind.replace("a object", "an object")}`,
    "Return what the schema declares, or change the schema.",
  );
}
