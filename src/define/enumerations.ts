/**
 * The type of a parameter. `…Array` takes a list, `Sparse…Array` a list that may have gaps
 * (`undefined`).
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
  /** An e-mail address. */
  Email: "email",
  /** A list of texts. */
  StringArray: "stringArray",
  /** A list of texts, with `undefined` for empty ones. */
  SparseStringArray: "sparseStringArray",
  /** A list of numbers. */
  NumberArray: "numberArray",
  /** A list of numbers, with `undefined` for empty ones. */
  SparseNumberArray: "sparseNumberArray",
  /** A list of true and false. */
  BooleanArray: "booleanArray",
  /** A list of true and false, with `undefined` for empty ones. */
  SparseBooleanArray: "sparseBooleanArray",
  /** A list of e-mail addresses. */
  EmailArray: "emailArray",
  /** A list of e-mail addresses, with `undefined` for empty ones. */
  SparseEmailArray: "sparseEmailArray",
  /** A list of dates. */
  DateArray: "dateArray",
  /** A list of dates, with `undefined` for empty ones. */
  SparseDateArray: "sparseDateArray",
  /** A list of texts with HTML. */
  HtmlArray: "htmlArray",
  /** A list of texts with HTML, with `undefined` for empty ones. */
  SparseHtmlArray: "sparseHtmlArray",
  /** A list of URLs of images. */
  ImageArray: "imageArray",
  /** A list of URLs of images, with `undefined` for empty ones. */
  SparseImageArray: "sparseImageArray",
  /** A list of URLs of files. */
  FileArray: "fileArray",
  /** A list of URLs of files, with `undefined` for empty ones. */
  SparseFileArray: "sparseFileArray",
  /** A list of texts with Markdown. */
  MarkdownArray: "markdownArray",
  /** A list of texts with Markdown, with `undefined` for empty ones. */
  SparseMarkdownArray: "sparseMarkdownArray",
} as const;
export type ParameterType = (typeof ParameterType)[keyof typeof ParameterType];
export declare namespace ParameterType {
  type String = "string";
  type Number = "number";
  type Boolean = "boolean";
  type Date = "date";
  type Html = "html";
  type Image = "image";
  type File = "file";
  type Markdown = "markdown";
  type Email = "email";
  type StringArray = "stringArray";
  type SparseStringArray = "sparseStringArray";
  type NumberArray = "numberArray";
  type SparseNumberArray = "sparseNumberArray";
  type BooleanArray = "booleanArray";
  type SparseBooleanArray = "sparseBooleanArray";
  type EmailArray = "emailArray";
  type SparseEmailArray = "sparseEmailArray";
  type DateArray = "dateArray";
  type SparseDateArray = "sparseDateArray";
  type HtmlArray = "htmlArray";
  type SparseHtmlArray = "sparseHtmlArray";
  type ImageArray = "imageArray";
  type SparseImageArray = "sparseImageArray";
  type FileArray = "fileArray";
  type SparseFileArray = "sparseFileArray";
  type MarkdownArray = "markdownArray";
  type SparseMarkdownArray = "sparseMarkdownArray";
}

/** The type of a formula's result, and of a schema. */
export const ValueType = {
  /** True or false. */
  Boolean: "boolean",
  /** A number. */
  Number: "number",
  /** Text. */
  String: "string",
  /** A list. `items` is the schema of its elements. */
  Array: "array",
  /** An object. `schema` or `properties` describe its members. */
  Object: "object",
} as const;
export type ValueType = (typeof ValueType)[keyof typeof ValueType];
export declare namespace ValueType {
  type Boolean = "boolean";
  type Number = "number";
  type String = "string";
  type Array = "array";
  type Object = "object";
}

/** How a value is shown and edited. Each type of schema accepts some of these hints. */
export const ValueHintType = {
  /** A day: text that can be parsed, or seconds since 1970. */
  Date: "date",
  /** A time of the day: text, or seconds. */
  Time: "time",
  /** A moment: text that can be parsed, or seconds since 1970. */
  DateTime: "datetime",
  /** A duration: text such as `"3 hours"`, or a number of days. */
  Duration: "duration",
  /** An e-mail address. */
  Email: "email",
  /** A user, as an object with an e-mail address. */
  Person: "person",
  /** A percentage: 0.5 is 50 %. */
  Percent: "percent",
  /** An amount of money. */
  Currency: "currency",
  /** The URL of an image, which is shown from there. */
  ImageReference: "image",
  /** The URL of an image, which is copied into the document. */
  ImageAttachment: "imageAttachment",
  /** A link. */
  Url: "url",
  /** Text with Markdown, shown formatted. */
  Markdown: "markdown",
  /** Text with HTML, shown formatted. */
  Html: "html",
  /** The URL of a page, which is shown in the document. */
  Embed: "embed",
  /** A row of a sync table, as an object with its id. */
  Reference: "reference",
  /** The URL of a file, which is copied into the document. */
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
  type Date = "date";
  type Time = "time";
  type DateTime = "datetime";
  type Duration = "duration";
  type Email = "email";
  type Person = "person";
  type Percent = "percent";
  type Currency = "currency";
  type ImageReference = "image";
  type ImageAttachment = "imageAttachment";
  type Url = "url";
  type Markdown = "markdown";
  type Html = "html";
  type Embed = "embed";
  type Reference = "reference";
  type Attachment = "attachment";
  type Slider = "slider";
  type Scale = "scale";
  type ProgressBar = "progressBar";
  type Toggle = "toggle";
  type CodaInternalRichText = "codaInternalRichText";
  type SelectList = "selectList";
}

