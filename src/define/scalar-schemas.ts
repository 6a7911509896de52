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

/**
 * Members of a schema that describes a property of an object. They can be changed, so you can build
 * a schema step by step.
 */
export interface PropertyOptions {
  /** What the value means. */
  description?: string | undefined;
  /**
   * Name of the member in the object that `execute` returns, when it differs from the property's
   * name.
   */
  fromKey?: string | undefined;
  /** The name that users see. */
  displayName?: string | undefined;
  /** The value is never missing. @default false */
  required?: boolean | undefined;
  /** Users may edit the value. @default false */
  mutable?: boolean | undefined;
  /** An ID for the column. If you rename the property, users keep the column. */
  fixedId?: string | undefined;
}
/** Another name of `PropertyOptions`. */
export type ObjectSchemaProperty = PropertyOptions;

/** Yes or no. */
export interface BooleanSchema extends PropertyOptions {
  /** Selects the schema of a yes or no. */
  readonly type: "boolean";
  /** Shows a switch instead of a checkbox. */
  readonly codaType?: "toggle" | undefined;
}

interface BaseNumberSchema extends PropertyOptions {
  /** Selects the schema of a number. */
  readonly type: "number";
}
/** A number, or a percentage (0.5 is 50 %). */
export interface NumericSchema extends BaseNumberSchema {
  /** Shows a percentage. */
  readonly codaType?: "percent" | undefined;
  /** Digits after the decimal point. */
  readonly precision?: number | undefined;
  /** Shows large numbers in groups of three digits. @default false */
  readonly useThousandsSeparator?: boolean | undefined;
}
/** A day, as seconds since 1970. */
export interface NumericDateSchema extends BaseNumberSchema {
  /** Shows the number as a day. */
  readonly codaType: "date";
  /** A Moment pattern, such as `"YYYY-MM-DD"`. */
  readonly format?: string | undefined;
}
/** A time of the day, as seconds. */
export interface NumericTimeSchema extends BaseNumberSchema {
  /** Shows the number as a time of the day. */
  readonly codaType: "time";
  /** A Moment pattern, such as `"HH:mm"`. */
  readonly format?: string | undefined;
}
/** A moment, as seconds since 1970. */
export interface NumericDateTimeSchema extends BaseNumberSchema {
  /** Shows the number as a date and time. */
  readonly codaType: "datetime";
  /** A Moment pattern. */
  readonly dateFormat?: string | undefined;
  /** A Moment pattern. */
  readonly timeFormat?: string | undefined;
}
/** A duration, in days. */
export interface NumericDurationSchema extends BaseNumberSchema {
  /** Shows the number as a duration. */
  readonly codaType: "duration";
  /** How the duration is rounded. Only 1 has an effect, and it is the default. */
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An amount of money. */
export interface CurrencySchema extends BaseNumberSchema {
  /** Shows the number as an amount of money. */
  readonly codaType: "currency";
  /** Digits after the decimal point. */
  readonly precision?: number | undefined;
  /** ISO 4217, such as `"EUR"`. */
  readonly currencyCode?: string | undefined;
  /** Whether and where the symbol of the currency is shown. */
  readonly format?: CurrencyFormat | undefined;
}
interface RangeSchema extends BaseNumberSchema {
  /** A number, or the text of a formula. @default 0 */
  readonly minimum?: number | string | undefined;
  /** A number, or the text of a formula. */
  readonly maximum?: number | string | undefined;
  /** A number, or the text of a formula. */
  readonly step?: number | string | undefined;
  /** Also shows the number. */
  readonly showValue?: boolean | undefined;
}
/** A number that is set with a slider. */
export interface SliderSchema extends RangeSchema {
  /** Shows the number as a slider. */
  readonly codaType: "slider";
}
/** A number that is shown as a bar. */
export interface ProgressBarSchema extends RangeSchema {
  /** Shows the number as a bar. */
  readonly codaType: "progressBar";
}
/** A number that is shown as a row of icons. */
export interface ScaleSchema extends BaseNumberSchema {
  /** Shows the number as a row of icons. */
  readonly codaType: "scale";
  /** The number of icons. */
  readonly maximum?: number | undefined;
  /** The icon. */
  readonly icon?: ScaleIconSet | undefined;
}
/** A number. The value hint decides which other members the schema has. */
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

export interface BaseStringSchema extends PropertyOptions {
  /** Selects the schema of a text. */
  readonly type: "string";
}
/** Text. With a hint: Markdown, HTML or the URL of a file. */
export interface SimpleStringSchema extends BaseStringSchema {
  /** The format of the text, if it is not plain text. */
  readonly codaType?: "attachment" | "html" | "markdown" | undefined;
}
/** A day, as text that can be parsed. */
export interface StringDateSchema extends BaseStringSchema {
  /** Shows the text as a day. */
  readonly codaType: "date";
  /** A Moment pattern. */
  readonly format?: string | undefined;
}
/** A time of the day, as text. */
export interface StringTimeSchema extends BaseStringSchema {
  /** Shows the text as a time of the day. */
  readonly codaType: "time";
  /** A Moment pattern. */
  readonly format?: string | undefined;
}
/** A moment, as text that can be parsed. */
export interface StringDateTimeSchema extends BaseStringSchema {
  /** Shows the text as a date and time. */
  readonly codaType: "datetime";
  /** A Moment pattern. */
  readonly dateFormat?: string | undefined;
  /** A Moment pattern. */
  readonly timeFormat?: string | undefined;
}
/** A duration, as text such as `"3 hours"`. */
export interface DurationSchema extends BaseStringSchema {
  /** Shows the text as a duration. */
  readonly codaType: "duration";
  /** How the duration is rounded. Only 1 has an effect, and it is the default. */
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An e-mail address. */
export interface EmailSchema extends BaseStringSchema {
  /** Shows the text as an e-mail address. */
  readonly codaType: "email";
  /** What is shown: an icon, the address or both. @default "iconAndEmail" */
  readonly display?: EmailDisplayType | undefined;
}
/** A URL. */
export interface LinkSchema extends BaseStringSchema {
  /** Shows the text as a link. */
  readonly codaType: "url";
  /** How the link is shown. */
  readonly display?: LinkDisplayType | undefined;
  /** Embeds the page even if it does not offer a preview. Only with the display `embed`. */
  readonly force?: boolean | undefined;
}
/** A URL whose page is embedded in the document. */
export interface StringEmbedSchema extends BaseStringSchema {
  /** Shows the page at the URL. */
  readonly codaType: "embed";
  /** Embeds the page even if it does not offer a preview. @default false */
  readonly force?: boolean | undefined;
}
/**
 * The URL of an image. `image` shows it from there, `imageAttachment` copies it into the document.
 */
export interface ImageSchema extends BaseStringSchema {
  /** Whether the image is shown from its URL or copied into the document. */
  readonly codaType: "image" | "imageAttachment";
  /** Whether the image has a border. @default "solid" */
  readonly imageOutline?: ImageOutline | undefined;
  /** How the corners look. @default "rounded" */
  readonly imageCornerStyle?: ImageCornerStyle | undefined;
  /** The shape of the image. @default "auto" */
  readonly imageShapeStyle?: ImageShapeStyle | undefined;
  /** Pixels, or the text of a formula; 0 is the default size. */
  readonly width?: number | string | undefined;
  /** Pixels, or the text of a formula; 0 is the default size. */
  readonly height?: number | string | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface CodaInternalRichTextSchema extends BaseStringSchema {
  readonly codaType: "codaInternalRichText";
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly isCanvas?: boolean | undefined;
}
