import type { Formula } from "../../define/formula.ts";
import type { ResultSchema } from "./result-hints.ts";
import { isEmail, problemOfHint } from "./result-hints.ts";
import { type PlannedMember, planResult } from "./result-plan.ts";
import { addSegment, describeKind, invalidResult, Problem, wrongType } from "./result-problem.ts";

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
        "Return a value, such as an empty string.",
      ),
      "result",
    );
  }
  const schema = createSchema(formula);
  // The value hint of a formula's own text or number is not checked: a document shows it as it is.
  const own = typeof value === schema.type ? { type: schema.type } : schema;
  const check = { ...createCheck(), isOwn: true };
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
 * The same for a row that an update returns: required members may be missing. The value is not
 * changed.
 * @param schema of one row
 * @throws {PackError} RESULT_INVALID
 */
export function normalizeUpdatedRow(value: unknown, schema: unknown, path: string): unknown {
  if (value === undefined)
    throw invalidResult(
      new Problem((at) => `${at} is undefined`, "Return an object for each row."),
      path,
    );
  const row = isObject(schema) ? rowSchema(schema) : undefined;
  return normalizeAt(path, value, row, { ...createCheck(), isPartial: true });
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
function createSchema({
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
  /** Whether this is the object that a formula returns, not a part of it. */
  isOwn: boolean;
  /** Whether required members of the object may be missing. */
  isPartial: boolean;
  /**
   * Inside a list of lists. There the platform looks for members by their compiled names only, and
   * makes no objects of text.
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
  return { isOwn: false, isPartial: false, isInLists: false, emptied: { first: undefined } };
}

/** Adds the segment to the path of a value that was found after `known`. */
function locateEmptied(check: Check, known: EmptiedValue | undefined, segment: string): void {
  const { first } = check.emptied;
  if (first !== undefined && first !== known) first.path = segment + first.path;
}

function reportEmptied({ emptied }: Check, root: string, warn: Warn | undefined): void {
  if (emptied.first === undefined) return;
  const { path, kind } = emptied.first;
  warn?.(
    `${root}${path} must be an object, not ${kind}. packsmith replaces the value with an empty object.`,
  );
}

function normalize(value: unknown, schema: ResultSchema | undefined, check: Check): unknown {
  if (schema === undefined) return value;
  switch (schema.type) {
    case "string":
    case "number":
      return convertScalar(value, schema, schema.type);
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

function convertScalar(value: unknown, schema: ResultSchema, type: "string" | "number"): unknown {
  const normalized = value instanceof Date ? withoutDate(value, schema, type) : value;
  // A date in a string property may also be a number: seconds since 1970.
  const isDateNumber =
    type === "string" && typeof normalized === "number" && isDateHint(schema.codaType);
  if (typeof normalized !== (isDateNumber ? "number" : type)) throw wrongType(`a ${type}`, value);
  if (schema.codaType === undefined) return normalized;
  const problem = problemOfHint(normalized as string | number, schema);
  if (problem !== undefined)
    throw new Problem(
      (path) => `${path} ${problem}`,
      `The value hint is ${String(schema.codaType)}. Return a value that matches the hint.`,
    );
  return normalized;
}

function withoutDate(value: Date, schema: ResultSchema, type: "string" | "number"): unknown {
  if (!isDateHint(schema.codaType)) throw wrongType(`a ${type}`, value);
  if (Number.isNaN(value.getTime()))
    throw new Problem(
      (path) => `${path} is an invalid date`,
      "Check the code that creates the date.",
    );
  return type === "number" ? value.getTime() / 1000 : value.toISOString();
}

function isDateHint(hint: unknown): boolean {
  return hint === "date" || hint === "datetime" || hint === "time";
}

/** Copies the array only when an element changes: most pages do not. */
function array(items: readonly unknown[], schema: ResultSchema | undefined, check: Check): unknown {
  const inner = { ...check, isOwn: false, isInLists: check.isInLists || schema?.type === "array" };
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const known = check.emptied.first;
    let normalized: unknown;
    try {
      normalized = normalizeItem(item ?? null, schema, inner);
    } catch (error) {
      throw addSegment(error, `[${index}]`);
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
  if (check.isPartial || needsMembers(schema, check)) throw wrongType("an object", value);
  check.emptied.first ??= { path: "", kind: describeKind(value) };
  return {};
}

function object(value: unknown, schema: ResultSchema, check: Check): unknown {
  if (value === null) return nullObject(schema, check);
  if (!isObject(value)) throw wrongType("an object", value);
  if (Array.isArray(value) || value instanceof Date || value instanceof Uint8Array)
    return isOpen(schema, check) ? value : emptyObject(value, schema, check);
  const plan = planResult(schema);
  const members = value as Record<string, unknown>;
  if (plan.isPerson && !check.isOwn) {
    // The platform looks only at the ID of a person.
    assertPerson(members, plan.id, check);
    return value;
  }
  const inner =
    check.isPartial || check.isOwn ? { ...check, isPartial: false, isOwn: false } : check;
  let copy: Record<string, unknown> | undefined;
  for (const planned of plan.members) {
    const key = findKey(members, planned, check);
    const known = check.emptied.first;
    try {
      const member = readMember(members, planned, key);
      // Most members only need the right type, and have it.
      if (typeof member === planned.plainType) continue;
      const normalized = normalizeMember(member, planned, check, inner);
      if (key === undefined || Object.is(normalized, member)) continue;
      locateEmptied(check, known, `.${key}`);
      copy ??= { ...members };
      copy[key] = normalized;
    } catch (error) {
      throw addSegment(error, `.${key ?? planned.name}`);
    }
  }
  if (plan.id !== undefined) assertId(members, plan.id, check);
  return copy ?? members;
}

/** The platform makes an empty object of null, except inside a list of lists. Here it stays null. */
function nullObject(schema: ResultSchema, check: Check): null {
  if (check.isPartial) return null;
  const plan = planResult(schema);
  const isFine = check.isInLists
    ? plan.members.length === 0 && plan.id === undefined && !plan.isPerson
    : !needsMembers(schema, check) && (schema.properties !== undefined || !check.isOwn);
  if (!isFine) throw wrongType("an object", null);
  return null;
}

/** Whether an object without members is an error. */
function needsMembers(schema: ResultSchema, { isOwn }: Check): boolean {
  const { isPerson, hasRequired } = planResult(schema);
  return isPerson && !isOwn ? true : hasRequired;
}

/** Without properties, the platform keeps what a formula returned. */
function isOpen(schema: ResultSchema, check: Check): boolean {
  return schema.properties === undefined && !check.isPartial;
}

/** @returns the key that has the value of a property; the last one if there are two */
function findKey(
  members: Record<string, unknown>,
  { key, alias, compiledName }: PlannedMember,
  { isInLists }: Check,
): string | undefined {
  if (isInLists) return compiledName;
  if (key === undefined || alias === undefined || !Object.hasOwn(members, alias)) return key;
  const keys = Object.keys(members);
  return keys.indexOf(alias) > keys.indexOf(key) ? alias : key;
}

function readMember(
  members: Record<string, unknown>,
  { alias, isInherited, isShared }: PlannedMember,
  key: string | undefined,
): unknown {
  if (key === undefined || (isInherited && !Object.hasOwn(members, key))) return undefined;
  const member = members[key];
  // Properties that share a key have copies of its value, made as JSON.
  const isCopy = isShared && key !== alias && member !== undefined;
  return isCopy ? JSON.parse(JSON.stringify(member)) : member;
}

function normalizeMember(
  member: unknown,
  { property, isRequired }: PlannedMember,
  check: Check,
  inner: Check,
): unknown {
  if (member === null && property.type === "object" && !check.isInLists) {
    return check.isPartial ? null : nullObject(property, inner);
  }
  if (member === undefined || member === null) {
    if (isRequired && !check.isPartial)
      throw new Problem(
        (path) => `${path} is missing, and the schema requires it`,
        "Return the property, or remove `required` from the schema.",
      );
    return member;
  }
  // An empty text, zero, false and NaN count as no value, whatever the type.
  return member ? normalize(member, property, inner) : member;
}

function assertId(members: Record<string, unknown>, id: PlannedMember, check: Check): void {
  const key = findKey(members, id, check);
  if (key === undefined || !Object.hasOwn(members, key)) return;
  const value = readMember(members, id, key);
  const isNullObject = value === null && id.property.type === "object" && !check.isInLists;
  if (value || value === 0 || isNullObject) return;
  throw addSegment(
    new Problem((path) => `${path} is the ID, but it is empty`, "Give each object an ID."),
    `.${key}`,
  );
}

function assertPerson(
  members: Record<string, unknown>,
  id: PlannedMember | undefined,
  check: Check,
): void {
  const key = id === undefined ? undefined : findKey(members, id, check);
  const value = id === undefined ? undefined : readMember(members, id, key);
  if (value && isEmail(String(value))) return;
  throw addSegment(
    new Problem(
      (path) => `${path} is not a valid email address`,
      "The ID of a person must be an email address.",
    ),
    key === undefined ? "" : `.${key}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
