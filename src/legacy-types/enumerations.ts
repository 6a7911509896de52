// The enumerations under the name `@codahq/packs-sdk`, where they are enumerations of TypeScript: a
// variable that holds one member may get another. At run time they are the objects of this package.
// A test compares the members.

export declare enum AttributionNodeType {
  Text = 1,
  Link = 2,
  Image = 3,
}

export declare enum AuthenticationType {
  None = "None",
  HeaderBearerToken = "HeaderBearerToken",
  CustomHeaderToken = "CustomHeaderToken",
  MultiHeaderToken = "MultiHeaderToken",
  QueryParamToken = "QueryParamToken",
  MultiQueryParamToken = "MultiQueryParamToken",
  OAuth2 = "OAuth2",
  OAuth2ClientCredentials = "OAuth2ClientCredentials",
  WebBasic = "WebBasic",
  Custom = "Custom",
  AWSAccessKey = "AWSAccessKey",
  AWSAssumeRole = "AWSAssumeRole",
  CodaApiHeaderBearerToken = "CodaApiHeaderBearerToken",
  GoogleDomainWideDelegation = "GoogleDomainWideDelegation",
  GoogleServiceAccount = "GoogleServiceAccount",
  Various = "Various",
}

export declare enum ConnectionRequirement {
  None = "none",
  Optional = "optional",
  Required = "required",
}

export declare enum ContentCategorizationType {
  Messaging = "Messaging",
  Document = "Document",
  Email = "Email",
  Comment = "Comment",
}

export declare enum CurrencyFormat {
  Currency = "currency",
  Accounting = "accounting",
  Financial = "financial",
}

export declare enum DataIndexing {
  Include = "include",
  Exclude = "exclude",
}

export declare enum DurationUnit {
  Days = "days",
  Hours = "hours",
  Minutes = "minutes",
  Seconds = "seconds",
}

export declare enum EmailDisplayType {
  IconAndEmail = "iconAndEmail",
  IconOnly = "iconOnly",
  EmailOnly = "emailOnly",
}

export declare enum EmbeddedContentType {
  CopyableBlock = "CopyableBlock",
  CarouselView = "CarouselView",
  TabView = "TabView",
}

export declare enum FeatureSet {
  Basic = "Basic",
  Pro = "Pro",
  Team = "Team",
  Enterprise = "Enterprise",
}

export declare enum FormulaPurpose {
  Search = "search",
}

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

export declare enum ImageCornerStyle {
  Rounded = "rounded",
  Square = "square",
}

export declare enum ImageOutline {
  Disabled = "disabled",
  Solid = "solid",
}

export declare enum ImageShapeStyle {
  Auto = "auto",
  Circle = "circle",
}

export declare enum IndexingStrategy {
  Standard = "standard",
  Raw = "raw",
}

export declare enum InvocationErrorType {
  Timeout = "Timeout",
  ResponseTooLarge = "ResponseTooLarge",
  HttpStatusError = "HttpStatusError",
  RateLimitExceeded = "RateLimitExceeded",
  Unknown = "Unknown",
}

export declare enum InvocationSource {
  Doc = "Doc",
  Go = "Go",
  Brain = "Brain",
  NativeIntegration = "NativeIntegration",
}

export declare enum KnowledgeToolSourceType {
  Pack = "Pack",
  Global = "Global",
}

export declare enum LifecycleBehavior {
  Inherit = "Inherit",
}

export declare enum LinkDisplayType {
  IconOnly = "iconOnly",
  Url = "url",
  Title = "title",
  Card = "card",
  Embed = "embed",
}

export declare enum NetworkConnection {
  None = "none",
  Optional = "optional",
  Required = "required",
}

export declare enum OptionsType {
  Dynamic = "__coda_dynamic__",
}

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

