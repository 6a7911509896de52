// Generated from .ci/enumerations.mjs. To change it, edit that file and run: npm run docs

/**
 * The type of a parameter. Types with `Array` in their name are lists. Types with `Sparse` in their
 * name are lists that can contain `undefined`.
 */
export const ParameterType = {
  /** Text. */
  String: "string",
  /** A number. */
  Number: "number",
  /** True or false. */
  Boolean: "boolean",
  /** A date, with or without a time: a `Date`. */
  Date: "date",
  /** Text with HTML. */
  Html: "html",
  /** The URL of an image. */
  Image: "image",
  /** The URL of a file. */
  File: "file",
  /** Text with Markdown. */
  Markdown: "markdown",
  /** An email address. */
  Email: "email",
  /** A list of strings. */
  StringArray: "stringArray",
  /** A list of strings. An empty item is `undefined`. */
  SparseStringArray: "sparseStringArray",
  /** A list of numbers. */
  NumberArray: "numberArray",
  /** A list of numbers. An empty item is `undefined`. */
  SparseNumberArray: "sparseNumberArray",
  /** A list of booleans. */
  BooleanArray: "booleanArray",
  /** A list of booleans. An empty item is `undefined`. */
  SparseBooleanArray: "sparseBooleanArray",
  /** A list of email addresses. */
  EmailArray: "emailArray",
  /** A list of email addresses. An empty item is `undefined`. */
  SparseEmailArray: "sparseEmailArray",
  /** A list of dates. */
  DateArray: "dateArray",
  /** A list of dates. An empty item is `undefined`. */
  SparseDateArray: "sparseDateArray",
  /** A list of strings with HTML. */
  HtmlArray: "htmlArray",
  /** A list of strings with HTML. An empty item is `undefined`. */
  SparseHtmlArray: "sparseHtmlArray",
  /** A list of image URLs. */
  ImageArray: "imageArray",
  /** A list of image URLs. An empty item is `undefined`. */
  SparseImageArray: "sparseImageArray",
  /** A list of file URLs. */
  FileArray: "fileArray",
  /** A list of file URLs. An empty item is `undefined`. */
  SparseFileArray: "sparseFileArray",
  /** A list of strings with Markdown. */
  MarkdownArray: "markdownArray",
  /** A list of strings with Markdown. An empty item is `undefined`. */
  SparseMarkdownArray: "sparseMarkdownArray",
} as const;
export type ParameterType = (typeof ParameterType)[keyof typeof ParameterType];
export declare namespace ParameterType {
  /** Text. */
  type String = "string";
  /** A number. */
  type Number = "number";
  /** True or false. */
  type Boolean = "boolean";
  /** A date, with or without a time: a `Date`. */
  type Date = "date";
  /** Text with HTML. */
  type Html = "html";
  /** The URL of an image. */
  type Image = "image";
  /** The URL of a file. */
  type File = "file";
  /** Text with Markdown. */
  type Markdown = "markdown";
  /** An email address. */
  type Email = "email";
  /** A list of strings. */
  type StringArray = "stringArray";
  /** A list of strings. An empty item is `undefined`. */
  type SparseStringArray = "sparseStringArray";
  /** A list of numbers. */
  type NumberArray = "numberArray";
  /** A list of numbers. An empty item is `undefined`. */
  type SparseNumberArray = "sparseNumberArray";
  /** A list of booleans. */
  type BooleanArray = "booleanArray";
  /** A list of booleans. An empty item is `undefined`. */
  type SparseBooleanArray = "sparseBooleanArray";
  /** A list of email addresses. */
  type EmailArray = "emailArray";
  /** A list of email addresses. An empty item is `undefined`. */
  type SparseEmailArray = "sparseEmailArray";
  /** A list of dates. */
  type DateArray = "dateArray";
  /** A list of dates. An empty item is `undefined`. */
  type SparseDateArray = "sparseDateArray";
  /** A list of strings with HTML. */
  type HtmlArray = "htmlArray";
  /** A list of strings with HTML. An empty item is `undefined`. */
  type SparseHtmlArray = "sparseHtmlArray";
  /** A list of image URLs. */
  type ImageArray = "imageArray";
  /** A list of image URLs. An empty item is `undefined`. */
  type SparseImageArray = "sparseImageArray";
  /** A list of file URLs. */
  type FileArray = "fileArray";
  /** A list of file URLs. An empty item is `undefined`. */
  type SparseFileArray = "sparseFileArray";
  /** A list of strings with Markdown. */
  type MarkdownArray = "markdownArray";
  /** A list of strings with Markdown. An empty item is `undefined`. */
  type SparseMarkdownArray = "sparseMarkdownArray";
}

/** The type of a formula result or a schema. */
export const ValueType = {
  /** True or false. */
  Boolean: "boolean",
  /** A number. */
  Number: "number",
  /** Text. */
  String: "string",
  /** A list. `items` is the schema of its elements. */
  Array: "array",
  /** An object. `schema` or `properties` describe its fields. */
  Object: "object",
} as const;
export type ValueType = (typeof ValueType)[keyof typeof ValueType];
export declare namespace ValueType {
  /** True or false. */
  type Boolean = "boolean";
  /** A number. */
  type Number = "number";
  /** Text. */
  type String = "string";
  /** A list. `items` is the schema of its elements. */
  type Array = "array";
  /** An object. `schema` or `properties` describe its fields. */
  type Object = "object";
}

