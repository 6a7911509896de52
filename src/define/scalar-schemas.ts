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

/** The options that every property schema has. */
export interface PropertyOptions {
  /** A description of the value. */
  description?: string | undefined;
  /**
   * The name of the field in the object that `execute` returns. Set `fromKey` if this name differs
   * from the property name.
   */
  fromKey?: string | undefined;
  /** The name that users see. */
  displayName?: string | undefined;
  /** Sets whether the value is always present. @default false */
  required?: boolean | undefined;
  /** Allows users to edit the value. @default false */
  mutable?: boolean | undefined;
  /** The ID of the column. If you rename a property that has an ID, users keep their column. */
  fixedId?: string | undefined;
}
/** Another name of `PropertyOptions`. */
export type ObjectSchemaProperty = PropertyOptions;

/** The schema of a boolean value. */
export interface BooleanSchema extends PropertyOptions {
  /** Set to `ValueType.Boolean` to define a Boolean value. */
  readonly type: "boolean";
  /** Shows a switch instead of a checkbox. */
  readonly codaType?: "toggle" | undefined;
}

interface BaseNumberSchema extends PropertyOptions {
  /** Set to `ValueType.Number` to define a number. */
  readonly type: "number";
}
/** The schema of a number, or of a percentage (0.5 is 50%). */
export interface NumericSchema extends BaseNumberSchema {
  /** Shows a percentage. */
  readonly codaType?: "percent" | undefined;
  /** The number of digits after the decimal point. */
  readonly precision?: number | undefined;
  /** Shows a thousands separator in numbers. @default false */
  readonly useThousandsSeparator?: boolean | undefined;
}
/** A date, in seconds since 1970. */
export interface NumericDateSchema extends BaseNumberSchema {
  /** Shows the number as a date. */
  readonly codaType: "date";
  /** A Moment.js format string, such as `"YYYY-MM-DD"`. */
  readonly format?: string | undefined;
}
/** A time of day, in seconds. */
export interface NumericTimeSchema extends BaseNumberSchema {
  /** Shows the number as a time of day. */
  readonly codaType: "time";
  /** A Moment.js format string, such as `"HH:mm"`. */
  readonly format?: string | undefined;
}
/** A date and time, in seconds since 1970. */
export interface NumericDateTimeSchema extends BaseNumberSchema {
  /** Shows the number as a date and time. */
  readonly codaType: "datetime";
  /** A Moment.js format string. */
  readonly dateFormat?: string | undefined;
  /** A Moment.js format string. */
  readonly timeFormat?: string | undefined;
}
/** A duration, in days. */
export interface NumericDurationSchema extends BaseNumberSchema {
  /** Shows the number as a duration. */
  readonly codaType: "duration";
  /** The precision of the duration. Only the default value, 1, has an effect. */
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An amount of money. */
export interface CurrencySchema extends BaseNumberSchema {
  /** Shows the number as an amount of money. */
  readonly codaType: "currency";
  /** The number of digits after the decimal point. */
  readonly precision?: number | undefined;
  /** The currency code of ISO 4217, such as `"EUR"`. */
  readonly currencyCode?: string | undefined;
  /** The position of the currency symbol. */
  readonly format?: CurrencyFormat | undefined;
}
interface RangeSchema extends BaseNumberSchema {
  /** The minimum: a number, or a formula as a string. @default 0 */
  readonly minimum?: number | string | undefined;
  /** The maximum: a number, or a formula as a string. */
  readonly maximum?: number | string | undefined;
  /** The step between two values: a number, or a formula as a string. */
  readonly step?: number | string | undefined;
  /** Shows the number next to the control. */
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
/** The schema of a number. The other properties depend on the value hint. */
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
  /** Set to `ValueType.String` to define a string. */
  readonly type: "string";
}
/** The schema of a string. The value hint says whether the text is Markdown, HTML or a file URL. */
export interface SimpleStringSchema extends BaseStringSchema {
  /** The format of the text, if it is not plain text. */
  readonly codaType?: "attachment" | "html" | "markdown" | undefined;
}
/** The schema of a day. The value is a string that can be parsed as a date. */
export interface StringDateSchema extends BaseStringSchema {
  /** Shows the text as a date. */
  readonly codaType: "date";
  /** A Moment.js format string. */
  readonly format?: string | undefined;
}
/** A time of day, as a string. */
export interface StringTimeSchema extends BaseStringSchema {
  /** Shows the text as a time of day. */
  readonly codaType: "time";
  /** A Moment.js format string. */
  readonly format?: string | undefined;
}
/**
 * The schema of a date with a time. The value is a string that can be parsed as a date and time.
 */
export interface StringDateTimeSchema extends BaseStringSchema {
  /** Shows the text as a date and time. */
  readonly codaType: "datetime";
  /** A Moment.js format string. */
  readonly dateFormat?: string | undefined;
  /** A Moment.js format string. */
  readonly timeFormat?: string | undefined;
}
/** A duration, as a string such as `"3 hours"`. */
export interface DurationSchema extends BaseStringSchema {
  /** Shows the text as a duration. */
  readonly codaType: "duration";
  /** The precision of the duration. Only the default value, 1, has an effect. */
  readonly precision?: number | undefined;
  /** The largest unit that is shown. */
  readonly maxUnit?: DurationUnit | undefined;
}
/** An email address. */
export interface EmailSchema extends BaseStringSchema {
  /** Shows the text as an email address. */
  readonly codaType: "email";
  /** The appearance of the address: an icon, text or both. @default "iconAndEmail" */
  readonly display?: EmailDisplayType | undefined;
}
/** A URL. */
export interface LinkSchema extends BaseStringSchema {
  /** Shows the text as a link. */
  readonly codaType: "url";
  /** The display of the link. */
  readonly display?: LinkDisplayType | undefined;
  /**
   * Embeds the page even if the page offers no preview. This has an effect only if `display` is
   * `embed`.
   */
  readonly force?: boolean | undefined;
}
/** The URL of a page that is embedded in the document. */
export interface StringEmbedSchema extends BaseStringSchema {
  /** Shows the page at the URL. */
  readonly codaType: "embed";
  /** Embeds the page even if the page offers no preview. @default false */
  readonly force?: boolean | undefined;
}
/**
 * The schema of an image URL. With `image`, the document shows the image from this URL. With
 * `imageAttachment`, the document copies the image.
 */
export interface ImageSchema extends BaseStringSchema {
  /** Sets whether the document shows the image from the URL or copies it. */
  readonly codaType: "image" | "imageAttachment";
  /** Sets whether the image has a border. @default "solid" */
  readonly imageOutline?: ImageOutline | undefined;
  /** The shape of the corners. @default "rounded" */
  readonly imageCornerStyle?: ImageCornerStyle | undefined;
  /** The shape of the image. @default "auto" */
  readonly imageShapeStyle?: ImageShapeStyle | undefined;
  /** The width in pixels, or a formula as a string. 0 is the default width. */
  readonly width?: number | string | undefined;
  /** The height in pixels, or a formula as a string. 0 is the default height. */
  readonly height?: number | string | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface CodaInternalRichTextSchema extends BaseStringSchema {
  readonly codaType: "codaInternalRichText";
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly isCanvas?: boolean | undefined;
}
