// Every enumeration of packsmith, and how those of `@codahq/packs-sdk` differ from them.
// generate-enumerations.mjs writes the objects and types from these tables.
//
// A value never changes: documents and compiled Packs contain it. The order of the members is the
// order that a Pack sees when it lists them.

/**
 * `text` is the doc comment. A deprecated name is accepted for compatibility; its text says what it
 * was for.
 */
export const ENUMERATIONS = [
  {
    name: "ParameterType",
    text: "The type of a parameter. Types with `Array` in their name are lists. Types with `Sparse` in their name are lists that can contain `undefined`.",
    members: [
      { name: "String", value: "string", text: "Text." },
      { name: "Number", value: "number", text: "A number." },
      { name: "Boolean", value: "boolean", text: "True or false." },
      { name: "Date", value: "date", text: "A date, with or without a time: a `Date`." },
      { name: "Html", value: "html", text: "Text with HTML." },
      { name: "Image", value: "image", text: "The URL of an image." },
      { name: "File", value: "file", text: "The URL of a file." },
      { name: "Markdown", value: "markdown", text: "Text with Markdown." },
      { name: "Email", value: "email", text: "An email address." },
      { name: "StringArray", value: "stringArray", text: "A list of strings." },
      {
        name: "SparseStringArray",
        value: "sparseStringArray",
        text: "A list of strings. An empty item is `undefined`.",
      },
      { name: "NumberArray", value: "numberArray", text: "A list of numbers." },
      {
        name: "SparseNumberArray",
        value: "sparseNumberArray",
        text: "A list of numbers. An empty item is `undefined`.",
      },
      { name: "BooleanArray", value: "booleanArray", text: "A list of booleans." },
      {
        name: "SparseBooleanArray",
        value: "sparseBooleanArray",
        text: "A list of booleans. An empty item is `undefined`.",
      },
      { name: "EmailArray", value: "emailArray", text: "A list of email addresses." },
      {
        name: "SparseEmailArray",
        value: "sparseEmailArray",
        text: "A list of email addresses. An empty item is `undefined`.",
      },
      { name: "DateArray", value: "dateArray", text: "A list of dates." },
      {
        name: "SparseDateArray",
        value: "sparseDateArray",
        text: "A list of dates. An empty item is `undefined`.",
      },
      { name: "HtmlArray", value: "htmlArray", text: "A list of strings with HTML." },
      {
        name: "SparseHtmlArray",
        value: "sparseHtmlArray",
        text: "A list of strings with HTML. An empty item is `undefined`.",
      },
      { name: "ImageArray", value: "imageArray", text: "A list of image URLs." },
      {
        name: "SparseImageArray",
        value: "sparseImageArray",
        text: "A list of image URLs. An empty item is `undefined`.",
      },
      { name: "FileArray", value: "fileArray", text: "A list of file URLs." },
      {
        name: "SparseFileArray",
        value: "sparseFileArray",
        text: "A list of file URLs. An empty item is `undefined`.",
      },
      { name: "MarkdownArray", value: "markdownArray", text: "A list of strings with Markdown." },
      {
        name: "SparseMarkdownArray",
        value: "sparseMarkdownArray",
        text: "A list of strings with Markdown. An empty item is `undefined`.",
      },
    ],
  },
  {
    name: "ValueType",
    text: "The type of a formula result or a schema.",
    members: [
      { name: "Boolean", value: "boolean", text: "True or false." },
      { name: "Number", value: "number", text: "A number." },
      { name: "String", value: "string", text: "Text." },
      { name: "Array", value: "array", text: "A list. `items` is the schema of its elements." },
      {
        name: "Object",
        value: "object",
        text: "An object. `schema` or `properties` describe its fields.",
      },
    ],
  },
  {
    name: "ValueHintType",
    text: "A hint that determines how users see and edit a value. Each type of schema accepts some of these hints.",
    members: [
      {
        name: "Date",
        value: "date",
        text: "A day: text that can be parsed, or seconds since 1970.",
      },
      { name: "Time", value: "time", text: "A time of the day: text, or seconds." },
      {
        name: "DateTime",
        value: "datetime",
        text: "A moment: text that can be parsed, or seconds since 1970.",
      },
      {
        name: "Duration",
        value: "duration",
        text: 'A duration: text such as `"3 hours"`, or a number of days.',
      },
      { name: "Email", value: "email", text: "An email address." },
      { name: "Person", value: "person", text: "A user, as an object with an email address." },
      { name: "Percent", value: "percent", text: "A percentage: 0.5 is 50%." },
      { name: "Currency", value: "currency", text: "An amount of money." },
      {
        name: "ImageReference",
        value: "image",
        text: "The URL of an image. The document shows the image from this URL.",
      },
      {
        name: "ImageAttachment",
        value: "imageAttachment",
        text: "The URL of an image. The document copies the image.",
      },
      { name: "Url", value: "url", text: "A link." },
      { name: "Markdown", value: "markdown", text: "Text with Markdown, shown formatted." },
      { name: "Html", value: "html", text: "Text with HTML, shown formatted." },
      { name: "Embed", value: "embed", text: "The URL of a page. The document shows the page." },
      {
        name: "Reference",
        value: "reference",
        text: "A row of a sync table: an object with the ID of the row.",
      },
      {
        name: "Attachment",
        value: "attachment",
        text: "The URL of a file. The document copies the file.",
      },
      { name: "Slider", value: "slider", text: "A number that is set with a slider." },
      { name: "Scale", value: "scale", text: "A number that is shown as a row of icons." },
      { name: "ProgressBar", value: "progressBar", text: "A number that is shown as a bar." },
      { name: "Toggle", value: "toggle", text: "True or false, shown as a switch." },
      { name: "CodaInternalRichText", value: "codaInternalRichText", isDeprecated: true },
      { name: "SelectList", value: "selectList", text: "One of the options of the property." },
    ],
  },
  {
    name: "AuthenticationType",
    text: "The kind of authentication for accounts of the Pack.",
    members: [
      { name: "None", value: "None", text: "No account." },
      {
        name: "HeaderBearerToken",
        value: "HeaderBearerToken",
        text: "A token in `Authorization: Bearer`.",
      },
      {
        name: "CustomHeaderToken",
        value: "CustomHeaderToken",
        text: "A token in a header that you name.",
      },
      {
        name: "MultiHeaderToken",
        value: "MultiHeaderToken",
        text: "Several tokens, each in its own header.",
      },
      {
        name: "QueryParamToken",
        value: "QueryParamToken",
        text: "A token in a URL parameter. Prefer a header.",
      },
      {
        name: "MultiQueryParamToken",
        value: "MultiQueryParamToken",
        text: "Several tokens in URL parameters.",
      },
      {
        name: "OAuth2",
        value: "OAuth2",
        text: "Users log in with a browser: authorization code (RFC 6749 §4.1).",
      },
      {
        name: "OAuth2ClientCredentials",
        value: "OAuth2ClientCredentials",
        text: "The client gets a token for itself (RFC 6749 §4.4).",
      },
      { name: "WebBasic", value: "WebBasic", text: "A user name and a password (RFC 7617)." },
      {
        name: "Custom",
        value: "Custom",
        text: "Custom values. Your requests insert these values with templates.",
      },
      {
        name: "AWSAccessKey",
        value: "AWSAccessKey",
        text: "Requests signed with an access key (Signature Version 4).",
      },
      {
        name: "AWSAssumeRole",
        value: "AWSAssumeRole",
        text: "Requests signed with the credentials of an assumed role.",
      },
      {
        name: "CodaApiHeaderBearerToken",
        value: "CodaApiHeaderBearerToken",
        text: "A token for the document service's own interface.",
      },
      {
        name: "GoogleDomainWideDelegation",
        value: "GoogleDomainWideDelegation",
        isDeprecated: true,
      },
      { name: "GoogleServiceAccount", value: "GoogleServiceAccount", isDeprecated: true },
      { name: "Various", value: "Various", isDeprecated: true },
    ],
  },
  {
    name: "ConnectionRequirement",
    text: "Sets whether a formula needs a connected account.",
    members: [
      { name: "None", value: "none", text: "Works without an account." },
      { name: "Optional", value: "optional", text: "Uses an account if the user chooses one." },
      { name: "Required", value: "required", text: "Needs an account." },
    ],
  },
  {
    name: "OptionsType",
    text: "The source of the options of a select list.",
    members: [
      {
        name: "Dynamic",
        value: "__coda_dynamic__",
        text: "From a function, while the user edits the cell.",
      },
    ],
  },
  {
    name: "CurrencyFormat",
    text: "The display of an amount of money.",
    members: [
      { name: "Currency", value: "currency", text: "The symbol before the number: `$2.50`." },
      {
        name: "Accounting",
        value: "accounting",
        text: "The symbol at the left edge of the cell, the number at the right.",
      },
      { name: "Financial", value: "financial", text: "No symbol: `2.50`." },
    ],
  },
  {
    name: "DurationUnit",
    text: "The largest unit that is shown for a duration.",
    members: [
      { name: "Days", value: "days", text: "Days." },
      { name: "Hours", value: "hours", text: "Hours." },
      { name: "Minutes", value: "minutes", text: "Minutes." },
      { name: "Seconds", value: "seconds", text: "Seconds." },
    ],
  },
  {
    name: "EmailDisplayType",
    text: "The display of an email address.",
    members: [
      { name: "IconAndEmail", value: "iconAndEmail", text: "An icon and the address." },
      { name: "IconOnly", value: "iconOnly", text: "Only an icon." },
      { name: "EmailOnly", value: "emailOnly", text: "Only the address." },
    ],
  },
  {
    name: "LinkDisplayType",
    text: "The display of a link.",
    members: [
      { name: "IconOnly", value: "iconOnly", text: "Only an icon." },
      { name: "Url", value: "url", text: "The URL." },
      { name: "Title", value: "title", text: "The title of the page." },
      { name: "Card", value: "card", text: "A card with title, image and text of the page." },
      { name: "Embed", value: "embed", text: "The page itself." },
    ],
  },
  {
    name: "ImageOutline",
    text: "Sets whether an image has a border.",
    members: [
      { name: "Disabled", value: "disabled", text: "No border." },
      { name: "Solid", value: "solid", text: "A border." },
    ],
  },
  {
    name: "ImageCornerStyle",
    text: "The shape of the corners of an image.",
    members: [
      { name: "Rounded", value: "rounded", text: "Rounded corners." },
      { name: "Square", value: "square", text: "Square corners." },
    ],
  },
  {
    name: "ImageShapeStyle",
    text: "The shape of an image.",
    members: [
      { name: "Auto", value: "auto", text: "The shape that the image has." },
      { name: "Circle", value: "circle", text: "A circle." },
    ],
  },
  {
    name: "ScaleIconSet",
    text: "The icon of a scale.",
    members: [
      { name: "Star", value: "star" },
      { name: "Circle", value: "circle" },
      { name: "Fire", value: "fire" },
      { name: "Bug", value: "bug" },
      { name: "Diamond", value: "diamond" },
      { name: "Bell", value: "bell" },
      { name: "ThumbsUp", value: "thumbsup" },
      { name: "Heart", value: "heart" },
      { name: "Chili", value: "chili" },
      { name: "Smiley", value: "smiley" },
      { name: "Lightning", value: "lightning" },
      { name: "Currency", value: "currency" },
      { name: "Coffee", value: "coffee" },
      { name: "Person", value: "person" },
      { name: "Battery", value: "battery" },
      { name: "Cocktail", value: "cocktail" },
      { name: "Cloud", value: "cloud" },
      { name: "Sun", value: "sun" },
      { name: "Checkmark", value: "checkmark" },
      { name: "LightBulb", value: "lightbulb" },
    ],
  },
  {
    name: "InvocationErrorType",
    text: "The reason why the previous attempt failed.",
    members: [
      { name: "Timeout", value: "Timeout", text: "The attempt took too long." },
      {
        name: "ResponseTooLarge",
        value: "ResponseTooLarge",
        text: "A response was larger than the document service allows.",
      },
      {
        name: "HttpStatusError",
        value: "HttpStatusError",
        text: "A response had a status of 400 or above, and the Pack did not catch the error.",
      },
      {
        name: "RateLimitExceeded",
        value: "RateLimitExceeded",
        text: "The API or the document service rejected the request because there were too many requests.",
      },
      { name: "Unknown", value: "Unknown", text: "Another reason." },
    ],
  },
  {
    name: "TokenExchangeCredentialsLocation",
    text: "The location of the client credentials in a token request.",
    members: [
      {
        name: "Automatic",
        value: "Automatic",
        text: "In the body first. If the server refuses the client, in the `Authorization` header.",
      },
      { name: "Body", value: "Body", text: "In the form, as `client_id` and `client_secret`." },
      {
        name: "AuthorizationHeader",
        value: "AuthorizationHeader",
        text: "In the `Authorization` header, as `Basic` (RFC 6749 §2.3.1).",
      },
    ],
  },
  {
    name: "PostSetupType",
    text: "A step that runs after the user has entered the credentials of an account, and before the first use of the account.",
    members: [
      {
        name: "SetEndpoint",
        value: "SetEndPoint",
        text: "The user picks the endpoint of the account.",
      },
    ],
  },
  {
    name: "HttpStatusCode",
    text: "The HTTP status codes of responses, by name.",
    members: [
      { name: "Ok", value: 200 },
      { name: "Created", value: 201 },
      { name: "Accepted", value: 202 },
      { name: "NoContent", value: 204 },
      { name: "MovedPermanently", value: 301 },
      { name: "RedirectFound", value: 302 },
      { name: "PermanentRedirect", value: 308 },
      { name: "BadRequest", value: 400 },
      { name: "Unauthorized", value: 401 },
      { name: "PaymentRequired", value: 402 },
      { name: "Forbidden", value: 403 },
      { name: "NotFound", value: 404 },
      { name: "NotAcceptable", value: 406 },
      { name: "Conflict", value: 409 },
      { name: "Gone", value: 410 },
      { name: "PayloadTooLarge", value: 413 },
      { name: "UnprocessableEntity", value: 422 },
      { name: "Locked", value: 423 },
      { name: "TooManyRequests", value: 429 },
      { name: "ClientClosedRequest", value: 499 },
      { name: "InternalServer", value: 500 },
      { name: "NotImplemented", value: 501 },
      { name: "BadGateway", value: 502 },
      { name: "ServiceUnavailable", value: 503 },
    ],
  },
  {
    name: "Type",
    text: "The numbers of value types in a compiled definition. You rarely need these numbers.",
    members: [
      { name: "string", value: 0, text: "Text." },
      { name: "number", value: 1, text: "A number." },
      { name: "object", value: 2, text: "An object or a list." },
      { name: "boolean", value: 3, text: "True or false." },
      { name: "date", value: 4, text: "A date." },
      { name: "html", value: 5, text: "Text with HTML." },
      { name: "image", value: 6, text: "The URL of an image." },
      { name: "file", value: 7, text: "The URL of a file." },
      { name: "markdown", value: 8, text: "Text with Markdown." },
      { name: "email", value: 9, text: "An email address." },
    ],
  },
  {
    name: "AttributionNodeType",
    text: "The content of an attribution.",
    members: [
      { name: "Text", value: 1, text: "A line of text." },
      { name: "Link", value: 2, text: "A link." },
      { name: "Image", value: 3, text: "An image with a link." },
    ],
  },
  {
    name: "NetworkConnection",
    isDeprecated: true,
    members: [
      { name: "None", value: "none" },
      { name: "Optional", value: "optional" },
      { name: "Required", value: "required" },
    ],
  },
  {
    name: "FormulaPurpose",
    isDeprecated: true,
    members: [{ name: "Search", value: "search" }],
  },
  {
    name: "ReservedAuthenticationNames",
    isDeprecated: true,
    members: [
      { name: "Default", value: "defaultUserAuthentication" },
      { name: "System", value: "systemAuthentication" },
    ],
  },
  {
    name: "IndexingStrategy",
    isDeprecated: true,
    members: [
      { name: "Standard", value: "standard" },
      { name: "Raw", value: "raw" },
    ],
  },
  {
    name: "ContentCategorizationType",
    isDeprecated: true,
    members: [
      { name: "Messaging", value: "Messaging" },
      { name: "Document", value: "Document" },
      { name: "Email", value: "Email" },
      { name: "Comment", value: "Comment" },
    ],
  },
  {
    name: "PermissionsBehavior",
    isDeprecated: true,
    members: [{ name: "Inherit", value: "Inherit" }],
  },
  {
    name: "LifecycleBehavior",
    isDeprecated: true,
    members: [{ name: "Inherit", value: "Inherit" }],
  },
  {
    name: "PrecannedDateRange",
    text: "A period of days, relative to today. You can use a period as the suggested value of a `DateArray` parameter.",
    members: [
      { name: "Yesterday", value: "yesterday" },
      { name: "Last7Days", value: "last_7_days" },
      { name: "Last30Days", value: "last_30_days" },
      { name: "Last90Days", value: "last_90_days" },
      { name: "Last180Days", value: "last_180_days" },
      { name: "Last365Days", value: "last_365_days" },
      { name: "LastWeek", value: "last_week" },
      { name: "LastMonth", value: "last_month" },
      { name: "Last3Months", value: "last_3_months", isDeprecated: true },
      { name: "Last6Months", value: "last_6_months", isDeprecated: true },
      { name: "LastYear", value: "last_year" },
      { name: "Today", value: "today" },
      { name: "ThisWeek", value: "this_week" },
      { name: "ThisMonth", value: "this_month" },
      { name: "YearToDate", value: "year_to_date" },
      { name: "ThisYear", value: "this_year" },
      { name: "Last7AndNext7Days", value: "last_7_and_next_7_days" },
      { name: "Last30AndNext30Days", value: "last_30_and_next_30_days" },
      { name: "Last90AndNext90Days", value: "last_90_and_next_90_days" },
      { name: "Tomorrow", value: "tomorrow" },
      { name: "Next7Days", value: "next_7_days" },
      { name: "Next30Days", value: "next_30_days" },
      { name: "Next90Days", value: "next_90_days" },
      { name: "Next180Days", value: "next_180_days" },
      { name: "Next365Days", value: "next_365_days" },
      { name: "NextWeek", value: "next_week" },
      { name: "NextMonth", value: "next_month" },
      { name: "Next3Months", value: "next_3_months", isDeprecated: true },
      { name: "Next6Months", value: "next_6_months", isDeprecated: true },
      { name: "NextYear", value: "next_year" },
      {
        name: "Everything",
        value: "everything",
        text: "All days, from long ago to far in the future.",
      },
    ],
  },
  {
    name: "PrecannedDate",
    isDeprecated: true,
    members: [
      { name: "Today", value: "today" },
      { name: "Yesterday", value: "yesterday" },
      { name: "Tomorrow", value: "tomorrow" },
      { name: "DaysAgo7", value: "7_days_ago" },
      { name: "DaysAgo30", value: "30_days_ago" },
      { name: "DaysAgo90", value: "90_days_ago" },
      { name: "DaysAgo180", value: "180_days_ago" },
      { name: "DaysAgo365", value: "365_days_ago" },
      { name: "DaysAhead7", value: "7_days_ahead" },
      { name: "DaysAhead30", value: "30_days_ahead" },
      { name: "DaysAhead90", value: "90_days_ahead" },
      { name: "DaysAhead180", value: "180_days_ahead" },
      { name: "DaysAhead365", value: "365_days_ahead" },
    ],
  },
  {
    name: "DataIndexing",
    text: "Sets whether search indexes the rows of a table.",
    members: [
      {
        name: "Include",
        value: "include",
        text: "Search finds the rows, unless users exclude the table.",
      },
      {
        name: "Exclude",
        value: "exclude",
        text: "Search does not find the rows, unless users include the table.",
      },
    ],
  },
  {
    name: "PermissionSyncMode",
    text: "Sets whether a sync uses the permissions of the user or the permissions of the rows.",
    members: [
      {
        name: "Personal",
        value: "Personal",
        text: "The sync belongs to one account. Syncs of documents are always personal.",
      },
      {
        name: "PermissionAware",
        value: "PermissionAware",
        text: "The rows keep the permissions that they have in the source.",
      },
    ],
  },
  {
    name: "InvocationSource",
    text: "The place from which a formula was called.",
    members: [
      { name: "Brain", value: "Brain", isDeprecated: true },
      { name: "Doc", value: "Doc", text: "A document." },
      { name: "Go", value: "Go", text: "An assistant." },
      { name: "NativeIntegration", value: "NativeIntegration", isDeprecated: true },
    ],
  },
  {
    name: "UpdateOutcome",
    isDeprecated: true,
    members: [
      { name: "Success", value: "success" },
      { name: "Error", value: "error" },
    ],
  },
  {
    name: "PrincipalType",
    isDeprecated: true,
    members: [
      { name: "User", value: "user" },
      { name: "Group", value: "group" },
      { name: "Anyone", value: "anyone" },
      { name: "AllUsers", value: "allUsers" },
      { name: "Domain", value: "domain" },
    ],
  },
  {
    name: "PermissionType",
    isDeprecated: true,
    members: [
      { name: "Delegated", value: "delegated" },
      { name: "Direct", value: "direct" },
    ],
  },
  {
    name: "TableRole",
    isDeprecated: true,
    members: [
      { name: "Users", value: "users" },
      { name: "GroupMembers", value: "groupMembers" },
    ],
  },
  {
    name: "ToolType",
    text: "The type of a tool that a skill can use.",
    members: [
      { name: "Pack", value: "Pack", text: "Formulas of a Pack." },
      { name: "Knowledge", value: "Knowledge", text: "Indexed rows." },
      {
        name: "ScreenAnnotation",
        value: "ScreenAnnotation",
        text: "Suggestions next to what the user sees.",
      },
      { name: "MCP", value: "MCP", text: "Servers of the Model Context Protocol (MCP)." },
      {
        name: "ContactResolution",
        value: "ContactResolution",
        text: "The people that the user means.",
      },
      { name: "CodaDocsAndTables", value: "CodaDocsAndTables", isDeprecated: true },
      { name: "WebSearch", value: "WebSearch", text: "The web." },
      { name: "EmbeddedContent", value: "EmbeddedContent", isDeprecated: true },
      { name: "MailAndCalendar", value: "MailAndCalendar", isDeprecated: true },
    ],
  },
  {
    name: "KnowledgeToolSourceType",
    text: "The source that a knowledge tool searches.",
    members: [
      { name: "Global", value: "Global", isDeprecated: true },
      { name: "Pack", value: "Pack", text: "The rows that this Pack has indexed." },
    ],
  },
  {
    name: "ScreenAnnotationType",
    text: "The kind of screen annotation.",
    members: [
      { name: "Rewrite", value: "Rewrite", text: "Another wording for the user's text." },
      { name: "Guide", value: "Guide", isDeprecated: true },
    ],
  },
  {
    name: "SkillModel",
    text: "A language model for a skill.",
    members: [
      { name: "OpenAIGPT4", value: "OpenAIGPT4", text: "A model of the GPT-4 family." },
      { name: "OpenAIGPT5", value: "OpenAIGPT5", text: "A model of the GPT-5 family." },
    ],
  },
  {
    name: "EmbeddedContentType",
    isDeprecated: true,
    members: [
      { name: "CopyableBlock", value: "CopyableBlock", text: "Text that users can copy." },
      { name: "CarouselView", value: "CarouselView", text: "Blocks that follow each other." },
      { name: "TabView", value: "TabView", text: "Blocks in tabs." },
    ],
  },
  {
    name: "DefaultTriggerKind",
    text: "The kind of trigger that starts an agent.",
    members: [
      {
        name: "Schedule",
        value: "schedule",
        text: "Starts the agent at the times of a recurrence rule.",
      },
      {
        name: "WhileWriting",
        value: "whileWriting",
        text: "Starts the agent while the user writes.",
      },
    ],
  },
  {
    name: "ContextualTriggerAssistMode",
    text: "Sets whether an agent makes suggestions before the user asks a question.",
    members: [
      { name: "OnDemand", value: "on_demand", text: "Waits until the user asks." },
      { name: "Proactive", value: "proactive", text: "Makes suggestions without being asked." },
    ],
  },
  {
    name: "ContextualTriggerSuggestionColor",
    text: "The color of the suggestions of an agent.",
    members: [
      { name: "Blue", value: "blue" },
      { name: "Green", value: "green" },
      { name: "Mulberry", value: "mulberry" },
      { name: "Neutral", value: "neutral" },
      { name: "Orange", value: "orange" },
      { name: "Purple", value: "purple" },
      { name: "Red", value: "red" },
      { name: "Yellow", value: "yellow" },
    ],
  },
  {
    name: "ContextualTriggerDecorationStyle",
    text: "The mark that shows a suggestion in the text.",
    members: [
      { name: "Auto", value: "auto", text: "The document service chooses." },
      { name: "Underline", value: "underline", text: "A line below the text." },
      { name: "Vbar", value: "vbar", text: "A vertical bar next to the text." },
    ],
  },
  {
    name: "ContextualTriggerSurface",
    text: "The programs in which an agent can help while the user writes.",
    members: [
      { name: "ChatAndMessages", value: "chat_messages", text: "Chats and messages." },
      { name: "CodingEnvironment", value: "coding_environment", text: "Code editors." },
      { name: "CustomerService", value: "customer_service", text: "Help desks." },
      { name: "Docs", value: "docs", text: "Documents." },
      { name: "Email", value: "email", text: "E-mail." },
      { name: "SearchAndBrowser", value: "search_browser", text: "Search pages and the browser." },
      { name: "SocialMedia", value: "social_media", text: "Social networks." },
    ],
  },
  {
    name: "PackCategory",
    text: "The category of a Pack in a listing.",
    isDeprecated: true,
    members: [
      { name: "CRM", value: "CRM" },
      { name: "Calendar", value: "Calendar" },
      { name: "Communication", value: "Communication" },
      { name: "DataStorage", value: "DataStorage" },
      { name: "Design", value: "Design" },
      { name: "Financial", value: "Financial" },
      { name: "Fun", value: "Fun" },
      { name: "Geo", value: "Geo" },
      { name: "IT", value: "IT" },
      { name: "Mathematics", value: "Mathematics" },
      { name: "Organization", value: "Organization" },
      { name: "Recruiting", value: "Recruiting" },
      { name: "Shopping", value: "Shopping" },
      { name: "Social", value: "Social" },
      { name: "Sports", value: "Sports" },
      { name: "Travel", value: "Travel" },
      { name: "Weather", value: "Weather" },
    ],
  },
  {
    name: "FeatureSet",
    text: "The plan that a Pack needs.",
    isDeprecated: true,
    members: [
      { name: "Basic", value: "Basic" },
      { name: "Pro", value: "Pro" },
      { name: "Team", value: "Team" },
      { name: "Enterprise", value: "Enterprise" },
    ],
  },
  {
    name: "QuotaLimitType",
    text: "What a quota counts.",
    isDeprecated: true,
    members: [
      { name: "Action", value: "Action" },
      { name: "Getter", value: "Getter" },
      { name: "Sync", value: "Sync" },
      { name: "Metadata", value: "Metadata" },
    ],
  },
  {
    name: "SyncInterval",
    text: "How often a table may sync.",
    isDeprecated: true,
    members: [
      { name: "Manual", value: "Manual" },
      { name: "Daily", value: "Daily" },
      { name: "Hourly", value: "Hourly" },
      { name: "EveryTenMinutes", value: "EveryTenMinutes" },
    ],
  },
];

/**
 * - `isLegacyOnly`: only `@codahq/packs-sdk` has it.
 * - `isReadByNumber`: there, its object has the names by number, too.
 * - `hasNamespace: false`: its members have names that a type cannot have.
 * - `text`: another text there.
 */
export const DIFFERENCES = {
  AttributionNodeType: {
    isReadByNumber: true,
    text: "What an attribution shows, and the names by number.",
  },
  FeatureSet: { isLegacyOnly: true },
  PackCategory: { isLegacyOnly: true },
  QuotaLimitType: { isLegacyOnly: true },
  SyncInterval: { isLegacyOnly: true },
  Type: {
    isReadByNumber: true,
    hasNamespace: false,
    text: "The numbers that stand for value types in a compiled definition, and their names by number.",
  },
};