/**
 * A hint that determines how users see and edit a value. Each type of schema accepts some of these
 * hints.
 */
export const ValueHintType = {
  /** A day: text that can be parsed, or seconds since 1970. */
  Date: "date",
  /** A time of the day: text, or seconds. */
  Time: "time",
  /** A moment: text that can be parsed, or seconds since 1970. */
  DateTime: "datetime",
  /** A duration: text such as `"3 hours"`, or a number of days. */
  Duration: "duration",
  /** An email address. */
  Email: "email",
  /** A user, as an object with an email address. */
  Person: "person",
  /** A percentage: 0.5 is 50%. */
  Percent: "percent",
  /** An amount of money. */
  Currency: "currency",
  /** The URL of an image. The document shows the image from this URL. */
  ImageReference: "image",
  /** The URL of an image. The document copies the image. */
  ImageAttachment: "imageAttachment",
  /** A link. */
  Url: "url",
  /** Text with Markdown, shown formatted. */
  Markdown: "markdown",
  /** Text with HTML, shown formatted. */
  Html: "html",
  /** The URL of a page. The document shows the page. */
  Embed: "embed",
  /** A row of a sync table: an object with the ID of the row. */
  Reference: "reference",
  /** The URL of a file. The document copies the file. */
  Attachment: "attachment",
  /** A number that is set with a slider. */
  Slider: "slider",
  /** A number that is shown as a row of icons. */
  Scale: "scale",
  /** A number that is shown as a bar. */
  ProgressBar: "progressBar",
  /** True or false, shown as a switch. */
  Toggle: "toggle",
  /** @deprecated Accepted for compatibility with existing Packs. */
  CodaInternalRichText: "codaInternalRichText",
  /** One of the options of the property. */
  SelectList: "selectList",
} as const;
export type ValueHintType = (typeof ValueHintType)[keyof typeof ValueHintType];
export declare namespace ValueHintType {
  /** A day: text that can be parsed, or seconds since 1970. */
  type Date = "date";
  /** A time of the day: text, or seconds. */
  type Time = "time";
  /** A moment: text that can be parsed, or seconds since 1970. */
  type DateTime = "datetime";
  /** A duration: text such as `"3 hours"`, or a number of days. */
  type Duration = "duration";
  /** An email address. */
  type Email = "email";
  /** A user, as an object with an email address. */
  type Person = "person";
  /** A percentage: 0.5 is 50%. */
  type Percent = "percent";
  /** An amount of money. */
  type Currency = "currency";
  /** The URL of an image. The document shows the image from this URL. */
  type ImageReference = "image";
  /** The URL of an image. The document copies the image. */
  type ImageAttachment = "imageAttachment";
  /** A link. */
  type Url = "url";
  /** Text with Markdown, shown formatted. */
  type Markdown = "markdown";
  /** Text with HTML, shown formatted. */
  type Html = "html";
  /** The URL of a page. The document shows the page. */
  type Embed = "embed";
  /** A row of a sync table: an object with the ID of the row. */
  type Reference = "reference";
  /** The URL of a file. The document copies the file. */
  type Attachment = "attachment";
  /** A number that is set with a slider. */
  type Slider = "slider";
  /** A number that is shown as a row of icons. */
  type Scale = "scale";
  /** A number that is shown as a bar. */
  type ProgressBar = "progressBar";
  /** True or false, shown as a switch. */
  type Toggle = "toggle";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type CodaInternalRichText = "codaInternalRichText";
  /** One of the options of the property. */
  type SelectList = "selectList";
}

