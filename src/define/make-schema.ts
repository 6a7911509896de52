import type { BooleanSchema, NumberSchema, NumericSchema, SimpleStringSchema } from "./scalar-schemas.ts";
import type { ArraySchema, ObjectSchema, ObjectSchemaDefinition, ObjectSchemaProperties, Schema, StringSchema } from "./schema.ts";
import type { AttributionNode } from "./schema-annotations.ts";
import type { LegacyText } from "./untyped.ts";

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type SchemaKey = KeysOf<Schema | BooleanSchema | NumberSchema | StringSchema>;
type KeysOfProperties<Properties> = { [Name in keyof Properties]: keyof Properties[Name] }[keyof Properties];
/** Refuses a key that no schema has, in any property. Only a schema with such a key pays for finding it. */
type KnownKeys<Properties> = [KeysOfProperties<Properties>] extends [SchemaKey]
  ? unknown
  : { readonly [Name in keyof Properties]: { readonly [Key in Exclude<keyof Properties[Name], SchemaKey>]: never } };

/** Gives a schema its exact type. */
export function makeSchema<const S extends Schema>(schema: S & { readonly [Key in Exclude<keyof S, SchemaKey>]: never }): S {
  return schema;
}

/**
 * Gives an object schema its exact type, and its `type`. `idProperty` and `displayProperty` name properties of it.
 */
export function makeObjectSchema<
  const Properties extends ObjectSchemaProperties,
  // A property, or a path into a nested one. Without an alias, so that an error names the properties.
  const Id extends Extract<keyof Properties, string> | `${Extract<keyof Properties, string>}.${string}` | LegacyText = never,
  const Display extends Extract<keyof Properties, string> | `${Extract<keyof Properties, string>}.${string}` | LegacyText = never,
  const Unknown extends boolean = false,
>(
  definition: ObjectSchemaDefinition<Properties & KnownKeys<Properties>, Id, Display, Unknown>,
): ObjectSchema<Properties, Id, Display, Unknown> {
  return { ...definition, type: "object" } as ObjectSchema<Properties, Id, Display, Unknown>;
}

type Only<Properties extends ObjectSchemaProperties, Names> = {
  readonly [Name in Extract<keyof Properties, Names>]: Properties[Name] & { readonly required: true };
};

/**
 * Makes the schema of a reference to the rows that another schema describes: its id and its display property.
 * @param identityName the name of the identity, when the schema has none
 * @throws {TypeError} when there is no id property, no display property or no identity
 */
export function makeReferenceSchemaFromObjectSchema<
  Properties extends ObjectSchemaProperties,
  Id extends string,
  Display extends string,
  Unknown extends boolean,
>(
  schema: ObjectSchema<Properties, Id, Display, Unknown>,
  identityName?: string,
): ObjectSchema<Only<Properties, Id | Display>, Id, Display, false> {
  const id = schema.idProperty ?? schema.id;
  const display = schema.displayProperty ?? schema.primary;
  const identity = schema.identity ?? (identityName === undefined ? undefined : { name: identityName });
  if (id === undefined || display === undefined) throw new TypeError("A reference needs a schema with idProperty and displayProperty.");
  if (identity === undefined) throw new TypeError("A reference needs the name of an identity: pass it as the second argument.");
  const properties = Object.fromEntries([id, display].map((name) => [name, { ...schema.properties[name], required: true }]));
  const { options, requireForUpdates, mutable } = schema;
  return {
    type: "object",
    codaType: "reference",
    identity,
    idProperty: id,
    displayProperty: display,
    properties,
    ...(options === undefined ? {} : { options }),
    ...(requireForUpdates === undefined ? {} : { requireForUpdates }),
    ...(mutable === undefined ? {} : { mutable }),
  } as unknown as ObjectSchema<Only<Properties, Id | Display>, Id, Display, false>;
}

/** @returns a copy of the schema with this identity. */
export function withIdentity<const S extends ObjectSchemaDefinition>(
  schema: S,
  identityName: string,
): S & { readonly type: "object"; readonly identity: { readonly name: string } } {
  return { ...schema, type: "object", identity: { ...schema.identity, name: identityName } };
}

/** A line, link or image that says where data comes from. */
export function makeAttributionNode<const Node extends AttributionNode>(node: Node): Node {
  return node;
}

/** @returns the names of the members that values of an object schema, or of a list of them, have; otherwise nothing. */
export function getEffectivePropertyKeysFromSchema(schema: Schema): string[] | undefined {
  if (schema.type === "array") return getEffectivePropertyKeysFromSchema(schema.items);
  if (schema.type !== "object") return undefined;
  return [...new Set(Object.entries(schema.properties).map(([name, { fromKey }]) => fromKey ?? name))];
}

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
