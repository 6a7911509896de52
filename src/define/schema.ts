import type { MetadataFunction } from "./metadata.ts";
import type {
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  LinkDisplayType,
  ScaleIconSet,
} from "./schema-enumerations.ts";

/** Members of every schema. Those beside `description` count where the schema is a property of an object. */
export interface PropertyOptions {
  /** What the value means. */
  description?: string | undefined;
  /** The name of the member in the returned object, when it differs from the property's name. */
  fromKey?: string | undefined;
  /** The name that users see. */
  displayName?: string | undefined;
  /** Whether every object has it. @default false */
  required?: boolean | undefined;
  /** Whether users may change it in a table. @default false */
  mutable?: boolean | undefined;
  /** An id that stays when the property is renamed: unique within the object. */
  fixedId?: string | undefined;
}

export interface BooleanSchema extends PropertyOptions {
  type: "boolean";
  codaType?: "toggle" | undefined;
}

export interface NumericSchema extends PropertyOptions {
  type: "number";
  codaType?: "percent" | undefined;
  /** Decimal places. */
  precision?: number | undefined;
  useThousandsSeparator?: boolean | undefined;
}
/** A date as seconds since 1970. */
export interface NumericDateSchema extends PropertyOptions {
  type: "number";
  codaType: "date";
  /** A Moment pattern. */
  format?: string | undefined;
}
export interface NumericTimeSchema extends PropertyOptions {
  type: "number";
  codaType: "time";
  /** A Moment pattern. */
  format?: string | undefined;
}
export interface NumericDateTimeSchema extends PropertyOptions {
  type: "number";
  codaType: "datetime";
  /** A Moment pattern. */
  dateFormat?: string | undefined;
  /** A Moment pattern. */
  timeFormat?: string | undefined;
}
/** A duration in days. */
export interface NumericDurationSchema extends PropertyOptions {
  type: "number";
  codaType: "duration";
  precision?: number | undefined;
  maxUnit?: DurationUnit | undefined;
}
export interface CurrencySchema extends PropertyOptions {
  type: "number";
  codaType: "currency";
  precision?: number | undefined;
  /** An ISO 4217 code such as `"EUR"`. */
  currencyCode?: string | undefined;
  format?: CurrencyFormat | undefined;
}
export interface SliderSchema extends PropertyOptions {
  type: "number";
  codaType: "slider";
  /** A number, or a formula as text. */
  minimum?: number | string | undefined;
  maximum?: number | string | undefined;
  step?: number | string | undefined;
  showValue?: boolean | undefined;
}
export interface ProgressBarSchema extends PropertyOptions {
  type: "number";
  codaType: "progressBar";
  /** A number, or a formula as text. */
  minimum?: number | string | undefined;
  maximum?: number | string | undefined;
  step?: number | string | undefined;
  showValue?: boolean | undefined;
}
export interface ScaleSchema extends PropertyOptions {
  type: "number";
  codaType: "scale";
  maximum?: number | undefined;
  icon?: ScaleIconSet | undefined;
}
export type NumberSchema =
  | NumericSchema
  | NumericDateSchema
  | NumericTimeSchema
  | NumericDateTimeSchema
  | NumericDurationSchema
  | CurrencySchema
  | SliderSchema
  | ProgressBarSchema
  | ScaleSchema;