/** The kind of authentication for accounts of the Pack. */
export const AuthenticationType = {
  /** No account. */
  None: "None",
  /** A token in `Authorization: Bearer`. */
  HeaderBearerToken: "HeaderBearerToken",
  /** A token in a header that you name. */
  CustomHeaderToken: "CustomHeaderToken",
  /** Several tokens, each in its own header. */
  MultiHeaderToken: "MultiHeaderToken",
  /** A token in a URL parameter. Prefer a header. */
  QueryParamToken: "QueryParamToken",
  /** Several tokens in URL parameters. */
  MultiQueryParamToken: "MultiQueryParamToken",
  /** Users log in with a browser: authorization code (RFC 6749 §4.1). */
  OAuth2: "OAuth2",
  /** The client gets a token for itself (RFC 6749 §4.4). */
  OAuth2ClientCredentials: "OAuth2ClientCredentials",
  /** A user name and a password (RFC 7617). */
  WebBasic: "WebBasic",
  /** Custom values. Your requests insert these values with templates. */
  Custom: "Custom",
  /** Requests signed with an access key (Signature Version 4). */
  AWSAccessKey: "AWSAccessKey",
  /** Requests signed with the credentials of an assumed role. */
  AWSAssumeRole: "AWSAssumeRole",
  /** A token for the document service's own interface. */
  CodaApiHeaderBearerToken: "CodaApiHeaderBearerToken",
  /** @deprecated Accepted for compatibility with existing Packs. */
  GoogleDomainWideDelegation: "GoogleDomainWideDelegation",
  /** @deprecated Accepted for compatibility with existing Packs. */
  GoogleServiceAccount: "GoogleServiceAccount",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Various: "Various",
} as const;
export type AuthenticationType = (typeof AuthenticationType)[keyof typeof AuthenticationType];
export declare namespace AuthenticationType {
  /** No account. */
  type None = "None";
  /** A token in `Authorization: Bearer`. */
  type HeaderBearerToken = "HeaderBearerToken";
  /** A token in a header that you name. */
  type CustomHeaderToken = "CustomHeaderToken";
  /** Several tokens, each in its own header. */
  type MultiHeaderToken = "MultiHeaderToken";
  /** A token in a URL parameter. Prefer a header. */
  type QueryParamToken = "QueryParamToken";
  /** Several tokens in URL parameters. */
  type MultiQueryParamToken = "MultiQueryParamToken";
  /** Users log in with a browser: authorization code (RFC 6749 §4.1). */
  type OAuth2 = "OAuth2";
  /** The client gets a token for itself (RFC 6749 §4.4). */
  type OAuth2ClientCredentials = "OAuth2ClientCredentials";
  /** A user name and a password (RFC 7617). */
  type WebBasic = "WebBasic";
  /** Custom values. Your requests insert these values with templates. */
  type Custom = "Custom";
  /** Requests signed with an access key (Signature Version 4). */
  type AWSAccessKey = "AWSAccessKey";
  /** Requests signed with the credentials of an assumed role. */
  type AWSAssumeRole = "AWSAssumeRole";
  /** A token for the document service's own interface. */
  type CodaApiHeaderBearerToken = "CodaApiHeaderBearerToken";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type GoogleDomainWideDelegation = "GoogleDomainWideDelegation";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type GoogleServiceAccount = "GoogleServiceAccount";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Various = "Various";
}

/** Sets whether a formula needs a connected account. */
export const ConnectionRequirement = {
  /** Works without an account. */
  None: "none",
  /** Uses an account if the user chooses one. */
  Optional: "optional",
  /** Needs an account. */
  Required: "required",
} as const;
export type ConnectionRequirement =
  (typeof ConnectionRequirement)[keyof typeof ConnectionRequirement];
export declare namespace ConnectionRequirement {
  /** Works without an account. */
  type None = "none";
  /** Uses an account if the user chooses one. */
  type Optional = "optional";
  /** Needs an account. */
  type Required = "required";
}

/** The source of the options of a select list. */
export const OptionsType = {
  /** From a function, while the user edits the cell. */
  Dynamic: "__coda_dynamic__",
} as const;
export type OptionsType = (typeof OptionsType)[keyof typeof OptionsType];
export declare namespace OptionsType {
  /** From a function, while the user edits the cell. */
  type Dynamic = "__coda_dynamic__";
}

/** The display of an amount of money. */
export const CurrencyFormat = {
  /** The symbol before the number: `$2.50`. */
  Currency: "currency",
  /** The symbol at the left edge of the cell, the number at the right. */
  Accounting: "accounting",
  /** No symbol: `2.50`. */
  Financial: "financial",
} as const;
export type CurrencyFormat = (typeof CurrencyFormat)[keyof typeof CurrencyFormat];
export declare namespace CurrencyFormat {
  /** The symbol before the number: `$2.50`. */
  type Currency = "currency";
  /** The symbol at the left edge of the cell, the number at the right. */
  type Accounting = "accounting";
  /** No symbol: `2.50`. */
  type Financial = "financial";
}

/** The largest unit that is shown for a duration. */
export const DurationUnit = {
  /** Days. */
  Days: "days",
  /** Hours. */
  Hours: "hours",
  /** Minutes. */
  Minutes: "minutes",
  /** Seconds. */
  Seconds: "seconds",
} as const;
export type DurationUnit = (typeof DurationUnit)[keyof typeof DurationUnit];
export declare namespace DurationUnit {
  /** Days. */
  type Days = "days";
  /** Hours. */
  type Hours = "hours";
  /** Minutes. */
  type Minutes = "minutes";
  /** Seconds. */
  type Seconds = "seconds";
}

/** The display of an email address. */
export const EmailDisplayType = {
  /** An icon and the address. */
  IconAndEmail: "iconAndEmail",
  /** Only an icon. */
  IconOnly: "iconOnly",
  /** Only the address. */
  EmailOnly: "emailOnly",
} as const;
export type EmailDisplayType = (typeof EmailDisplayType)[keyof typeof EmailDisplayType];
export declare namespace EmailDisplayType {
  /** An icon and the address. */
  type IconAndEmail = "iconAndEmail";
  /** Only an icon. */
  type IconOnly = "iconOnly";
  /** Only the address. */
  type EmailOnly = "emailOnly";
}

