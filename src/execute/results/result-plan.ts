import type { ResultSchema } from "./result-hints.ts";

/** What every object of an object schema is checked by; made once for each schema. */
interface ResultPlan {
  members: readonly PlannedMember[];
  /** The member with the ID, by the name in the schema and by the key that the formula returns. */
  id: { name: string; key: string } | undefined;
  /** Whether an object without members is an error. */
  needsMembers: boolean;
}

export interface PlannedMember {
  /** The name in the schema. */
  name: string;
  /** The key that the formula returns (`fromKey`). */
  key: string;
  property: ResultSchema;
  isRequired: boolean;
  /** Every object inherits a member of this name, so only an own member counts. */
  isInherited: boolean;
  /** The type of a value that needs no further check; absent when the type is not enough. */
  plainType: string | undefined;
}
const plans = new WeakMap<ResultSchema, ResultPlan>();

export function planResult(schema: ResultSchema): ResultPlan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const key = sourceKey(name, property);
    return {
      name,
      key,
      property,
      isRequired: property?.required === true,
      isInherited: key in Object.prototype,
      plainType: plainTypeOf(property),
    };
  });
  const name = idName(schema);
  const plan = {
    members,
    id: name === undefined ? undefined : { name, key: sourceKey(name, schema.properties?.[name]) },
    needsMembers: schema.codaType === "person" || members.some(({ isRequired }) => isRequired),
  };
  plans.set(schema, plan);
  return plan;
}

function idName(schema: ResultSchema): string | undefined {
  const id = schema.idProperty ?? schema.id;
  const name = typeof id === "object" && id !== null ? (id as { property?: unknown }).property : id;
  return typeof name === "string" ? name : undefined;
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
