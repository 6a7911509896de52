// Generated from .ci/enumerations.mjs. To change it, edit that file and run: npm run docs
//
// The enumerations under the name `@codahq/packs-sdk`, where they are enumerations of TypeScript: a
// variable that has one member may get another. At run time they are the objects of this package.

/** What an attribution shows, and the names by number. */
export declare enum AttributionNodeType {
  /** A line of text. */
  Text = 1,
  /** A link. */
  Link = 2,
  /** An image with a link. */
  Image = 3,
}

/** The kind of authentication for accounts of the Pack. */
export declare enum AuthenticationType {
  /** No account. */
  None = "None",
  /** A token in `Authorization: Bearer`. */
  HeaderBearerToken = "HeaderBearerToken",
  /** A token in a header that you name. */
  CustomHeaderToken = "CustomHeaderToken",
  /** Several tokens, each in its own header. */
  MultiHeaderToken = "MultiHeaderToken",
  /** A token in a URL parameter. Prefer a header. */
  QueryParamToken = "QueryParamToken",
  /** Several tokens in URL parameters. */
  MultiQueryParamToken = "MultiQueryParamToken",
  /** Users log in with a browser: authorization code (RFC 6749 §4.1). */
  OAuth2 = "OAuth2",
  /** The client gets a token for itself (RFC 6749 §4.4). */
  OAuth2ClientCredentials = "OAuth2ClientCredentials",
  /** A user name and a password (RFC 7617). */
  WebBasic = "WebBasic",
  /** Custom values. Your requests insert these values with templates. */
  Custom = "Custom",
  /** Requests signed with an access key (Signature Version 4). */
  AWSAccessKey = "AWSAccessKey",
  /** Requests signed with the credentials of an assumed role. */
  AWSAssumeRole = "AWSAssumeRole",
  /** A token for the document service's own interface. */
  CodaApiHeaderBearerToken = "CodaApiHeaderBearerToken",
  /** @deprecated Accepted for compatibility with existing Packs. */
  GoogleDomainWideDelegation = "GoogleDomainWideDelegation",
  /** @deprecated Accepted for compatibility with existing Packs. */
  GoogleServiceAccount = "GoogleServiceAccount",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Various = "Various",
}