export interface SimpleStringSchema extends PropertyOptions {
  type: "string";
  codaType?: "attachment" | "html" | "markdown" | undefined;
}
export interface StringDateSchema extends PropertyOptions {
  type: "string";
  codaType: "date";
  /** A Moment pattern. */
  format?: string | undefined;
}
export interface StringTimeSchema extends PropertyOptions {
  type: "string";
  codaType: "time";
  /** A Moment pattern. */
  format?: string | undefined;
}
export interface StringDateTimeSchema extends PropertyOptions {
  type: "string";
  codaType: "datetime";
  /** A Moment pattern. */
  dateFormat?: string | undefined;
  /** A Moment pattern. */
  timeFormat?: string | undefined;
}
export interface DurationSchema extends PropertyOptions {
  type: "string";
  codaType: "duration";
  precision?: number | undefined;
  maxUnit?: DurationUnit | undefined;
}
export interface EmailSchema extends PropertyOptions {
  type: "string";
  codaType: "email";
  display?: EmailDisplayType | undefined;
}
export interface LinkSchema extends PropertyOptions {
  type: "string";
  codaType: "url";
  display?: LinkDisplayType | undefined;
  /** Embeds the page even when it cannot be proven to allow it. */
  force?: boolean | undefined;
}
export interface StringEmbedSchema extends PropertyOptions {
  type: "string";
  codaType: "embed";
  force?: boolean | undefined;
}
export interface ImageSchema extends PropertyOptions {
  type: "string";
  codaType: "image" | "imageAttachment";
  imageOutline?: ImageOutline | undefined;
  imageCornerStyle?: ImageCornerStyle | undefined;
  imageShapeStyle?: ImageShapeStyle | undefined;
  /** Pixels, or a formula as text; 0 is the default size. */
  width?: number | string | undefined;
  height?: number | string | undefined;
}
export interface StringWithOptionsSchema extends PropertyOptions, PropertyWithOptions<string> {
  type: "string";
  codaType: "selectList";
  allowNewValues?: boolean | undefined;
}
export type StringSchema =
  | SimpleStringSchema
  | StringDateSchema
  | StringTimeSchema
  | StringDateTimeSchema
  | DurationSchema
  | EmailSchema
  | LinkSchema
  | StringEmbedSchema
  | ImageSchema
  | StringWithOptionsSchema;

/** A list of choices for a property that users may change. */
export interface PropertyWithOptions<Value> {
  options?: readonly (Value | { display: string; value: Value })[] | MetadataFunction | undefined;
  requireForUpdates?: boolean | undefined;
}

export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  type: "array";
  items: Items;
}

export type ObjectSchemaProperties = Readonly<Record<string, Schema>>;

/** A property of an object: its name, a JSON path into it, or either with a label. */
export type PropertyIdentifier = string | { property: string; label?: string | undefined; placeholder?: string | undefined };

/** The members of an object schema beside its `type`. */
export interface ObjectSchemaDefinition<Properties extends ObjectSchemaProperties = ObjectSchemaProperties, Name extends string = string>
  extends PropertyOptions,
    PropertyWithOptions<Record<string, unknown>> {
  /** The members of the objects, by name. */
  properties: Properties;
  codaType?: "person" | "reference" | "selectList" | undefined;
  /** The property that identifies an object. */
  idProperty?: Name | undefined;
  /** The property that is shown for the object. */
  displayProperty?: Name | undefined;
  /** The properties that are shown first. */
  featuredProperties?: readonly Name[] | undefined;
  identity?: { name: string; dynamicUrl?: string | undefined; packId?: number | undefined } | undefined;
  attribution?: readonly AttributionNode[] | undefined;
  /** Whether members that no property names are kept. @default false */
  includeUnknownProperties?: boolean | undefined;
  /** @default displayProperty */
  titleProperty?: PropertyIdentifier | undefined;
  linkProperty?: PropertyIdentifier | undefined;
  /** @default featuredProperties */
  subtitleProperties?: readonly PropertyIdentifier[] | undefined;
  snippetProperty?: PropertyIdentifier | undefined;
  imageProperty?: PropertyIdentifier | undefined;
  createdAtProperty?: PropertyIdentifier | undefined;
  createdByProperty?: PropertyIdentifier | undefined;
  modifiedAtProperty?: PropertyIdentifier | undefined;
  modifiedByProperty?: PropertyIdentifier | undefined;
  userEmailProperty?: PropertyIdentifier | undefined;
}

/** Names the source of an object's data. */
export type AttributionNode =
  | { type: 1; text: string }
  | { type: 2; anchorUrl: string; anchorText: string }
  | { type: 3; anchorUrl: string; imageUrl: string };

export interface ObjectSchema<Properties extends ObjectSchemaProperties = ObjectSchemaProperties>
  extends ObjectSchemaDefinition<Properties> {
  type: "object";
}

/** What kind of value something is, and how it is shown. */
export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;

/** Gives a schema its literal types. @returns the schema itself */
export function makeSchema<const Definition extends Schema>(schema: Definition): Definition {
  return schema;
}

/** Defines an object schema. Keep it in a constant to use it in several formulas. */
export function makeObjectSchema<const Properties extends ObjectSchemaProperties>(
  definition: ObjectSchemaDefinition<Properties, Extract<keyof NoInfer<Properties>, string>> & { type?: "object" | undefined },
): ObjectSchema<Properties> {
  return { ...definition, type: "object" };
}