export declare enum ParameterType {
  String = "string",
  StringArray = "stringArray",
  SparseStringArray = "sparseStringArray",
  Number = "number",
  NumberArray = "numberArray",
  SparseNumberArray = "sparseNumberArray",
  Boolean = "boolean",
  BooleanArray = "booleanArray",
  SparseBooleanArray = "sparseBooleanArray",
  Date = "date",
  DateArray = "dateArray",
  SparseDateArray = "sparseDateArray",
  Html = "html",
  HtmlArray = "htmlArray",
  SparseHtmlArray = "sparseHtmlArray",
  Image = "image",
  ImageArray = "imageArray",
  SparseImageArray = "sparseImageArray",
  File = "file",
  FileArray = "fileArray",
  SparseFileArray = "sparseFileArray",
  Markdown = "markdown",
  MarkdownArray = "markdownArray",
  SparseMarkdownArray = "sparseMarkdownArray",
  Email = "email",
  EmailArray = "emailArray",
  SparseEmailArray = "sparseEmailArray",
}

export declare enum PermissionSyncMode {
  Personal = "Personal",
  PermissionAware = "PermissionAware",
}

export declare enum PermissionType {
  Delegated = "delegated",
  Direct = "direct",
}

export declare enum PermissionsBehavior {
  Inherit = "Inherit",
}

export declare enum PostSetupType {
  SetEndpoint = "SetEndPoint",
}

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

export declare enum PrecannedDateRange {
  Yesterday = "yesterday",
  Last7Days = "last_7_days",
  Last30Days = "last_30_days",
  Last90Days = "last_90_days",
  Last180Days = "last_180_days",
  Last365Days = "last_365_days",
  LastWeek = "last_week",
  LastMonth = "last_month",
  Last3Months = "last_3_months",
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
  Next3Months = "next_3_months",
  Next6Months = "next_6_months",
  NextYear = "next_year",
  Everything = "everything",
}

export declare enum PrincipalType {
  User = "user",
  Group = "group",
  Anyone = "anyone",
  AllUsers = "allUsers",
  Domain = "domain",
}

export declare enum QuotaLimitType {
  Action = "Action",
  Getter = "Getter",
  Sync = "Sync",
  Metadata = "Metadata",
}

export declare enum ReservedAuthenticationNames {
  Default = "defaultUserAuthentication",
  System = "systemAuthentication",
}

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

export declare enum ScreenAnnotationType {
  Rewrite = "Rewrite",
  Guide = "Guide",
}

export declare enum SkillModel {
  OpenAIGPT4 = "OpenAIGPT4",
  OpenAIGPT5 = "OpenAIGPT5",
}

export declare enum SyncInterval {
  Manual = "Manual",
  Daily = "Daily",
  Hourly = "Hourly",
  EveryTenMinutes = "EveryTenMinutes",
}

export declare enum TableRole {
  Users = "users",
  GroupMembers = "groupMembers",
}

export declare enum TokenExchangeCredentialsLocation {
  Automatic = "Automatic",
  Body = "Body",
  AuthorizationHeader = "AuthorizationHeader",
}

export declare enum ToolType {
  Pack = "Pack",
  Knowledge = "Knowledge",
  ScreenAnnotation = "ScreenAnnotation",
  ContactResolution = "ContactResolution",
  WebSearch = "WebSearch",
  MCP = "MCP",
  CodaDocsAndTables = "CodaDocsAndTables",
  EmbeddedContent = "EmbeddedContent",
  MailAndCalendar = "MailAndCalendar",
}

export declare enum Type {
  string = 0,
  number = 1,
  object = 2,
  boolean = 3,
  date = 4,
  html = 5,
  image = 6,
  file = 7,
  markdown = 8,
  email = 9,
}

export declare enum UpdateOutcome {
  Success = "success",
  Error = "error",
}

export declare enum ValueHintType {
  Date = "date",
  Time = "time",
  DateTime = "datetime",
  Duration = "duration",
  Email = "email",
  Person = "person",
  Percent = "percent",
  Currency = "currency",
  ImageReference = "image",
  ImageAttachment = "imageAttachment",
  Url = "url",
  Markdown = "markdown",
  Html = "html",
  Embed = "embed",
  Reference = "reference",
  Attachment = "attachment",
  Slider = "slider",
  Scale = "scale",
  ProgressBar = "progressBar",
  Toggle = "toggle",
  SelectList = "selectList",
  CodaInternalRichText = "codaInternalRichText",
}

export declare enum ValueType {
  Boolean = "boolean",
  Number = "number",
  String = "string",
  Array = "array",
  Object = "object",
}
