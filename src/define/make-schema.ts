import type {
  BooleanSchema,
  NumberSchema,
  NumericSchema,
  SimpleStringSchema,
} from "./scalar-schemas.ts";
import type {
  ArraySchema,
  ObjectSchema,
  ObjectSchemaDefinition,
  ObjectSchemaProperties,
  Schema,
  StringSchema,
} from "./schema.ts";
import type { AttributionNode } from "./schema-annotations.ts";

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type SchemaKey = KeysOf<Schema | BooleanSchema | NumberSchema | StringSchema>;
type KeysOfProperties<Properties> = {
  [Name in keyof Properties]: keyof Properties[Name];
}[keyof Properties];
/** Refuses a key that no schema has, in any property. */
type KnownKeys<Properties> = [KeysOfProperties<Properties>] extends [SchemaKey]
  ? unknown
  : {
      readonly [Name in keyof Properties]: {
        readonly [Key in Exclude<keyof Properties[Name], SchemaKey>]: never;
      };
    };

/**
 * Creates a schema. TypeScript keeps the exact type of the schema.
 * @example
 * ```ts
 * const Price = makeSchema({
 *   type: ValueType.Number,
 *   codaType: ValueHintType.Currency,
 *   currencyCode: "EUR",
 * });
 * ```
 */
export function makeSchema<const S extends Schema>(
  schema: S & { readonly [Key in Exclude<keyof S, SchemaKey>]: never },
): S {
  return schema;
}

/**
 * Creates an object schema. TypeScript keeps the exact type of the schema. `idProperty`,
 * `displayProperty` and `featuredProperties` must be names of properties.
 * @example
 * ```ts
 * const Task = makeObjectSchema({
 *   properties: {
 *     id: { type: ValueType.String, required: true },
 *     title: { type: ValueType.String, fromKey: "name", required: true },
 *     due: { type: ValueType.String, codaType: ValueHintType.Date },
 *   },
 *   idProperty: "id",
 *   displayProperty: "title",
 *   featuredProperties: ["due"],
 * });
 * ```
 */
export function makeObjectSchema<
  const Properties extends ObjectSchemaProperties,
  // A property, or a path into a nested one. Written out instead of named, so that an error lists
  // the properties.
  const Id extends
    | Extract<keyof Properties, string>
    | `${Extract<keyof Properties, string>}.${string}` = never,
  const Display extends
    | Extract<keyof Properties, string>
    | `${Extract<keyof Properties, string>}.${string}` = never,
  const Unknown extends boolean = false,
  const Featured extends
    | Extract<keyof Properties, string>
    | `${Extract<keyof Properties, string>}.${string}` = never,
>(
  definition: ObjectSchemaDefinition<Properties & KnownKeys<Properties>, Id, Display, Unknown> & {
    featuredProperties?: readonly Featured[] | undefined;
  },
): ObjectSchema<Properties, Id, Display, Unknown> {
  return { ...definition, type: "object" } as ObjectSchema<Properties, Id, Display, Unknown>;
}

type Only<Properties extends ObjectSchemaProperties, Names> = {
  readonly [Name in Extract<keyof Properties, Names>]: Properties[Name] & {
    readonly required: true;
  };
};

/**
 * Creates a schema for references to the rows of another table. A reference contains the ID and the
 * display property of a row.
 * @param identityName the name of the identity; required if the schema has no identity
 * @throws {TypeError} when the id property, the display property or the identity is missing
 * @example
 * ```ts
 * const Person = makeObjectSchema({
 *   properties: { id: { type: ValueType.String }, name: { type: ValueType.String } },
 *   idProperty: "id",
 *   displayProperty: "name",
 * });
 * const Task = makeObjectSchema({
 *   properties: {
 *     id: { type: ValueType.String },
 *     assignee: makeReferenceSchemaFromObjectSchema(Person, "Person"),
 *   },
 *   idProperty: "id",
 * });
 * ```
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
  const identity =
    schema.identity ?? (identityName === undefined ? undefined : { name: identityName });
  if (id === undefined) throw new TypeError("A reference needs a schema with an idProperty.");
  if (display === undefined)
    throw new TypeError("A reference needs a schema with a displayProperty.");
  for (const name of [id, display])
    if (!Object.hasOwn(schema.properties, name))
      throw new TypeError(`The schema of the reference has no property "${name}".`);
  if (identity === undefined)
    throw new TypeError(
      "A reference schema needs an identity name. Pass the name as the second argument of makeReferenceSchemaFromObjectSchema.",
    );
  const properties = Object.fromEntries(
    [id, display].map((name) => [name, { ...schema.properties[name], required: true }]),
  );
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

/**
 * Sets the identity of a schema: the kind of object that the schema describes.
 * @returns a copy of the schema with this identity
 * @example
 * ```ts
 * const Person = makeObjectSchema({
 *   properties: { id: { type: ValueType.String } },
 *   idProperty: "id",
 * });
 * const RowOfPeople = withIdentity(Person, "Person");
 * ```
 */