/** The display of a link. */
export const LinkDisplayType = {
  /** Only an icon. */
  IconOnly: "iconOnly",
  /** The URL. */
  Url: "url",
  /** The title of the page. */
  Title: "title",
  /** A card with title, image and text of the page. */
  Card: "card",
  /** The page itself. */
  Embed: "embed",
} as const;
export type LinkDisplayType = (typeof LinkDisplayType)[keyof typeof LinkDisplayType];
export declare namespace LinkDisplayType {
  /** Only an icon. */
  type IconOnly = "iconOnly";
  /** The URL. */
  type Url = "url";
  /** The title of the page. */
  type Title = "title";
  /** A card with title, image and text of the page. */
  type Card = "card";
  /** The page itself. */
  type Embed = "embed";
}

/** Sets whether an image has a border. */
export const ImageOutline = {
  /** No border. */
  Disabled: "disabled",
  /** A border. */
  Solid: "solid",
} as const;
export type ImageOutline = (typeof ImageOutline)[keyof typeof ImageOutline];
export declare namespace ImageOutline {
  /** No border. */
  type Disabled = "disabled";
  /** A border. */
  type Solid = "solid";
}

/** The shape of the corners of an image. */
export const ImageCornerStyle = {
  /** Rounded corners. */
  Rounded: "rounded",
  /** Square corners. */
  Square: "square",
} as const;
export type ImageCornerStyle = (typeof ImageCornerStyle)[keyof typeof ImageCornerStyle];
export declare namespace ImageCornerStyle {
  /** Rounded corners. */
  type Rounded = "rounded";
  /** Square corners. */
  type Square = "square";
}

/** The shape of an image. */
export const ImageShapeStyle = {
  /** The shape that the image has. */
  Auto: "auto",
  /** A circle. */
  Circle: "circle",
} as const;
export type ImageShapeStyle = (typeof ImageShapeStyle)[keyof typeof ImageShapeStyle];
export declare namespace ImageShapeStyle {
  /** The shape that the image has. */
  type Auto = "auto";
  /** A circle. */
  type Circle = "circle";
}

/** The icon of a scale. */
export const ScaleIconSet = {
  Star: "star",
  Circle: "circle",
  Fire: "fire",
  Bug: "bug",
  Diamond: "diamond",
  Bell: "bell",
  ThumbsUp: "thumbsup",
  Heart: "heart",
  Chili: "chili",
  Smiley: "smiley",
  Lightning: "lightning",
  Currency: "currency",
  Coffee: "coffee",
  Person: "person",
  Battery: "battery",
  Cocktail: "cocktail",
  Cloud: "cloud",
  Sun: "sun",
  Checkmark: "checkmark",
  LightBulb: "lightbulb",
} as const;
export type ScaleIconSet = (typeof ScaleIconSet)[keyof typeof ScaleIconSet];
export declare namespace ScaleIconSet {
  type Star = "star";
  type Circle = "circle";
  type Fire = "fire";
  type Bug = "bug";
  type Diamond = "diamond";
  type Bell = "bell";
  type ThumbsUp = "thumbsup";
  type Heart = "heart";
  type Chili = "chili";
  type Smiley = "smiley";
  type Lightning = "lightning";
  type Currency = "currency";
  type Coffee = "coffee";
  type Person = "person";
  type Battery = "battery";
  type Cocktail = "cocktail";
  type Cloud = "cloud";
  type Sun = "sun";
  type Checkmark = "checkmark";
  type LightBulb = "lightbulb";
}

/** The reason why the previous attempt failed. */
export const InvocationErrorType = {
  /** The attempt took too long. */
  Timeout: "Timeout",
  /** A response was larger than the document service allows. */
  ResponseTooLarge: "ResponseTooLarge",
  /** A response had a status of 400 or above, and the Pack did not catch the error. */
  HttpStatusError: "HttpStatusError",
  /** The API or the document service rejected the request because there were too many requests. */
  RateLimitExceeded: "RateLimitExceeded",
  /** Another reason. */
  Unknown: "Unknown",
} as const;
export type InvocationErrorType = (typeof InvocationErrorType)[keyof typeof InvocationErrorType];
export declare namespace InvocationErrorType {
  /** The attempt took too long. */
  type Timeout = "Timeout";
  /** A response was larger than the document service allows. */
  type ResponseTooLarge = "ResponseTooLarge";
  /** A response had a status of 400 or above, and the Pack did not catch the error. */
  type HttpStatusError = "HttpStatusError";
  /** The API or the document service rejected the request because there were too many requests. */
  type RateLimitExceeded = "RateLimitExceeded";
  /** Another reason. */
  type Unknown = "Unknown";
}

/** The location of the client credentials in a token request. */
export const TokenExchangeCredentialsLocation = {
  /** In the body first. If the server refuses the client, in the `Authorization` header. */
  Automatic: "Automatic",
  /** In the form, as `client_id` and `client_secret`. */
  Body: "Body",
  /** In the `Authorization` header, as `Basic` (RFC 6749 §2.3.1). */
  AuthorizationHeader: "AuthorizationHeader",
} as const;
export type TokenExchangeCredentialsLocation =
  (typeof TokenExchangeCredentialsLocation)[keyof typeof TokenExchangeCredentialsLocation];
