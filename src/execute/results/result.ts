import type { Formula } from "../../define/formula.ts";
import { PackError } from "../../errors.ts";
import type { ResultSchema } from "./result-hints.ts";
import { problemOfHint } from "./result-hints.ts";
import { type PlannedMember, planResult } from "./result-plan.ts";

const TYPE_NUMBERS = ["string", "number", "object", "boolean"];

/**
 * Checks the result of a formula against its result type and schema, and normalises it: a `Date`
 * becomes ISO text, or seconds
 * since 1970 where the schema is a number. `null` stays `null`. Members keep the names that the
 * formula returned (`fromKey`),
 * and members that are not in the schema are kept too, so that the author sees the complete result.
 * What is in the place of an object becomes an empty object where the platform makes one of it.
 * @param warn receives a sentence about the first value that became an empty object
 * @throws {PackError} RESULT_INVALID with the path of the first invalid value
 */
export function normalizeResult(
  formula: Pick<Formula, "name" | "schema" | "items"> & { readonly resultType: unknown },
  value: unknown,
  warn?: Warn,
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
  const check = createCheck();
  const result = normalizeAt("result", value, isScalar(schema) ? own : schema, check);
  reportEmptied(check, "result", warn);
  return result;
}

/** Receives a complete sentence. */
export type Warn = (message: string) => void;

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
  const row = isObject(schema) ? rowSchema(schema) : undefined;
  return normalizeAt(path, value, row, { ...createCheck(), isPartial });
}

/**
 * The same for the rows of a page.
 * @param path of the array
 * @param warn receives a sentence about the first row, or value in a row, that became an empty
 *   object
 * @throws {PackError} RESULT_INVALID
 */
export function normalizeRows(
  values: readonly unknown[],
  schema: unknown,
  path: string,
  warn?: Warn,
): unknown[] {
  const row = isObject(schema) ? rowSchema(schema) : undefined;
  const check = createCheck();
  const rows = values.map((value, index) => {
    if (value === undefined) return normalizeRow(value, schema, `${path}[${index}]`);
    const known = check.emptied.first;
    try {
      return normalizeItem(value, row, check);
    } catch (error) {
      throw error instanceof Problem ? invalidResult(error, `${path}[${index}]`) : error;
    } finally {
      locateEmptied(check, known, `[${index}]`);
    }
  });
  reportEmptied(check, path, warn);
  return rows;
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
  check: Check,
): unknown {
  try {
    return normalize(value, schema, check);
  } catch (error) {
    throw error instanceof Problem ? invalidResult(error, path) : error;
  }
}

/** What applies to the part of a result that is being checked, and what was found until then. */
interface Check {
  /** Whether required members of the object may be missing. */
  isPartial: boolean;
  /**
   * Inside a list of lists. There the platform looks for members by the names of the schema only,
   * and makes no objects of text.
   */
  isInLists: boolean;
  /** Shared by all parts. */
  emptied: { first: EmptiedValue | undefined };
}

/** A value that became an empty object. */
interface EmptiedValue {
  path: string;
  kind: string;
}

function createCheck(): Check {
  return { isPartial: false, isInLists: false, emptied: { first: undefined } };
}

/** Adds the segment to the path of a value that was found after `known`. */
function locateEmptied(check: Check, known: EmptiedValue | undefined, segment: string): void {
  const { first } = check.emptied;
  if (first !== undefined && first !== known) first.path = segment + first.path;
}

function reportEmptied({ emptied }: Check, root: string, warn: Warn | undefined): void {
  if (emptied.first === undefined) return;
  const { path, kind } = emptied.first;
  warn?.(`${root}${path} must be an object, not ${kind}. It becomes an empty object.`);
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

function normalize(value: unknown, schema: ResultSchema | undefined, check: Check): unknown {
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
      return array(value, schema.items, check);
    case "object":
      return object(value, schema, check);
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
function array(items: readonly unknown[], schema: ResultSchema | undefined, check: Check): unknown {
  const inner = schema?.type === "array" ? { ...check, isInLists: true } : check;
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const known = check.emptied.first;
    let normalized: unknown;
    try {
      normalized = item === undefined ? null : normalizeItem(item, schema, inner);
    } catch (error) {
      throw inside(error, `[${index}]`);
    }
    if (Object.is(normalized, item)) continue;
    locateEmptied(check, known, `[${index}]`);
    copy ??= items.slice();
    copy[index] = normalized;
  }
  return copy ?? items;
}

/** The platform takes the members of anything in a list of objects, and text has none. */
function normalizeItem(item: unknown, schema: ResultSchema | undefined, check: Check): unknown {
  return schema?.type === "object" && typeof item !== "object" && !check.isInLists
    ? emptyObject(item, schema, check)
    : normalize(item, schema, check);
}

function emptyObject(value: unknown, schema: ResultSchema, check: Check): object {
  if (planResult(schema).needsMembers || check.isPartial) throw wrongType("an object", value);
  check.emptied.first ??= { path: "", kind: describeKind(value) };
  return {};
}

function object(value: unknown, schema: ResultSchema, check: Check): unknown {
  if (!isObject(value)) throw wrongType("an object", value);
  if (Array.isArray(value) || value instanceof Date || value instanceof Uint8Array)
    return isOpen(schema, check) ? value : emptyObject(value, schema, check);
  const plan = planResult(schema);
  const inner = check.isPartial ? { ...check, isPartial: false } : check;
  const members = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const planned of plan.members) {
    const { key, property, plainType } = planned;
    const member = planned.isInherited && !Object.hasOwn(members, key) ? undefined : members[key];
    // Most members only need the right type, and have it.
    if (typeof member === plainType && (plainType !== "number" || Number.isFinite(member)))
      continue;
    const known = check.emptied.first;
    try {
      if (member === undefined || member === null) {
        if (!check.isPartial) assertOptional(members, planned);
        continue;
      }
      if (check.isInLists && key !== planned.name) continue;
      if (isUnchecked(member, property)) continue;
      const normalized = normalize(member, property, inner);
      if (Object.is(normalized, member)) continue;
      locateEmptied(check, known, `.${key}`);
      copy ??= { ...members };
      copy[key] = normalized;
    } catch (error) {
      throw inside(error, `.${key}`);
    }
  }
  const result = copy ?? members;
  const { id } = plan;
  if (id !== undefined && (!check.isInLists || id.key === id.name))
    checkId(result[id.key], id.key, schema.codaType);
  return result;
}

/** Without properties, the platform keeps what a formula returned. */
function isOpen(schema: ResultSchema, check: Check): boolean {
  return schema.properties === undefined && !check.isPartial;
}

/**
 * For a member without a value. The platform makes an empty object of a null object, and also takes
 * a member by its name in the schema.
 */
function assertOptional(
  members: Record<string, unknown>,
  { name, key, property, isRequired }: PlannedMember,
): void {
  if (!isRequired) return;
  const byName = Object.hasOwn(members, name) ? members[name] : undefined;
  if (byName !== undefined && byName !== null) return;
  const isNull = Object.hasOwn(members, key) && members[key] === null;
  if (isNull && property.type === "object" && !planResult(property).needsMembers) return;
  throw new Problem(
    (path) => `${path} is missing, and the schema requires it`,
    "Return it, or remove `required` from the schema.",
  );
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

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function wrongType(expected: string, value: unknown): Problem {
  const kind = describeKind(value);
  return new Problem(
    (path) => `${path} must be ${expected}, not ${kind}`,
    "Return what the schema declares, or change the schema.",
  );
}

function describeKind(value: unknown): string {
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date) return "a Date";
  if (value instanceof Uint8Array) return "bytes";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