export function withIdentity<const S extends ObjectSchemaDefinition>(
  schema: S,
  identityName: string,
): S & { readonly type: "object"; readonly identity: { readonly name: string } } {
  return { ...schema, type: "object", identity: { ...schema.identity, name: identityName } };
}

/**
 * Creates an attribution: text, a link or an image that shows the source of the data.
 * @example
 * ```ts
 * const source = makeAttributionNode({
 *   type: AttributionNodeType.Text,
 *   text: "Data of the weather service",
 * });
 * ```
 */
export function makeAttributionNode<const Node extends AttributionNode>(node: Node): Node {
  return node;
}

/**
 * Lists the fields of the objects that `execute` must return.
 *
 * @returns the names of the fields, or `undefined` if the schema does not describe an object or a
 *   list of objects
 * @example
 * ```ts
 * const Person = makeObjectSchema({
 *   properties: { name: { type: ValueType.String, fromKey: "full_name" } },
 * });
 * const keys = getEffectivePropertyKeysFromSchema(Person); // ["full_name"]
 * ```
 */
export function getEffectivePropertyKeysFromSchema(schema: Schema): string[] | undefined {
  if (schema.type === "array") return getEffectivePropertyKeysFromSchema(schema.items);
  if (schema.type !== "object") return undefined;
  return [
    ...new Set(Object.entries(schema.properties).map(([name, { fromKey }]) => fromKey ?? name)),
  ];
}

/** The values that `generateSchema` accepts. */
export type InferrableTypes = boolean | number | string | object | null;

/** The schema that `generateSchema` returns for a value. */
export type GeneratedSchema<Value> = Value extends boolean
  ? BooleanSchema
  : Value extends number
    ? NumericSchema
    : Value extends string | null
      ? SimpleStringSchema
      : Value extends readonly (infer Item)[]
        ? ArraySchema & { readonly items: GeneratedSchema<Item> }
        : ObjectSchema & {
            readonly properties: { readonly [Name in keyof Value]: GeneratedSchema<Value[Name]> };
          };

/**
 * Creates a schema from a sample value. For a list, the first element determines the schema of the
 * items. For `null`, the schema is a string schema.
 * @throws {TypeError} for an empty list, and for a value that no schema can describe
 * @example
 * ```ts
 * const Item = generateSchema({ name: "Lamp", price: 12.5, tags: ["light"] });
 * ```
 */
export function generateSchema<Value extends InferrableTypes>(
  example: Value,
): GeneratedSchema<Value> {
  return readSchema(example) as GeneratedSchema<Value>;
}

function readSchema(example: unknown): Schema {
  if (example === null || typeof example === "string") return { type: "string" };
  if (typeof example === "number") return { type: "number" };
  if (typeof example === "boolean") return { type: "boolean" };
  if (Array.isArray(example)) {
    if (example.length === 0)
      throw new TypeError(
        "The schema of an empty list is unknown. Pass a list with at least one item.",
      );
    return { type: "array", items: readSchema(example[0]) };
  }
  if (typeof example !== "object")
    throw new TypeError(`No schema describes a value of type ${typeof example}.`);
  const properties = Object.entries(example).map(
    ([name, value]) => [name, readSchema(value)] as const,
  );
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** The placeholder that a property label uses for the value. */
export const PropertyLabelValueTemplate = "{VALUE}";

/** Constants for SVG images in data URLs. */
export const SvgConstants = {
  /** The id of the element that is shown in dark mode. */
  DarkModeFragmentId: "DarkMode",
  /** The prefix of a data URL with an SVG image. */
  DataUrlPrefix: "data:image/svg+xml;base64,",
  /** The prefix of a data URL with an SVG image that has an element for dark mode. */
  DataUrlPrefixWithDarkModeSupport: "data:image/svg+xml;supportsDarkMode=1;base64,",
} as const;