/** How an account authenticates to the API that the Pack calls. */
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
  /** Values that your requests insert with templates. */
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
  type None = "None";
  type HeaderBearerToken = "HeaderBearerToken";
  type CustomHeaderToken = "CustomHeaderToken";
  type MultiHeaderToken = "MultiHeaderToken";
  type QueryParamToken = "QueryParamToken";
  type MultiQueryParamToken = "MultiQueryParamToken";
  type OAuth2 = "OAuth2";
  type OAuth2ClientCredentials = "OAuth2ClientCredentials";
  type WebBasic = "WebBasic";
  type Custom = "Custom";
  type AWSAccessKey = "AWSAccessKey";
  type AWSAssumeRole = "AWSAssumeRole";
  type CodaApiHeaderBearerToken = "CodaApiHeaderBearerToken";
  type GoogleDomainWideDelegation = "GoogleDomainWideDelegation";
  type GoogleServiceAccount = "GoogleServiceAccount";
  type Various = "Various";
}

/** Whether a formula needs a connected account. */
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
  type None = "none";
  type Optional = "optional";
  type Required = "required";
}

/** Where the options of a select list come from. */
export const OptionsType = {
  /** From a function, while the user edits the cell. */
  Dynamic: "__coda_dynamic__",
} as const;
export type OptionsType = (typeof OptionsType)[keyof typeof OptionsType];
export declare namespace OptionsType {
  type Dynamic = "__coda_dynamic__";
}

/** How an amount of money is shown. */
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
  type Currency = "currency";
  type Accounting = "accounting";
  type Financial = "financial";
}

/** The largest unit that a duration is shown in. */
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
  type Days = "days";
  type Hours = "hours";
  type Minutes = "minutes";
  type Seconds = "seconds";
}

/** How an e-mail address is shown. */
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
  type IconAndEmail = "iconAndEmail";
  type IconOnly = "iconOnly";
  type EmailOnly = "emailOnly";
}

/** How a link is shown. */
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
  type IconOnly = "iconOnly";
  type Url = "url";
  type Title = "title";
  type Card = "card";
  type Embed = "embed";
}

/** Whether an image has a border. */
export const ImageOutline = {
  /** No border. */
  Disabled: "disabled",
  /** A border. */
  Solid: "solid",
} as const;
export type ImageOutline = (typeof ImageOutline)[keyof typeof ImageOutline];
export declare namespace ImageOutline {
  type Disabled = "disabled";
  type Solid = "solid";
}

/** How the corners of an image look. */
export const ImageCornerStyle = {
  /** Rounded corners. */
  Rounded: "rounded",
  /** Square corners. */
  Square: "square",
} as const;
export type ImageCornerStyle = (typeof ImageCornerStyle)[keyof typeof ImageCornerStyle];
export declare namespace ImageCornerStyle {
  type Rounded = "rounded";
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
  type Auto = "auto";
  type Circle = "circle";
}

/** The icon that a scale repeats. */
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

/** Why the previous attempt failed. */
export const InvocationErrorType = {
  /** The attempt took too long. */
  Timeout: "Timeout",
  /** A response was larger than the platform allows. */
  ResponseTooLarge: "ResponseTooLarge",
  /** A response had a status of 400 or above, and the Pack did not catch the error. */
  HttpStatusError: "HttpStatusError",
  /** The API or the platform refused the request because there were too many. */
  RateLimitExceeded: "RateLimitExceeded",
  /** Another reason. */
  Unknown: "Unknown",
} as const;
export type InvocationErrorType = (typeof InvocationErrorType)[keyof typeof InvocationErrorType];
export declare namespace InvocationErrorType {
  type Timeout = "Timeout";
  type ResponseTooLarge = "ResponseTooLarge";
  type HttpStatusError = "HttpStatusError";
  type RateLimitExceeded = "RateLimitExceeded";
  type Unknown = "Unknown";
}

/** Where the client credentials are sent in a token request. */
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
  type Automatic = "Automatic";
  type Body = "Body";
  type AuthorizationHeader = "AuthorizationHeader";
}

/** A step that runs after an account was set up and before it is used. */
export const PostSetupType = {
  /** The user picks the endpoint of the account. */
  SetEndpoint: "SetEndPoint",
} as const;
export type PostSetupType = (typeof PostSetupType)[keyof typeof PostSetupType];
export declare namespace PostSetupType {
  type SetEndpoint = "SetEndPoint";
}

/** Response statuses by name. */
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

/** The numbers that stand for value types in a compiled definition. You rarely need them. */
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
  /** An e-mail address. */
  email: 9,
} as const;
export type Type = (typeof Type)[keyof typeof Type];

/** What an attribution shows. */
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
  type Text = 1;
  type Link = 2;
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

/** The placeholder for the value in the label of a property. */
export const PropertyLabelValueTemplate = "{VALUE}";

/** Parts of images that are written as data URLs. */
export const SvgConstants = {
  /** The id of the element that is shown in dark mode. */
  DarkModeFragmentId: "DarkMode",
  /** The beginning of the data URL of an SVG. */
  DataUrlPrefix: "data:image/svg+xml;base64,",
  /** The beginning of the data URL of an SVG that has an element for dark mode. */
  DataUrlPrefixWithDarkModeSupport: "data:image/svg+xml;supportsDarkMode=1;base64,",
} as const;
