import type {
  AttributionNodeType,
  ContentCategorizationType,
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  IndexingStrategy,
  LifecycleBehavior,
  LinkDisplayType,
  OptionsType,
  PermissionsBehavior,
  ScaleIconSet,
} from "./enumerations.ts";
import type { PropertyOptionsMetadataFunction } from "./metadata.ts";

/** What a schema may say when it describes a property of an object. Schemas may be built step by step, so none of it is fixed. */
export interface PropertyOptions {
  /** What the value is. */
  description?: string | undefined;
  /** Name of the member in the object that `execute` returns, when it is another than the property's. */
  fromKey?: string | undefined;
  /** Name that users see. */
  displayName?: string | undefined;
  /** The value is always there. @default false */
  required?: boolean | undefined;
  /** Users may edit the value. @default false */
  mutable?: boolean | undefined;
  /** Keeps the column when the property is renamed. */
  fixedId?: string | undefined;
}
/** Another name of `PropertyOptions`. */
export type ObjectSchemaProperty = PropertyOptions;

/** Yes or no. */
export interface BooleanSchema extends PropertyOptions {
  readonly type: "boolean";
  readonly codaType?: "toggle" | undefined;
}

interface BaseNumberSchema extends PropertyOptions {
  readonly type: "number";
}
/** A number, or a percentage (0.5 is 50 %). */
export interface NumericSchema extends BaseNumberSchema {
  readonly codaType?: "percent" | undefined;
  /** Digits after the decimal point. */
  readonly precision?: number | undefined;
  readonly useThousandsSeparator?: boolean | undefined;
}
/** A day, as seconds since 1970. */
export interface NumericDateSchema extends BaseNumberSchema {
  readonly codaType: "date";
  /** A Moment pattern, such as `"YYYY-MM-DD"`. */
  readonly format?: string | undefined;
}
/** A time of the day, as seconds. */
export interface NumericTimeSchema extends BaseNumberSchema {
  readonly codaType: "time";
  /** A Moment pattern, such as `"HH:mm"`. */
  readonly format?: string | undefined;
}
/** A moment, as seconds since 1970. */
export interface NumericDateTimeSchema extends BaseNumberSchema {
  readonly codaType: "datetime";
  /** A Moment pattern. */
  readonly dateFormat?: string | undefined;
  /** A Moment pattern. */
  readonly timeFormat?: string | undefined;
}
/** A span of time, in days. */
export interface NumericDurationSchema extends BaseNumberSchema {
  readonly codaType: "duration";
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An amount of money. */
export interface CurrencySchema extends BaseNumberSchema {
  readonly codaType: "currency";
  readonly precision?: number | undefined;
  /** ISO 4217, such as `"EUR"`. */
  readonly currencyCode?: string | undefined;
  readonly format?: CurrencyFormat | undefined;
}
interface RangeSchema extends BaseNumberSchema {
  /** A number, or the text of a formula. @default 0 */
  readonly minimum?: number | string | undefined;
  /** A number, or the text of a formula. */
  readonly maximum?: number | string | undefined;
  /** A number, or the text of a formula. */
  readonly step?: number | string | undefined;
  readonly showValue?: boolean | undefined;
}
/** A number that is set with a slider. */
export interface SliderSchema extends RangeSchema {
  readonly codaType: "slider";
}
/** A number that is shown as a bar. */
export interface ProgressBarSchema extends RangeSchema {
  readonly codaType: "progressBar";
}
/** A number that is shown as so many icons. */
export interface ScaleSchema extends BaseNumberSchema {
  readonly codaType: "scale";
  readonly maximum?: number | undefined;
  readonly icon?: ScaleIconSet | undefined;
}
/** A number; the value hint decides what else the schema says. */
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

interface BaseStringSchema extends PropertyOptions {
  readonly type: "string";
}
/** Text; with a hint Markdown, HTML or the URL of a file. */
export interface SimpleStringSchema extends BaseStringSchema {
  readonly codaType?: "attachment" | "html" | "markdown" | undefined;
}
/** A day, as text that can be read as one. */
export interface StringDateSchema extends BaseStringSchema {
  readonly codaType: "date";
  /** A Moment pattern. */
  readonly format?: string | undefined;
}
/** A time of the day, as text. */
export interface StringTimeSchema extends BaseStringSchema {
  readonly codaType: "time";
  /** A Moment pattern. */
  readonly format?: string | undefined;
}
/** A moment, as text that can be read as one. */
export interface StringDateTimeSchema extends BaseStringSchema {
  readonly codaType: "datetime";
  /** A Moment pattern. */
  readonly dateFormat?: string | undefined;
  /** A Moment pattern. */
  readonly timeFormat?: string | undefined;
}
/** A span of time, as text such as `"3 hours"`. */
export interface DurationSchema extends BaseStringSchema {
  readonly codaType: "duration";
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An e-mail address. */
export interface EmailSchema extends BaseStringSchema {
  readonly codaType: "email";
  /** @default "iconAndEmail" */
  readonly display?: EmailDisplayType | undefined;
}
/** A URL. */
export interface LinkSchema extends BaseStringSchema {
  readonly codaType: "url";
  readonly display?: LinkDisplayType | undefined;
  /** Embeds the page even when it has no preview of its own. Only with the display `embed`. */
  readonly force?: boolean | undefined;
}
/** A URL that is shown as the page behind it. */
export interface StringEmbedSchema extends BaseStringSchema {
  readonly codaType: "embed";
  readonly force?: boolean | undefined;
}
/** The URL of an image: shown from there, or copied into the document. */
export interface ImageSchema extends BaseStringSchema {
  readonly codaType: "image" | "imageAttachment";
  /** @default "solid" */
  readonly imageOutline?: ImageOutline | undefined;
  /** @default "rounded" */
  readonly imageCornerStyle?: ImageCornerStyle | undefined;
  /** @default "auto" */
  readonly imageShapeStyle?: ImageShapeStyle | undefined;
  /** Pixels, or the text of a formula; 0 is the default size. */
  readonly width?: number | string | undefined;
  /** Pixels, or the text of a formula; 0 is the default size. */
  readonly height?: number | string | undefined;
}
/** Text that is chosen from a list. */
export interface StringWithOptionsSchema extends BaseStringSchema, PropertyWithOptions<string> {
  readonly codaType: "selectList";
  /** Users may type a value that is not in the list. @default false */
  readonly allowNewValues?: boolean | undefined;
}
/** Accepted from older Packs. */
export interface CodaInternalRichTextSchema extends BaseStringSchema {
  readonly codaType: "codaInternalRichText";
  readonly isCanvas?: boolean | undefined;
}
/** A text; the value hint decides what else the schema says. */
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
  | StringWithOptionsSchema
  | CodaInternalRichTextSchema;

/** The value hints of a boolean. */
export type BooleanHintTypes = NonNullable<BooleanSchema["codaType"]>;
/** The value hints of a number. */
export type NumberHintTypes = NonNullable<NumberSchema["codaType"]>;
/** The value hints of a text. */
export type StringHintTypes = NonNullable<StringSchema["codaType"]>;
/** The value hints of an object. */
export type ObjectHintTypes = "person" | "reference" | "selectList";

/** The values of a select list: a list, a function that lists them, or `OptionsType.Dynamic` for the table's own function. */
export type PropertySchemaOptions<Value> =
  | readonly (Value | { readonly display: string; readonly value: Value })[]
  | PropertyOptionsMetadataFunction<readonly (Value | { readonly display: string; readonly value: Value })[]>
  | OptionsType;

/** A schema whose values are chosen from a list. */
export interface PropertyWithOptions<Value> {
  /** What can be chosen. */
  readonly options?: PropertySchemaOptions<Value> | undefined;
  /** An update is refused when the value is not in the list. @default false */
  readonly requireForUpdates?: boolean | undefined;
}

/** A list. */
export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  readonly type: "array";
  /** The schema of one element. */
  readonly items: Items;
}

/** The properties of an object, by name. */
export interface ObjectSchemaProperties {
  [name: string]: Schema;
}

/** What kind of thing an object is: rows of the same identity refer to each other. */
export interface IdentityDefinition {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** The dynamic table that the rows belong to. */
  dynamicUrl?: string | undefined;
  /** Accepted from older Packs. */
  mergeKey?: string | undefined;
  /** Accepted from older Packs. */
  attribution?: readonly AttributionNode[] | undefined;
}
/** An identity in a Pack other than this one. */
export interface Identity extends IdentityDefinition {
  readonly packId?: number | undefined;
}

/** A property with a label of its own where it is shown. */
export interface PropertyIdentifierDetails<Name extends string = string> {
  /** A property's name, or a path into nested properties. */
  readonly property: Name;
  /** `{VALUE}` is replaced by the value; the empty text hides the label. */
  readonly label?: string | undefined;
  /** Shown when there is no value. */
  readonly placeholder?: string | undefined;
}
/** Names a property: its name, a path into nested properties such as `owner.name`, or with a label. */
export type PropertyIdentifier<Name extends string = string> = Name | PropertyIdentifierDetails<Name>;

/** A property that search looks into. */
export type BasicIndexedProperty = PropertyIdentifier;
/** A property that search looks into, and how. */
export type IndexedProperty =
  | BasicIndexedProperty
  | { readonly property: PropertyIdentifier /** Accepted from older Packs. */; readonly strategy: IndexingStrategy };
/** Properties that are shown to search beside each indexed one. */
export type ContextProperties = readonly PropertyIdentifier[];
/** A property by which search results are narrowed. */
export type FilterableProperty = PropertyIdentifier;

interface BaseIndexDefinition {
  /** Properties that give an indexed one its context. */
  readonly contextProperties?: ContextProperties | undefined;
  /** Properties by which results are narrowed; at most 5. */
  readonly filterableProperties?: readonly FilterableProperty[] | undefined;
  /** Accepted from older Packs. */
  readonly authorityNormProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  readonly popularityNormProperty?: PropertyIdentifier | undefined;
}
/** What search knows of the rows. */
export interface CustomIndexDefinition extends BaseIndexDefinition {
  /** Text that is searched. */
  readonly properties: readonly IndexedProperty[];
}
/** Accepted from older Packs. */
export type ContentCategorization =
  | { readonly type: Exclude<ContentCategorizationType, "Email"> }
  | {
      readonly type: "Email";
      readonly toProperty: PropertyIdentifier;
      readonly fromProperty: PropertyIdentifier;
      readonly subjectProperty: PropertyIdentifier;
      readonly htmlBodyProperty: PropertyIdentifier;
      readonly plainTextBodyProperty: PropertyIdentifier;
    };
/** Accepted from older Packs. */
export interface CategorizationIndexDefinition extends BaseIndexDefinition {
  readonly contentCategorization: ContentCategorization;
}
/** What search finds of a row. */
export type IndexDefinition = CustomIndexDefinition | CategorizationIndexDefinition;

/** A line of text that says where data comes from. */
export interface TextAttributionNode {
  readonly type: AttributionNodeType.Text;
  readonly text: string;
}
/** A link that says where data comes from. */
export interface LinkAttributionNode {
  readonly type: AttributionNodeType.Link;
  readonly anchorUrl: string;
  readonly anchorText: string;
}
/** An image that says where data comes from. */
export interface ImageAttributionNode {
  readonly type: AttributionNodeType.Image;
  readonly anchorUrl: string;
  readonly imageUrl: string;
}
/** Says where data comes from. */
export type AttributionNode = TextAttributionNode | LinkAttributionNode | ImageAttributionNode;

/** Accepted from older Packs. */
export interface ParentDefinition {
  readonly parentIdProperty: PropertyIdentifier;
  readonly permissions?: PermissionsBehavior | undefined;
  readonly lifecycle?: LifecycleBehavior | undefined;
}

/** An object as its author writes it; `makeObjectSchema` adds the `type`. */
export interface ObjectSchemaDefinition<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends PropertyOptions,
    PropertyWithOptions<object> {
  type?: "object" | undefined;
  codaType?: ObjectHintTypes | undefined;
  properties: Properties;
  /** Property that identifies a row. */
  idProperty?: Id | undefined;
  /** Property that names a row. */
  displayProperty?: Display | undefined;
  /** Properties that users see first. */
  featuredProperties?: readonly string[] | undefined;
  /** Members that no property names are kept and shown. @default false */
  includeUnknownProperties?: Unknown | undefined;
  /** What kind of thing it is; a sync table sets it from its `identityName`. */
  identity?: Identity | undefined;
  /** Where the data comes from, for users to see. */
  attribution?: readonly AttributionNode[] | undefined;
  /** Title of the card. @default displayProperty */
  titleProperty?: PropertyIdentifier | undefined;
  /** Where the card leads: a Url property. */
  linkProperty?: PropertyIdentifier | undefined;
  /** Lines below the title. @default featuredProperties */
  subtitleProperties?: readonly PropertyIdentifier[] | undefined;
  /** Text of the card. */
  snippetProperty?: PropertyIdentifier | undefined;
  /** Image of the card. */
  imageProperty?: PropertyIdentifier | undefined;
  createdAtProperty?: PropertyIdentifier | undefined;
  createdByProperty?: PropertyIdentifier | undefined;
  modifiedAtProperty?: PropertyIdentifier | undefined;
  modifiedByProperty?: PropertyIdentifier | undefined;
  /** For a table of users: the property with their e-mail address. */
  userEmailProperty?: PropertyIdentifier | undefined;
  /** What search knows of the rows. */
  index?: IndexDefinition | undefined;
  /** Accepted from older Packs: `idProperty`. */
  id?: string | undefined;
  /** Accepted from older Packs: `displayProperty`. */
  primary?: string | undefined;
  /** Accepted from older Packs: `featuredProperties`. */
  featured?: readonly string[] | undefined;
  /** Accepted from older Packs. */
  userIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  groupIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  memberGroupIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  versionProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  parent?: ParentDefinition | undefined;
  /** Accepted from older Packs. */
  __packId?: number | undefined;
}

/** An object with named properties. */
export interface ObjectSchema<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends ObjectSchemaDefinition<Properties, Id, Display, Unknown> {
  type: "object";
  /** Properties that users see first. */
  featuredProperties?: string[] | undefined;
}
/** Any object schema. */
export type GenericObjectSchema = ObjectSchema;

/** What a value looks like, and how it is shown. */
export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;