/** Sets whether a formula needs a connected account. */
export declare enum ConnectionRequirement {
  /** Works without an account. */
  None = "none",
  /** Uses an account if the user chooses one. */
  Optional = "optional",
  /** Needs an account. */
  Required = "required",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum ContentCategorizationType {
  Messaging = "Messaging",
  Document = "Document",
  Email = "Email",
  Comment = "Comment",
}

/** Sets whether an agent makes suggestions before the user asks a question. */
export declare enum ContextualTriggerAssistMode {
  /** Waits until the user asks. */
  OnDemand = "on_demand",
  /** Makes suggestions without being asked. */
  Proactive = "proactive",
}

/** The mark that shows a suggestion in the text. */
export declare enum ContextualTriggerDecorationStyle {
  /** The document service chooses. */
  Auto = "auto",
  /** A line below the text. */
  Underline = "underline",
  /** A vertical bar next to the text. */
  Vbar = "vbar",
}

/** The color of the suggestions of an agent. */
export declare enum ContextualTriggerSuggestionColor {
  Blue = "blue",
  Green = "green",
  Mulberry = "mulberry",
  Neutral = "neutral",
  Orange = "orange",
  Purple = "purple",
  Red = "red",
  Yellow = "yellow",
}

/** The programs in which an agent can help while the user writes. */
export declare enum ContextualTriggerSurface {
  /** Chats and messages. */
  ChatAndMessages = "chat_messages",
  /** Code editors. */
  CodingEnvironment = "coding_environment",
  /** Help desks. */
  CustomerService = "customer_service",
  /** Documents. */
  Docs = "docs",
  /** E-mail. */
  Email = "email",
  /** Search pages and the browser. */
  SearchAndBrowser = "search_browser",
  /** Social networks. */
  SocialMedia = "social_media",
}

/** The display of an amount of money. */
export declare enum CurrencyFormat {
  /** The symbol before the number: `$2.50`. */
  Currency = "currency",
  /** The symbol at the left edge of the cell, the number at the right. */
  Accounting = "accounting",
  /** No symbol: `2.50`. */
  Financial = "financial",
}

/** Sets whether search indexes the rows of a table. */
export declare enum DataIndexing {
  /** Search finds the rows, unless users exclude the table. */
  Include = "include",
  /** Search does not find the rows, unless users include the table. */
  Exclude = "exclude",
}

/** The kind of trigger that starts an agent. */
export declare enum DefaultTriggerKind {
  /** Starts the agent at the times of a recurrence rule. */
  Schedule = "schedule",
  /** Starts the agent while the user writes. */
  WhileWriting = "whileWriting",
}

/** The largest unit that is shown for a duration. */
export declare enum DurationUnit {
  /** Days. */
  Days = "days",
  /** Hours. */
  Hours = "hours",
  /** Minutes. */
  Minutes = "minutes",
  /** Seconds. */
  Seconds = "seconds",
}

/** The display of an email address. */
export declare enum EmailDisplayType {
  /** An icon and the address. */
  IconAndEmail = "iconAndEmail",
  /** Only an icon. */
  IconOnly = "iconOnly",
  /** Only the address. */
  EmailOnly = "emailOnly",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum EmbeddedContentType {
  /** Text that users can copy. */
  CopyableBlock = "CopyableBlock",
  /** Blocks that follow each other. */
  CarouselView = "CarouselView",
  /** Blocks in tabs. */
  TabView = "TabView",
}

/** @deprecated Accepted for compatibility with existing Packs. The plan that a Pack needs. */
export declare enum FeatureSet {
  Basic = "Basic",
  Pro = "Pro",
  Team = "Team",
  Enterprise = "Enterprise",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum FormulaPurpose {
  Search = "search",
}

/** The HTTP status codes of responses, by name. */
export declare enum HttpStatusCode {
  Ok = 200,
  Created = 201,
  Accepted = 202,
  NoContent = 204,
  MovedPermanently = 301,
  RedirectFound = 302,
  PermanentRedirect = 308,
  BadRequest = 400,
  Unauthorized = 401,
  PaymentRequired = 402,
  Forbidden = 403,
  NotFound = 404,
  NotAcceptable = 406,
  Conflict = 409,
  Gone = 410,
  PayloadTooLarge = 413,
  UnprocessableEntity = 422,
  Locked = 423,
  TooManyRequests = 429,
  ClientClosedRequest = 499,
  InternalServer = 500,
  NotImplemented = 501,
  BadGateway = 502,
  ServiceUnavailable = 503,
}

/** The shape of the corners of an image. */
export declare enum ImageCornerStyle {
  /** Rounded corners. */
  Rounded = "rounded",
  /** Square corners. */
  Square = "square",
}

/** Sets whether an image has a border. */
export declare enum ImageOutline {
  /** No border. */
  Disabled = "disabled",
  /** A border. */
  Solid = "solid",
}

/** The shape of an image. */
export declare enum ImageShapeStyle {
  /** The shape that the image has. */
  Auto = "auto",
  /** A circle. */
  Circle = "circle",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum IndexingStrategy {
  Standard = "standard",
  Raw = "raw",
}

/** The reason why the previous attempt failed. */
export declare enum InvocationErrorType {
  /** The attempt took too long. */
  Timeout = "Timeout",
  /** A response was larger than the document service allows. */
  ResponseTooLarge = "ResponseTooLarge",
  /** A response had a status of 400 or above, and the Pack did not catch the error. */
  HttpStatusError = "HttpStatusError",
  /** The API or the document service rejected the request because there were too many requests. */
  RateLimitExceeded = "RateLimitExceeded",
  /** Another reason. */
  Unknown = "Unknown",
}

/** The place from which a formula was called. */
export declare enum InvocationSource {
  /** @deprecated Accepted for compatibility with existing Packs. */
  Brain = "Brain",
  /** A document. */
  Doc = "Doc",
  /** An assistant. */
  Go = "Go",
  /** @deprecated Accepted for compatibility with existing Packs. */
  NativeIntegration = "NativeIntegration",
}

/** The source that a knowledge tool searches. */
export declare enum KnowledgeToolSourceType {
  /** @deprecated Accepted for compatibility with existing Packs. */
  Global = "Global",
  /** The rows that this Pack has indexed. */
  Pack = "Pack",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum LifecycleBehavior {
  Inherit = "Inherit",
}

/** The display of a link. */
export declare enum LinkDisplayType {
  /** Only an icon. */
  IconOnly = "iconOnly",
  /** The URL. */
  Url = "url",
  /** The title of the page. */
  Title = "title",
  /** A card with title, image and text of the page. */
  Card = "card",
  /** The page itself. */
  Embed = "embed",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum NetworkConnection {
  None = "none",
  Optional = "optional",
  Required = "required",
}

/** The source of the options of a select list. */
export declare enum OptionsType {
  /** From a function, while the user edits the cell. */
  Dynamic = "__coda_dynamic__",
}

/**
 * @deprecated Accepted for compatibility with existing Packs. The category of a Pack in a listing.
 */
export declare enum PackCategory {
  CRM = "CRM",
  Calendar = "Calendar",
  Communication = "Communication",
  DataStorage = "DataStorage",
  Design = "Design",
  Financial = "Financial",
  Fun = "Fun",
  Geo = "Geo",
  IT = "IT",
  Mathematics = "Mathematics",
  Organization = "Organization",
  Recruiting = "Recruiting",
  Shopping = "Shopping",
  Social = "Social",
  Sports = "Sports",
  Travel = "Travel",
  Weather = "Weather",
}

/**
 * The type of a parameter. Types with `Array` in their name are lists. Types with `Sparse` in their
 * name are lists that can contain `undefined`.
 */
export declare enum ParameterType {
  /** Text. */
  String = "string",
  /** A number. */
  Number = "number",
  /** True or false. */
  Boolean = "boolean",
  /** A date, with or without a time: a `Date`. */
  Date = "date",
  /** Text with HTML. */
  Html = "html",
  /** The URL of an image. */
  Image = "image",
  /** The URL of a file. */
  File = "file",
  /** Text with Markdown. */
  Markdown = "markdown",
  /** An email address. */
  Email = "email",
  /** A list of strings. */
  StringArray = "stringArray",
  /** A list of strings. An empty item is `undefined`. */
  SparseStringArray = "sparseStringArray",
  /** A list of numbers. */
  NumberArray = "numberArray",
  /** A list of numbers. An empty item is `undefined`. */
  SparseNumberArray = "sparseNumberArray",
  /** A list of booleans. */
  BooleanArray = "booleanArray",
  /** A list of booleans. An empty item is `undefined`. */
  SparseBooleanArray = "sparseBooleanArray",
  /** A list of email addresses. */
  EmailArray = "emailArray",
  /** A list of email addresses. An empty item is `undefined`. */
  SparseEmailArray = "sparseEmailArray",
  /** A list of dates. */
  DateArray = "dateArray",
  /** A list of dates. An empty item is `undefined`. */
  SparseDateArray = "sparseDateArray",
  /** A list of strings with HTML. */
  HtmlArray = "htmlArray",
  /** A list of strings with HTML. An empty item is `undefined`. */
  SparseHtmlArray = "sparseHtmlArray",
  /** A list of image URLs. */
  ImageArray = "imageArray",
  /** A list of image URLs. An empty item is `undefined`. */
  SparseImageArray = "sparseImageArray",
  /** A list of file URLs. */
  FileArray = "fileArray",
  /** A list of file URLs. An empty item is `undefined`. */
  SparseFileArray = "sparseFileArray",
  /** A list of strings with Markdown. */
  MarkdownArray = "markdownArray",
  /** A list of strings with Markdown. An empty item is `undefined`. */
  SparseMarkdownArray = "sparseMarkdownArray",
}

/** Sets whether a sync uses the permissions of the user or the permissions of the rows. */
export declare enum PermissionSyncMode {
  /** The sync belongs to one account. Syncs of documents are always personal. */
  Personal = "Personal",
  /** The rows keep the permissions that they have in the source. */
  PermissionAware = "PermissionAware",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum PermissionType {
  Delegated = "delegated",
  Direct = "direct",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum PermissionsBehavior {
  Inherit = "Inherit",
}

/**
 * A step that runs after the user has entered the credentials of an account, and before the first
 * use of the account.
 */
export declare enum PostSetupType {
  /** The user picks the endpoint of the account. */
  SetEndpoint = "SetEndPoint",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum PrecannedDate {
  Today = "today",
  Yesterday = "yesterday",
  Tomorrow = "tomorrow",
  DaysAgo7 = "7_days_ago",
  DaysAgo30 = "30_days_ago",
  DaysAgo90 = "90_days_ago",
  DaysAgo180 = "180_days_ago",
  DaysAgo365 = "365_days_ago",
  DaysAhead7 = "7_days_ahead",
  DaysAhead30 = "30_days_ahead",
  DaysAhead90 = "90_days_ahead",
  DaysAhead180 = "180_days_ahead",
  DaysAhead365 = "365_days_ahead",
}

/**
 * A period of days, relative to today. You can use a period as the suggested value of a `DateArray`
 * parameter.
 */
export declare enum PrecannedDateRange {
  Yesterday = "yesterday",
  Last7Days = "last_7_days",
  Last30Days = "last_30_days",
  Last90Days = "last_90_days",
  Last180Days = "last_180_days",
  Last365Days = "last_365_days",
  LastWeek = "last_week",
  LastMonth = "last_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last3Months = "last_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last6Months = "last_6_months",
  LastYear = "last_year",
  Today = "today",
  ThisWeek = "this_week",
  ThisMonth = "this_month",
  YearToDate = "year_to_date",
  ThisYear = "this_year",
  Last7AndNext7Days = "last_7_and_next_7_days",
  Last30AndNext30Days = "last_30_and_next_30_days",
  Last90AndNext90Days = "last_90_and_next_90_days",
  Tomorrow = "tomorrow",
  Next7Days = "next_7_days",
  Next30Days = "next_30_days",
  Next90Days = "next_90_days",
  Next180Days = "next_180_days",
  Next365Days = "next_365_days",
  NextWeek = "next_week",
  NextMonth = "next_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next3Months = "next_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next6Months = "next_6_months",
  NextYear = "next_year",
  /** All days, from long ago to far in the future. */
  Everything = "everything",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum PrincipalType {
  User = "user",
  Group = "group",
  Anyone = "anyone",
  AllUsers = "allUsers",
  Domain = "domain",
}

/** @deprecated Accepted for compatibility with existing Packs. What a quota counts. */
export declare enum QuotaLimitType {
  Action = "Action",
  Getter = "Getter",
  Sync = "Sync",
  Metadata = "Metadata",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum ReservedAuthenticationNames {
  Default = "defaultUserAuthentication",
  System = "systemAuthentication",
}

/** The icon of a scale. */
export declare enum ScaleIconSet {
  Star = "star",
  Circle = "circle",
  Fire = "fire",
  Bug = "bug",
  Diamond = "diamond",
  Bell = "bell",
  ThumbsUp = "thumbsup",
  Heart = "heart",
  Chili = "chili",
  Smiley = "smiley",
  Lightning = "lightning",
  Currency = "currency",
  Coffee = "coffee",
  Person = "person",
  Battery = "battery",
  Cocktail = "cocktail",
  Cloud = "cloud",
  Sun = "sun",
  Checkmark = "checkmark",
  LightBulb = "lightbulb",
}

/** The kind of screen annotation. */
export declare enum ScreenAnnotationType {
  /** Another wording for the user's text. */
  Rewrite = "Rewrite",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Guide = "Guide",
}

/** A language model for a skill. */
export declare enum SkillModel {
  /** A model of the GPT-4 family. */
  OpenAIGPT4 = "OpenAIGPT4",
  /** A model of the GPT-5 family. */
  OpenAIGPT5 = "OpenAIGPT5",
}

/** @deprecated Accepted for compatibility with existing Packs. How often a table may sync. */
export declare enum SyncInterval {
  Manual = "Manual",
  Daily = "Daily",
  Hourly = "Hourly",
  EveryTenMinutes = "EveryTenMinutes",
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum TableRole {
  Users = "users",
  GroupMembers = "groupMembers",
}

/** The location of the client credentials in a token request. */
export declare enum TokenExchangeCredentialsLocation {
  /** In the body first. If the server refuses the client, in the `Authorization` header. */
  Automatic = "Automatic",
  /** In the form, as `client_id` and `client_secret`. */
  Body = "Body",
  /** In the `Authorization` header, as `Basic` (RFC 6749 §2.3.1). */
  AuthorizationHeader = "AuthorizationHeader",
}

/** The type of a tool that a skill can use. */
export declare enum ToolType {
  /** Formulas of a Pack. */
  Pack = "Pack",
  /** Indexed rows. */
  Knowledge = "Knowledge",
  /** Suggestions next to what the user sees. */
  ScreenAnnotation = "ScreenAnnotation",
  /** Servers of the Model Context Protocol (MCP). */
  MCP = "MCP",
  /** The people that the user means. */
  ContactResolution = "ContactResolution",
  /** @deprecated Accepted for compatibility with existing Packs. */
  CodaDocsAndTables = "CodaDocsAndTables",
  /** The web. */
  WebSearch = "WebSearch",
  /** @deprecated Accepted for compatibility with existing Packs. */
  EmbeddedContent = "EmbeddedContent",
  /** @deprecated Accepted for compatibility with existing Packs. */
  MailAndCalendar = "MailAndCalendar",
}

/** The numbers that stand for value types in a compiled definition, and their names by number. */
export declare enum Type {
  /** Text. */
  string = 0,
  /** A number. */
  number = 1,
  /** An object or a list. */
  object = 2,
  /** True or false. */
  boolean = 3,
  /** A date. */
  date = 4,
  /** Text with HTML. */
  html = 5,
  /** The URL of an image. */
  image = 6,
  /** The URL of a file. */
  file = 7,
  /** Text with Markdown. */
  markdown = 8,
  /** An email address. */
  email = 9,
}

/** @deprecated Accepted for compatibility with existing Packs. */
export declare enum UpdateOutcome {
  Success = "success",
  Error = "error",
}

/**
 * A hint that determines how users see and edit a value. Each type of schema accepts some of these
 * hints.
 */
export declare enum ValueHintType {
  /** A day: text that can be parsed, or seconds since 1970. */
  Date = "date",
  /** A time of the day: text, or seconds. */
  Time = "time",
  /** A moment: text that can be parsed, or seconds since 1970. */
  DateTime = "datetime",
  /** A duration: text such as `"3 hours"`, or a number of days. */
  Duration = "duration",
  /** An email address. */
  Email = "email",
  /** A user, as an object with an email address. */
  Person = "person",
  /** A percentage: 0.5 is 50%. */
  Percent = "percent",
  /** An amount of money. */
  Currency = "currency",
  /** The URL of an image. The document shows the image from this URL. */
  ImageReference = "image",
  /** The URL of an image. The document copies the image. */
  ImageAttachment = "imageAttachment",
  /** A link. */
  Url = "url",
  /** Text with Markdown, shown formatted. */
  Markdown = "markdown",
  /** Text with HTML, shown formatted. */
  Html = "html",
  /** The URL of a page. The document shows the page. */
  Embed = "embed",
  /** A row of a sync table: an object with the ID of the row. */
  Reference = "reference",
  /** The URL of a file. The document copies the file. */
  Attachment = "attachment",
  /** A number that is set with a slider. */
  Slider = "slider",
  /** A number that is shown as a row of icons. */
  Scale = "scale",
  /** A number that is shown as a bar. */
  ProgressBar = "progressBar",
  /** True or false, shown as a switch. */
  Toggle = "toggle",
  /** @deprecated Accepted for compatibility with existing Packs. */
  CodaInternalRichText = "codaInternalRichText",
  /** One of the options of the property. */
  SelectList = "selectList",
}

/** The type of a formula result or a schema. */
export declare enum ValueType {
  /** True or false. */
  Boolean = "boolean",
  /** A number. */
  Number = "number",
  /** Text. */
  String = "string",
  /** A list. `items` is the schema of its elements. */
  Array = "array",
  /** An object. `schema` or `properties` describe its fields. */
  Object = "object",
}
