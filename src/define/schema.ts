import type {
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  LinkDisplayType,
  ScaleIconSet,
} from "./enumerations.ts";

/** What a schema may say when it describes a property of an object. */
export interface PropertyOptions {
  /** What the value is. */
  readonly description?: string | undefined;
  /** Name of the member in the object that `execute` returns, when it is another than the property's. */
  readonly fromKey?: string | undefined;
  /** Name that users see. */
  readonly displayName?: string | undefined;
  /** The value is always there. @default false */
  readonly required?: boolean | undefined;
  /** Users may edit the value. @default false */
  readonly mutable?: boolean | undefined;
  /** Keeps the column when the property is renamed. */
  readonly fixedId?: string | undefined;
}

export interface BooleanSchema extends PropertyOptions {
  readonly type: "boolean";
  readonly codaType?: "toggle" | undefined;
}

/** Display options of numbers. Which of them apply is decided by `codaType`. */
export interface NumberSchema extends PropertyOptions {
  readonly type: "number";
  /** Dates are seconds since 1970, durations days. */
  readonly codaType?: "percent" | "currency" | "date" | "time" | "datetime" | "duration" | "slider" | "progressBar" | "scale" | undefined;
  readonly precision?: number | undefined;
  readonly useThousandsSeparator?: boolean | undefined;
  /** Moment pattern for dates and times; for currency, a currency format. */
  readonly format?: string | CurrencyFormat | undefined;
  readonly dateFormat?: string | undefined;
  readonly timeFormat?: string | undefined;
  readonly maxUnit?: DurationUnit | undefined;
  /** ISO 4217. */
  readonly currencyCode?: string | undefined;
  readonly minimum?: number | string | undefined;
  readonly maximum?: number | string | undefined;
  readonly step?: number | string | undefined;
  readonly showValue?: boolean | undefined;
  readonly icon?: ScaleIconSet | undefined;
}

export interface StringSchema extends PropertyOptions {
  readonly type: "string";
  readonly codaType?:
    | "date"
    | "time"
    | "datetime"
    | "duration"
    | "email"
    | "url"
    | "markdown"
    | "html"
    | "embed"
    | "attachment"
    | "image"
    | "imageAttachment"
    | "selectList"
    | undefined;
  readonly format?: string | undefined;
  readonly dateFormat?: string | undefined;
  readonly timeFormat?: string | undefined;
  readonly precision?: number | undefined;
  readonly maxUnit?: DurationUnit | undefined;
  readonly display?: EmailDisplayType | LinkDisplayType | undefined;
  readonly force?: boolean | undefined;
  readonly imageOutline?: ImageOutline | undefined;
  readonly imageCornerStyle?: ImageCornerStyle | undefined;
  readonly imageShapeStyle?: ImageShapeStyle | undefined;
  readonly width?: number | string | undefined;
  readonly height?: number | string | undefined;
  readonly options?: readonly (string | { readonly display: string; readonly value: string })[] | undefined;
  readonly allowNewValues?: boolean | undefined;
}

export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  readonly type: "array";
  readonly items: Items;
}

export interface ObjectSchemaDefinition extends PropertyOptions {
  readonly type?: "object" | undefined;
  readonly codaType?: "person" | "reference" | "selectList" | undefined;
  readonly properties: { readonly [name: string]: Schema };
  /** Property that identifies a row. */
  readonly idProperty?: string | undefined;
  /** Property that names a row. */
  readonly displayProperty?: string | undefined;
  /** Properties that users see first. */
  readonly featuredProperties?: readonly string[] | undefined;
  readonly identity?: { readonly name: string } | undefined;
  /** Members that no property names are kept and shown. @default false */
  readonly includeUnknownProperties?: boolean | undefined;
}

export interface ObjectSchema extends ObjectSchemaDefinition {
  readonly type: "object";
}

export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;

type Flatten<T> = { [Key in keyof T]: T[Key] } & {};
type MemberName<Property, Key> = Property extends { readonly fromKey: infer Name extends string } ? Name : Key;
type RequiredMembers<Properties> = {
  -readonly [Key in keyof Properties as Properties[Key] extends { readonly required: true }
    ? MemberName<Properties[Key], Key>
    : never]: SchemaType<Properties[Key]>;
};
type OptionalMembers<Properties> = {
  -readonly [Key in keyof Properties as Properties[Key] extends { readonly required: true } ? never : MemberName<Properties[Key], Key>]?:
    | SchemaType<Properties[Key]>
    | null
    | undefined;
};

/** The value that a schema describes: members under the names of `fromKey`, `required` ones always there. */
export type SchemaType<S> = S extends { readonly type: "string"; readonly codaType: "date" | "time" | "datetime" }
  ? string | number | Date
  : S extends { readonly type: "number"; readonly codaType: "date" | "time" | "datetime" }
    ? number | Date
    : S extends { readonly type: "string" }
      ? string
      : S extends { readonly type: "number" }
        ? number
        : S extends { readonly type: "boolean" }
          ? boolean
          : S extends { readonly type: "array"; readonly items: infer Items }
            ? SchemaType<Items>[]
            : S extends { readonly properties: infer Properties }
              ? Flatten<RequiredMembers<Properties> & OptionalMembers<Properties>>
              : never;

/** Gives a schema its exact type. */
export function makeSchema<const S extends Schema>(schema: S): S {
  return schema;
}

/** Gives an object schema its exact type, and its `type`. */
export function makeObjectSchema<const S extends ObjectSchemaDefinition>(
  definition: S & Record<Exclude<keyof S, keyof ObjectSchemaDefinition>, never>,
): Flatten<Omit<S, "type"> & { readonly type: "object" }> {
  return { ...(definition as S), type: "object" };
}
