import type { BooleanSchema, NumericSchema, SimpleStringSchema } from "./scalar-schemas.ts";
import type { ArraySchema, ObjectSchema, Schema } from "./schema.ts";

/** The values that a schema can be made from. */
export type InferrableTypes = boolean | number | string | object | null;

/** The schema that `generateSchema` makes of a value. */
export type GeneratedSchema<Value> = Value extends boolean
  ? BooleanSchema
  : Value extends number
    ? NumericSchema
    : Value extends string | null
      ? SimpleStringSchema
      : Value extends readonly (infer Item)[]
        ? ArraySchema & { readonly items: GeneratedSchema<Item> }
        : ObjectSchema & { readonly properties: { readonly [Name in keyof Value]: GeneratedSchema<Value[Name]> } };

/**
 * Makes the schema of a sample value. The first element decides for a list; `null` counts as text.
 * @throws {TypeError} for an empty list, and for what no schema describes
 */
export function generateSchema<Value extends InferrableTypes>(example: Value): GeneratedSchema<Value> {
  return schemaOf(example) as GeneratedSchema<Value>;
}

function schemaOf(example: unknown): Schema {
  if (example === null || typeof example === "string") return { type: "string" };
  if (typeof example === "number") return { type: "number" };
  if (typeof example === "boolean") return { type: "boolean" };
  if (Array.isArray(example)) {
    if (example.length === 0) throw new TypeError("The schema of an empty list cannot be told.");
    return { type: "array", items: schemaOf(example[0]) };
  }
  if (typeof example !== "object") throw new TypeError(`No schema describes a value of type ${typeof example}.`);
  const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)] as const);
  return { type: "object", properties: Object.fromEntries(properties) };
}
