// Each vocabulary is a const object, a union of its values under the same name, and a type-only namespace, so that the
// member, the literal and the type position all work: `ValueType.String`, `"string"`, `const a: ValueType.String`.

/** The kind of value that a parameter takes. An array takes a column's values; a sparse one keeps its blank cells, as `undefined`. */
export const ParameterType = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Date: "date",
  Html: "html",
  Image: "image",
  File: "file",
  Markdown: "markdown",
  Email: "email",
  StringArray: "stringArray",
  NumberArray: "numberArray",
  BooleanArray: "booleanArray",
  DateArray: "dateArray",
  HtmlArray: "htmlArray",
  ImageArray: "imageArray",
  FileArray: "fileArray",
  MarkdownArray: "markdownArray",
  EmailArray: "emailArray",
  SparseStringArray: "sparseStringArray",
  SparseNumberArray: "sparseNumberArray",
  SparseBooleanArray: "sparseBooleanArray",
  SparseDateArray: "sparseDateArray",
  SparseHtmlArray: "sparseHtmlArray",
  SparseImageArray: "sparseImageArray",
  SparseFileArray: "sparseFileArray",
  SparseMarkdownArray: "sparseMarkdownArray",
  SparseEmailArray: "sparseEmailArray",
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
  type NumberArray = "numberArray";
  type BooleanArray = "booleanArray";
  type DateArray = "dateArray";
  type HtmlArray = "htmlArray";
  type ImageArray = "imageArray";
  type FileArray = "fileArray";
  type MarkdownArray = "markdownArray";
  type EmailArray = "emailArray";
  type SparseStringArray = "sparseStringArray";
  type SparseNumberArray = "sparseNumberArray";
  type SparseBooleanArray = "sparseBooleanArray";
  type SparseDateArray = "sparseDateArray";
  type SparseHtmlArray = "sparseHtmlArray";
  type SparseImageArray = "sparseImageArray";
  type SparseFileArray = "sparseFileArray";
  type SparseMarkdownArray = "sparseMarkdownArray";
  type SparseEmailArray = "sparseEmailArray";
}

/** The kind of value that a formula or a schema property gives. */
export const ValueType = {
  Boolean: "boolean",
  Number: "number",
  String: "string",
  Array: "array",
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

/** How a value is shown: the `codaType` of a schema. Each hint goes with certain value types only (rule 64). */
export const ValueHintType = {
  Date: "date",
  Time: "time",
  DateTime: "datetime",
  Duration: "duration",
  Email: "email",
  Person: "person",
  Percent: "percent",
  Currency: "currency",
  ImageReference: "image",
  ImageAttachment: "imageAttachment",
  Url: "url",
  Markdown: "markdown",
  Html: "html",
  Embed: "embed",
  Reference: "reference",
  Attachment: "attachment",
  Slider: "slider",
  Scale: "scale",
  ProgressBar: "progressBar",
  Toggle: "toggle",
  SelectList: "selectList",
  CodaInternalRichText: "codaInternalRichText",
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
  type SelectList = "selectList";
  type CodaInternalRichText = "codaInternalRichText";
}

/** Whether a formula needs a connected account. */
export const ConnectionRequirement = {
  None: "none",
  Optional: "optional",
  Required: "required",
} as const;
export type ConnectionRequirement = (typeof ConnectionRequirement)[keyof typeof ConnectionRequirement];
export declare namespace ConnectionRequirement {
  type None = "none";
  type Optional = "optional";
  type Required = "required";
}

/** How a Pack signs its requests. */
export const AuthenticationType = {
  None: "None",
  HeaderBearerToken: "HeaderBearerToken",
  CustomHeaderToken: "CustomHeaderToken",
  MultiHeaderToken: "MultiHeaderToken",
  QueryParamToken: "QueryParamToken",
  MultiQueryParamToken: "MultiQueryParamToken",
  OAuth2: "OAuth2",
  OAuth2ClientCredentials: "OAuth2ClientCredentials",
  WebBasic: "WebBasic",
  Custom: "Custom",
  AWSAccessKey: "AWSAccessKey",
  AWSAssumeRole: "AWSAssumeRole",
  CodaApiHeaderBearerToken: "CodaApiHeaderBearerToken",
  GoogleDomainWideDelegation: "GoogleDomainWideDelegation",
  GoogleServiceAccount: "GoogleServiceAccount",
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

/** The numbers that stand for value kinds in compiled definitions. Authors write `ParameterType` and `ValueType`. */
export const Type = {
  string: 0,
  number: 1,
  object: 2,
  boolean: 3,
  date: 4,
  html: 5,
  image: 6,
  file: 7,
  markdown: 8,
  email: 9,
} as const;
export type Type = (typeof Type)[keyof typeof Type];

/** HTTP status codes that Packs compare with. */
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
