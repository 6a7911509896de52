import { normalizePropertyName } from "../../define/property-name.ts";
import type { ResultSchema } from "./result-hints.ts";

/** What every object of an object schema is checked by; made once for each schema. */
interface ResultPlan {
  members: readonly PlannedMember[];
  /** The member with the ID. */
  id: PlannedMember | undefined;
  isPerson: boolean;
  /** Whether an object without members lacks a required one. */
  hasRequired: boolean;
}

export interface PlannedMember {
  /** The name in the schema. */
  name: string;
  /** The name in the compiled schema, as in a document. */
  compiledName: string;
  /**
   * The key that the formula returns (`fromKey`); absent when another property has the value of
   * that key.
   */
  key: string | undefined;
  /** Another key that the platform takes: the compiled name. */
  alias: string | undefined;
  property: ResultSchema;
  isRequired: boolean;
  /** Every object inherits a member of this name, so only an own member counts. */
  isInherited: boolean;
  /** Several properties have the value of this key. */
  isShared: boolean;
  /** The type of a value that needs no further check; absent when the type is not enough. */
  plainType: string | undefined;
}
const plans = new WeakMap<ResultSchema, ResultPlan>();

export function planResult(schema: ResultSchema): ResultPlan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const properties = Object.entries(schema.properties ?? {});
  const uses = countKeys(properties);
  const members = properties.map(([name, property]) => planMember(name, property, uses));
  const name = idName(schema);
  const plan = {
    members,
    id:
      name === undefined
        ? undefined
        : (members.find((member) => member.name === name) ?? planMember(name, undefined, uses)),
    isPerson: schema.codaType === "person",
    hasRequired: members.some(({ isRequired }) => isRequired),
  };
  plans.set(schema, plan);
  return plan;
}

/** How many properties have the value of a key, by `fromKey`. */
function countKeys(properties: readonly [string, ResultSchema][]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const [name, property] of properties) {
    const { fromKey } = readNames(name, property);
    if (fromKey !== undefined) uses.set(fromKey, (uses.get(fromKey) ?? 0) + 1);
  }
  return uses;
}

function planMember(
  name: string,
  property: ResultSchema | undefined,
  uses: ReadonlyMap<string, number>,
): PlannedMember {
  const { compiledName, fromKey } = readNames(name, property);
  const isTaken = uses.has(compiledName);
  const key = fromKey ?? (isTaken ? undefined : compiledName);
  return {
    name,
    compiledName,
    key,
    alias: fromKey === undefined || isTaken ? undefined : compiledName,
    property: property ?? {},
    isRequired: property?.required === true,
    isInherited: key !== undefined && key in Object.prototype,
    isShared: (uses.get(key ?? "") ?? 0) > 1,
    plainType: findPlainType(property),
  };
}

/** A schema has the names of its author, or is compiled: then each property has its `originalKey`. */
function readNames(
  name: string,
  property: ResultSchema | undefined,
): { compiledName: string; fromKey: string | undefined } {
  const { fromKey, originalKey } = property ?? {};
  const isCompiled = typeof originalKey === "string";
  const compiledName = isCompiled ? name : normalizePropertyName(name);
  const original = isCompiled ? originalKey : name;
  if (typeof fromKey === "string" && fromKey !== "") return { compiledName, fromKey };
  return { compiledName, fromKey: compiledName === original ? undefined : original };
}

function idName(schema: ResultSchema): string | undefined {
  const id = schema.idProperty ?? schema.id;
  const name = typeof id === "object" && id !== null ? (id as { property?: unknown }).property : id;
  return typeof name === "string" ? name : undefined;
}

function findPlainType(property: ResultSchema | undefined): string | undefined {
  if (property?.type === "boolean") return "boolean";
  return property?.codaType === undefined &&
    (property?.type === "string" || property?.type === "number")
    ? property.type
    : undefined;
}