export declare namespace TokenExchangeCredentialsLocation {
  /** In the body first. If the server refuses the client, in the `Authorization` header. */
  type Automatic = "Automatic";
  /** In the form, as `client_id` and `client_secret`. */
  type Body = "Body";
  /** In the `Authorization` header, as `Basic` (RFC 6749 §2.3.1). */
  type AuthorizationHeader = "AuthorizationHeader";
}

/**
 * A step that runs after the user has entered the credentials of an account, and before the first
 * use of the account.
 */
export const PostSetupType = {
  /** The user picks the endpoint of the account. */
  SetEndpoint: "SetEndPoint",
} as const;
export type PostSetupType = (typeof PostSetupType)[keyof typeof PostSetupType];
export declare namespace PostSetupType {
  /** The user picks the endpoint of the account. */
  type SetEndpoint = "SetEndPoint";
}

/** The HTTP status codes of responses, by name. */
export const HttpStatusCode = {
  Ok: 200,
  Created: 201,
  Accepted: 202,
  NoContent: 204,
  MovedPermanently: 301,
  RedirectFound: 302,
  PermanentRedirect: 308,
  BadRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  NotAcceptable: 406,
  Conflict: 409,
  Gone: 410,
  PayloadTooLarge: 413,
  UnprocessableEntity: 422,
  Locked: 423,
  TooManyRequests: 429,
  ClientClosedRequest: 499,
  InternalServer: 500,
  NotImplemented: 501,
  BadGateway: 502,
  ServiceUnavailable: 503,
} as const;
export type HttpStatusCode = (typeof HttpStatusCode)[keyof typeof HttpStatusCode];
export declare namespace HttpStatusCode {
  type Ok = 200;
  type Created = 201;
  type Accepted = 202;
  type NoContent = 204;
  type MovedPermanently = 301;
  type RedirectFound = 302;
  type PermanentRedirect = 308;
  type BadRequest = 400;
  type Unauthorized = 401;
  type PaymentRequired = 402;
  type Forbidden = 403;
  type NotFound = 404;
  type NotAcceptable = 406;
  type Conflict = 409;
  type Gone = 410;
  type PayloadTooLarge = 413;
  type UnprocessableEntity = 422;
  type Locked = 423;
  type TooManyRequests = 429;
  type ClientClosedRequest = 499;
  type InternalServer = 500;
  type NotImplemented = 501;
  type BadGateway = 502;
  type ServiceUnavailable = 503;
}

/** The numbers of value types in a compiled definition. You rarely need these numbers. */
export const Type = {
  /** Text. */
  string: 0,
  /** A number. */
  number: 1,
  /** An object or a list. */
  object: 2,
  /** True or false. */
  boolean: 3,
  /** A date. */
  date: 4,
  /** Text with HTML. */
  html: 5,
  /** The URL of an image. */
  image: 6,
  /** The URL of a file. */
  file: 7,
  /** Text with Markdown. */
  markdown: 8,
  /** An email address. */
  email: 9,
} as const;
export type Type = (typeof Type)[keyof typeof Type];

/** The content of an attribution. */
export const AttributionNodeType = {
  /** A line of text. */
  Text: 1,
  /** A link. */
  Link: 2,
  /** An image with a link. */
  Image: 3,
} as const;
export type AttributionNodeType = (typeof AttributionNodeType)[keyof typeof AttributionNodeType];
export declare namespace AttributionNodeType {
  /** A line of text. */
  type Text = 1;
  /** A link. */
  type Link = 2;
  /** An image with a link. */
  type Image = 3;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const NetworkConnection = {
  None: "none",
  Optional: "optional",
  Required: "required",
} as const;
export type NetworkConnection = (typeof NetworkConnection)[keyof typeof NetworkConnection];
export declare namespace NetworkConnection {
  type None = "none";
  type Optional = "optional";
  type Required = "required";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const FormulaPurpose = {
  Search: "search",
} as const;
export type FormulaPurpose = (typeof FormulaPurpose)[keyof typeof FormulaPurpose];
export declare namespace FormulaPurpose {
  type Search = "search";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const ReservedAuthenticationNames = {
  Default: "defaultUserAuthentication",
  System: "systemAuthentication",
} as const;
export type ReservedAuthenticationNames =
  (typeof ReservedAuthenticationNames)[keyof typeof ReservedAuthenticationNames];
export declare namespace ReservedAuthenticationNames {
  type Default = "defaultUserAuthentication";
  type System = "systemAuthentication";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const IndexingStrategy = {
  Standard: "standard",
  Raw: "raw",
} as const;
export type IndexingStrategy = (typeof IndexingStrategy)[keyof typeof IndexingStrategy];
export declare namespace IndexingStrategy {
  type Standard = "standard";
  type Raw = "raw";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const ContentCategorizationType = {
  Messaging: "Messaging",
  Document: "Document",
  Email: "Email",
  Comment: "Comment",
} as const;
export type ContentCategorizationType =
  (typeof ContentCategorizationType)[keyof typeof ContentCategorizationType];
export declare namespace ContentCategorizationType {
  type Messaging = "Messaging";
  type Document = "Document";
  type Email = "Email";
  type Comment = "Comment";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const PermissionsBehavior = {
  Inherit: "Inherit",
} as const;
export type PermissionsBehavior = (typeof PermissionsBehavior)[keyof typeof PermissionsBehavior];
export declare namespace PermissionsBehavior {
  type Inherit = "Inherit";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const LifecycleBehavior = {
  Inherit: "Inherit",
} as const;
export type LifecycleBehavior = (typeof LifecycleBehavior)[keyof typeof LifecycleBehavior];
export declare namespace LifecycleBehavior {
  type Inherit = "Inherit";
}

/**
 * A period of days, relative to today. You can use a period as the suggested value of a `DateArray`
 * parameter.
 */
export const PrecannedDateRange = {
  Yesterday: "yesterday",
  Last7Days: "last_7_days",
  Last30Days: "last_30_days",
  Last90Days: "last_90_days",
  Last180Days: "last_180_days",
  Last365Days: "last_365_days",
  LastWeek: "last_week",
  LastMonth: "last_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last3Months: "last_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last6Months: "last_6_months",
  LastYear: "last_year",
  Today: "today",
  ThisWeek: "this_week",
  ThisMonth: "this_month",
  YearToDate: "year_to_date",
  ThisYear: "this_year",
  Last7AndNext7Days: "last_7_and_next_7_days",
  Last30AndNext30Days: "last_30_and_next_30_days",
  Last90AndNext90Days: "last_90_and_next_90_days",
  Tomorrow: "tomorrow",
  Next7Days: "next_7_days",
  Next30Days: "next_30_days",
  Next90Days: "next_90_days",
  Next180Days: "next_180_days",
  Next365Days: "next_365_days",
  NextWeek: "next_week",
  NextMonth: "next_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next3Months: "next_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next6Months: "next_6_months",
  NextYear: "next_year",
  /** All days, from long ago to far in the future. */
  Everything: "everything",
} as const;
export type PrecannedDateRange = (typeof PrecannedDateRange)[keyof typeof PrecannedDateRange];
export declare namespace PrecannedDateRange {
  type Yesterday = "yesterday";
  type Last7Days = "last_7_days";
  type Last30Days = "last_30_days";
  type Last90Days = "last_90_days";
  type Last180Days = "last_180_days";
  type Last365Days = "last_365_days";
  type LastWeek = "last_week";
  type LastMonth = "last_month";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Last3Months = "last_3_months";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Last6Months = "last_6_months";
  type LastYear = "last_year";
  type Today = "today";
  type ThisWeek = "this_week";
  type ThisMonth = "this_month";
  type YearToDate = "year_to_date";
  type ThisYear = "this_year";
  type Last7AndNext7Days = "last_7_and_next_7_days";
  type Last30AndNext30Days = "last_30_and_next_30_days";
  type Last90AndNext90Days = "last_90_and_next_90_days";
  type Tomorrow = "tomorrow";
  type Next7Days = "next_7_days";
  type Next30Days = "next_30_days";
  type Next90Days = "next_90_days";
  type Next180Days = "next_180_days";
  type Next365Days = "next_365_days";
  type NextWeek = "next_week";
  type NextMonth = "next_month";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Next3Months = "next_3_months";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Next6Months = "next_6_months";
  type NextYear = "next_year";
  /** All days, from long ago to far in the future. */
  type Everything = "everything";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const PrecannedDate = {
  Today: "today",
  Yesterday: "yesterday",
  Tomorrow: "tomorrow",
  DaysAgo7: "7_days_ago",
  DaysAgo30: "30_days_ago",
  DaysAgo90: "90_days_ago",
  DaysAgo180: "180_days_ago",
  DaysAgo365: "365_days_ago",
  DaysAhead7: "7_days_ahead",
  DaysAhead30: "30_days_ahead",
  DaysAhead90: "90_days_ahead",
  DaysAhead180: "180_days_ahead",
  DaysAhead365: "365_days_ahead",
} as const;
export type PrecannedDate = (typeof PrecannedDate)[keyof typeof PrecannedDate];
export declare namespace PrecannedDate {
  type Today = "today";
  type Yesterday = "yesterday";
  type Tomorrow = "tomorrow";
  type DaysAgo7 = "7_days_ago";
  type DaysAgo30 = "30_days_ago";
  type DaysAgo90 = "90_days_ago";
  type DaysAgo180 = "180_days_ago";
  type DaysAgo365 = "365_days_ago";
  type DaysAhead7 = "7_days_ahead";
  type DaysAhead30 = "30_days_ahead";
  type DaysAhead90 = "90_days_ahead";
  type DaysAhead180 = "180_days_ahead";
  type DaysAhead365 = "365_days_ahead";
}

/** Sets whether search indexes the rows of a table. */
export const DataIndexing = {
  /** Search finds the rows, unless users exclude the table. */
  Include: "include",
  /** Search does not find the rows, unless users include the table. */
  Exclude: "exclude",
} as const;
export type DataIndexing = (typeof DataIndexing)[keyof typeof DataIndexing];
export declare namespace DataIndexing {
  /** Search finds the rows, unless users exclude the table. */
  type Include = "include";
  /** Search does not find the rows, unless users include the table. */
  type Exclude = "exclude";
}

/** Sets whether a sync uses the permissions of the user or the permissions of the rows. */
export const PermissionSyncMode = {
  /** The sync belongs to one account. Syncs of documents are always personal. */
  Personal: "Personal",
  /** The rows keep the permissions that they have in the source. */
  PermissionAware: "PermissionAware",
} as const;
export type PermissionSyncMode = (typeof PermissionSyncMode)[keyof typeof PermissionSyncMode];
export declare namespace PermissionSyncMode {
  /** The sync belongs to one account. Syncs of documents are always personal. */
  type Personal = "Personal";
  /** The rows keep the permissions that they have in the source. */
  type PermissionAware = "PermissionAware";
}

/** The place from which a formula was called. */
export const InvocationSource = {
  /** @deprecated Accepted for compatibility with existing Packs. */
  Brain: "Brain",
  /** A document. */
  Doc: "Doc",
  /** An assistant. */
  Go: "Go",
  /** @deprecated Accepted for compatibility with existing Packs. */
  NativeIntegration: "NativeIntegration",
} as const;
export type InvocationSource = (typeof InvocationSource)[keyof typeof InvocationSource];
export declare namespace InvocationSource {
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Brain = "Brain";
  /** A document. */
  type Doc = "Doc";
  /** An assistant. */
  type Go = "Go";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type NativeIntegration = "NativeIntegration";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const UpdateOutcome = {
  Success: "success",
  Error: "error",
} as const;
export type UpdateOutcome = (typeof UpdateOutcome)[keyof typeof UpdateOutcome];
export declare namespace UpdateOutcome {
  type Success = "success";
  type Error = "error";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const PrincipalType = {
  User: "user",
  Group: "group",
  Anyone: "anyone",
  AllUsers: "allUsers",
  Domain: "domain",
} as const;
export type PrincipalType = (typeof PrincipalType)[keyof typeof PrincipalType];
export declare namespace PrincipalType {
  type User = "user";
  type Group = "group";
  type Anyone = "anyone";
  type AllUsers = "allUsers";
  type Domain = "domain";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const PermissionType = {
  Delegated: "delegated",
  Direct: "direct",
} as const;
export type PermissionType = (typeof PermissionType)[keyof typeof PermissionType];
export declare namespace PermissionType {
  type Delegated = "delegated";
  type Direct = "direct";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const TableRole = {
  Users: "users",
  GroupMembers: "groupMembers",
} as const;
export type TableRole = (typeof TableRole)[keyof typeof TableRole];
export declare namespace TableRole {
  type Users = "users";
  type GroupMembers = "groupMembers";
}

/** The type of a tool that a skill can use. */
export const ToolType = {
  /** Formulas of a Pack. */
  Pack: "Pack",
  /** Indexed rows. */
  Knowledge: "Knowledge",
  /** Suggestions next to what the user sees. */
  ScreenAnnotation: "ScreenAnnotation",
  /** Servers of the Model Context Protocol (MCP). */
  MCP: "MCP",
  /** The people that the user means. */
  ContactResolution: "ContactResolution",
  /** @deprecated Accepted for compatibility with existing Packs. */
  CodaDocsAndTables: "CodaDocsAndTables",
  /** The web. */
  WebSearch: "WebSearch",
  /** @deprecated Accepted for compatibility with existing Packs. */
  EmbeddedContent: "EmbeddedContent",
  /** @deprecated Accepted for compatibility with existing Packs. */
  MailAndCalendar: "MailAndCalendar",
} as const;
export type ToolType = (typeof ToolType)[keyof typeof ToolType];
export declare namespace ToolType {
  /** Formulas of a Pack. */
  type Pack = "Pack";
  /** Indexed rows. */
  type Knowledge = "Knowledge";
  /** Suggestions next to what the user sees. */
  type ScreenAnnotation = "ScreenAnnotation";
  /** Servers of the Model Context Protocol (MCP). */
  type MCP = "MCP";
  /** The people that the user means. */
  type ContactResolution = "ContactResolution";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type CodaDocsAndTables = "CodaDocsAndTables";
  /** The web. */
  type WebSearch = "WebSearch";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type EmbeddedContent = "EmbeddedContent";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type MailAndCalendar = "MailAndCalendar";
}

/** The source that a knowledge tool searches. */
export const KnowledgeToolSourceType = {
  /** @deprecated Accepted for compatibility with existing Packs. */
  Global: "Global",
  /** The rows that this Pack has indexed. */
  Pack: "Pack",
} as const;
export type KnowledgeToolSourceType =
  (typeof KnowledgeToolSourceType)[keyof typeof KnowledgeToolSourceType];
export declare namespace KnowledgeToolSourceType {
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Global = "Global";
  /** The rows that this Pack has indexed. */
  type Pack = "Pack";
}

/** The kind of screen annotation. */
export const ScreenAnnotationType = {
  /** Another wording for the user's text. */
  Rewrite: "Rewrite",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Guide: "Guide",
} as const;
export type ScreenAnnotationType = (typeof ScreenAnnotationType)[keyof typeof ScreenAnnotationType];
export declare namespace ScreenAnnotationType {
  /** Another wording for the user's text. */
  type Rewrite = "Rewrite";
  /** @deprecated Accepted for compatibility with existing Packs. */
  type Guide = "Guide";
}

/** A language model for a skill. */
export const SkillModel = {
  /** A model of the GPT-4 family. */
  OpenAIGPT4: "OpenAIGPT4",
  /** A model of the GPT-5 family. */
  OpenAIGPT5: "OpenAIGPT5",
} as const;
export type SkillModel = (typeof SkillModel)[keyof typeof SkillModel];
export declare namespace SkillModel {
  /** A model of the GPT-4 family. */
  type OpenAIGPT4 = "OpenAIGPT4";
  /** A model of the GPT-5 family. */
  type OpenAIGPT5 = "OpenAIGPT5";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const EmbeddedContentType = {
  /** Text that users can copy. */
  CopyableBlock: "CopyableBlock",
  /** Blocks that follow each other. */
  CarouselView: "CarouselView",
  /** Blocks in tabs. */
  TabView: "TabView",
} as const;
export type EmbeddedContentType = (typeof EmbeddedContentType)[keyof typeof EmbeddedContentType];
export declare namespace EmbeddedContentType {
  /** Text that users can copy. */
  type CopyableBlock = "CopyableBlock";
  /** Blocks that follow each other. */
  type CarouselView = "CarouselView";
  /** Blocks in tabs. */
  type TabView = "TabView";
}

/** The kind of trigger that starts an agent. */
export const DefaultTriggerKind = {
  /** Starts the agent at the times of a recurrence rule. */
  Schedule: "schedule",
  /** Starts the agent while the user writes. */
  WhileWriting: "whileWriting",
} as const;
export type DefaultTriggerKind = (typeof DefaultTriggerKind)[keyof typeof DefaultTriggerKind];
export declare namespace DefaultTriggerKind {
  /** Starts the agent at the times of a recurrence rule. */
  type Schedule = "schedule";
  /** Starts the agent while the user writes. */
  type WhileWriting = "whileWriting";
}

/** Sets whether an agent makes suggestions before the user asks a question. */
export const ContextualTriggerAssistMode = {
  /** Waits until the user asks. */
  OnDemand: "on_demand",
  /** Makes suggestions without being asked. */
  Proactive: "proactive",
} as const;
export type ContextualTriggerAssistMode =
  (typeof ContextualTriggerAssistMode)[keyof typeof ContextualTriggerAssistMode];
export declare namespace ContextualTriggerAssistMode {
  /** Waits until the user asks. */
  type OnDemand = "on_demand";
  /** Makes suggestions without being asked. */
  type Proactive = "proactive";
}

/** The color of the suggestions of an agent. */
export const ContextualTriggerSuggestionColor = {
  Blue: "blue",
  Green: "green",
  Mulberry: "mulberry",
  Neutral: "neutral",
  Orange: "orange",
  Purple: "purple",
  Red: "red",
  Yellow: "yellow",
} as const;
export type ContextualTriggerSuggestionColor =
  (typeof ContextualTriggerSuggestionColor)[keyof typeof ContextualTriggerSuggestionColor];
export declare namespace ContextualTriggerSuggestionColor {
  type Blue = "blue";
  type Green = "green";
  type Mulberry = "mulberry";
  type Neutral = "neutral";
  type Orange = "orange";
  type Purple = "purple";
  type Red = "red";
  type Yellow = "yellow";
}

/** The mark that shows a suggestion in the text. */
export const ContextualTriggerDecorationStyle = {
  /** The document service chooses. */
  Auto: "auto",
  /** A line below the text. */
  Underline: "underline",
  /** A vertical bar next to the text. */
  Vbar: "vbar",
} as const;
export type ContextualTriggerDecorationStyle =
  (typeof ContextualTriggerDecorationStyle)[keyof typeof ContextualTriggerDecorationStyle];
export declare namespace ContextualTriggerDecorationStyle {
  /** The document service chooses. */
  type Auto = "auto";
  /** A line below the text. */
  type Underline = "underline";
  /** A vertical bar next to the text. */
  type Vbar = "vbar";
}

/** The programs in which an agent can help while the user writes. */
export const ContextualTriggerSurface = {
  /** Chats and messages. */
  ChatAndMessages: "chat_messages",
  /** Code editors. */
  CodingEnvironment: "coding_environment",
  /** Help desks. */
  CustomerService: "customer_service",
  /** Documents. */
  Docs: "docs",
  /** E-mail. */
  Email: "email",
  /** Search pages and the browser. */
  SearchAndBrowser: "search_browser",
  /** Social networks. */
  SocialMedia: "social_media",
} as const;
export type ContextualTriggerSurface =
  (typeof ContextualTriggerSurface)[keyof typeof ContextualTriggerSurface];
export declare namespace ContextualTriggerSurface {
  /** Chats and messages. */
  type ChatAndMessages = "chat_messages";
  /** Code editors. */
  type CodingEnvironment = "coding_environment";
  /** Help desks. */
  type CustomerService = "customer_service";
  /** Documents. */
  type Docs = "docs";
  /** E-mail. */
  type Email = "email";
  /** Search pages and the browser. */
  type SearchAndBrowser = "search_browser";
  /** Social networks. */
  type SocialMedia = "social_media";
}
