import type { Issue } from "./issue.ts";

/** What an issue code means. The meaning of a code never changes. */
export interface IssueCodeEntry {
  severity: Issue["severity"];
  meaning: string;
  /**
   * Only a warning for Packs that were written for `@codahq/packs-sdk`, whose validator accepts it.
   */
  isLenient?: boolean | undefined;
}

const error = (meaning: string): IssueCodeEntry => ({ severity: "error", meaning });
const lenient = (meaning: string): IssueCodeEntry => ({ ...error(meaning), isLenient: true });
const warning = (meaning: string): IssueCodeEntry => ({ ...error(meaning), severity: "warning" });

/** Every code of an issue. */
export const ISSUE_CODES = {
  // Shape
  DEFINITION_INVALID: error("The definition is not an object."),
  DEFINITION_UNREADABLE: error(
    "A part of the definition cannot be read, or all of it is too large.",
  ),
  MEMBER_MISSING: error("A required member is absent."),
  MEMBER_TYPE: error("A member has the wrong type."),
  VALUE_UNKNOWN: error("A member does not have one of its legal values."),
  KEY_UNKNOWN: lenient("A key is not known, so it has no effect."),
  VERSION_INVALID: error(
    "The version is not one to three numbers with an optional prerelease number.",
  ),

  // Network domains
  NETWORK_DOMAIN_INVALID: error("A network domain is not a plain host name."),
  NETWORK_DOMAIN_LOOPBACK: warning(
    "A network domain is this machine, which works in development only.",
  ),
  NETWORK_DOMAIN_PUBLIC_SUFFIX: error(
    "A network domain is a public suffix: the Pack could reach the hosts of everyone who has a domain under it.",
  ),
  NETWORK_DOMAIN_DUPLICATE: warning("A network domain is declared twice."),
  NETWORK_DOMAIN_MISSING: error("The Pack has authentication but no network domain."),

  // Authentication
  AUTH_TYPE_UNKNOWN: error("The authentication type does not exist."),
  AUTH_KEY_UNKNOWN: error("A key of an authentication is not known, so it has no effect."),
  AUTH_SYSTEM_TYPE: error(
    "This type of authentication needs a user, so a Pack's own account cannot use it.",
  ),
  AUTH_NETWORK_DOMAIN_EMPTY: error("The authentication's network domain is empty or has a space."),
  AUTH_NETWORK_DOMAIN_UNDECLARED: error(
    "The authentication names a network domain that the Pack does not declare.",
  ),
  AUTH_NETWORK_DOMAIN_MISSING: error(
    "The Pack has several network domains, and the authentication does not say which of them get credentials.",
  ),
  AUTH_ENDPOINT_DOMAIN: error("The endpoint domain is outside the network domains."),
  AUTH_POST_SETUP_OPTIONS: error("A SetEndpoint step has no options to choose from."),
  AUTH_NAME_DUPLICATE: error("Two credentials of one authentication have the same name."),
  AUTH_ENTRIES_MISSING: lenient("The authentication asks for no credential."),
  AUTH_HEADER_NAME: error("A header name is not an HTTP token."),
  AUTH_PARAM_NAME: error("A parameter name is empty or has a space."),
  AUTH_INSTRUCTIONS_URL: lenient("The help page is not an https URL."),
  AUTH_AUTHORIZATION_URL_MISSING: error("OAuth2 needs an authorization URL."),
  AUTH_AUTHORIZATION_URL_INVALID: error(
    "The authorization URL is neither an absolute URL nor an allowed relative one.",
  ),
  AUTH_AUTHORIZATION_URL_INSECURE: error("The authorization URL is not https."),
  AUTH_TOKEN_URL_MISSING: error("OAuth2 needs a token URL."),
  AUTH_TOKEN_URL_INVALID: error(
    "The token URL is neither an absolute URL nor an allowed relative one.",
  ),
  AUTH_TOKEN_URL_INSECURE: error("The token URL is not https."),
  AUTH_URL_LOOPBACK: warning("A URL is http on this machine, which works in development only."),
  AUTH_CLIENT_AUTHENTICATION: error("The client authentication does not exist."),
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: error("Two members say how the client authenticates."),
  AUTH_SIGNING_ALGORITHM: error("The signing algorithm does not exist, or nothing is signed."),
  AUTH_DPOP_TOKEN_PLACE: error(
    "A token that is bound to a key can only be sent in the Authorization header.",
  ),
  AUTH_RENEWAL_SIGNAL_INVALID: error(
    "A response that should refresh the token never arrives, or every response matches it.",
  ),
  AUTH_RESOURCE_INVALID: error(
    "The resource is not an absolute URL, or a relative one where none is allowed.",
  ),
  AUTH_SCOPE_DELIMITER: error("The scope delimiter is not a space, a comma or a semicolon."),
  AUTH_SCOPE_INVALID: lenient("A scope is empty or contains the delimiter."),
  AUTH_PKCE_METHOD: error("The challenge method is neither S256 nor plain."),
  AUTH_PKCE_METHOD_UNUSED: lenient("A challenge method is set, but PKCE is off."),
  AUTH_PKCE_MISSING: warning("Without PKCE, a stolen authorization code can be used."),
  AUTH_TOKEN_PLACE: lenient("The token prefix has no effect on a token in the URL."),
  AUTH_PARAM_RESERVED: error("additionalParams sets a parameter of the protocol."),
  AUTH_ENDPOINT_CONFLICT: error(
    "endpointUrl and requiresEndpointUrl both set the account's endpoint.",
  ),
  AUTH_REFRESH_URL_INVALID: error(
    "The refresh URL is neither an absolute URL nor an allowed relative one.",
  ),
  AUTH_REFRESH_URL_INSECURE: error("The refresh URL is not https."),
  AUTH_ENDPOINT_URL_INVALID: error("The endpoint URL is not an absolute URL."),
  AUTH_ENDPOINT_URL_INSECURE: error("The endpoint URL is not https."),
  AUTH_ISSUER_INVALID: error("The issuer is not an https URL without query and fragment."),
  AUTH_REQUEST_FORMAT: error("A token request in the URL would contain the client secret."),
  AUTH_GRANT_TYPE_INVALID: error("This flow cannot send the grant type."),
  AUTH_GRANT_TYPE_PASSWORD: warning("The password grant gives the user's password to the Pack."),
  AUTH_SECRET_LITERAL: error(
    "The definition contains a password, and everyone who has the Pack can read it.",
  ),
  AUTH_VARIABLE_INVALID: error("A connection variable is not declared correctly."),
  AUTH_VARIABLE_DUPLICATE: error("Two connection variables have the same name."),
  AUTH_VARIABLE_UNUSED: warning("A connection variable is asked for but not used."),
  AUTH_CALLBACK_PARAM_INVALID: error("A callback parameter is not declared correctly."),
  AUTH_PLACEHOLDER_UNKNOWN: error("A placeholder of a URL names something that is not declared."),
  AUTH_PLACEHOLDER_UNDECLARED: warning(
    "Text looks like a placeholder but names nothing that is declared, so it is sent as it is.",
  ),
  AUTH_PLACEHOLDER_PLACE: error("A placeholder is at a place where its value is not allowed."),
  AUTH_CREDENTIALS_LOCATION: error("The place of the client credentials does not exist."),
  AUTH_SCOPES_MISSING: error("A Google account asks for no scope."),
  AUTH_ADMIN_TYPE: error(
    "This type of authentication has no account that an administrator could set up.",
  ),
  AUTH_ADMIN_NAME: error(
    "The name of an administrator's account is reserved, too long, or not a letter followed by letters, digits or underscores.",
  ),
  AUTH_ADMIN_TEXT: error(
    "The display name or description of an administrator's account is empty or too long.",
  ),
  AUTH_SERVICE_DOMAIN: error(
    "The document service's token would be sent to a domain that does not belong to the service.",
  ),

  // Formulas
  FORMULA_COUNT: error("The Pack has more than 100 formulas."),
  FORMULA_NAME_INVALID: error(
    "A formula name is too long, or not a letter followed by letters, digits or underscores.",
  ),
  FORMULA_NAME_DUPLICATE: error("Two formulas have the same name, ignoring case."),
  FORMULA_TEXT_LENGTH: error("A description or instructions are too long."),
  FORMULA_CACHE_TTL: error("The cache time is negative or more than a day."),
  FORMULA_CONNECTION: error("A formula needs an account, but the Pack has no user authentication."),
  FORMULA_SCHEMA_TYPE: error("The schema of a formula does not fit its result type."),
  FORMULA_VALIDATE_PARAMETERS: error("validateParameters is for sync formulas only."),
  EXAMPLE_PARAMS: error("An argument of an example has a type that no parameter can have."),
  EXAMPLE_RESULT: error("The result of an example is absent."),
  EXAMPLE_MISMATCH: lenient("An example does not fit the parameters or the result type."),

  FORMULA_NAMESPACE: error(
    "The namespace of the formulas is not a letter followed by letters, digits or underscores.",
  ),
  FORMULA_AUTHENTICATION_NAME: error("A formula names an authentication that it cannot use."),
  NAME_SHARED: lenient("A formula and a table have the same name."),

  // Sync tables
  TABLE_COUNT: error("The Pack has more than 100 sync tables."),
  TABLE_KEY_UNKNOWN: lenient("A key of a sync table is not known, so it has no effect."),
  TABLE_NAME_INVALID: error(
    "A name is too long, or not a letter followed by letters, digits or underscores.",
  ),
  TABLE_NAME_DUPLICATE: error("Two sync tables or their formulas have the same name."),
  TABLE_TEXT_LENGTH: error("A display name, a description or instructions are too long."),
  TABLE_IDENTITY_NAME: error("The identity name of a table is too long, or it is reserved."),
  TABLE_IDENTITY_MISMATCH: error("The identity name differs from the schema's."),
  TABLE_IDENTITY_DUPLICATE: error("Two sync tables have the same identity name."),
  TABLE_SCHEMA_INCOMPLETE: error("The rows of a table have no id or no display property."),
  TABLE_ROLE: error("A table of users or members lacks the properties that its role needs."),
  TABLE_DYNAMIC_MEMBER: error("A member of dynamic tables is set on another table."),
  TABLE_MUTABLE: warning("A property is mutable, but its table does not save changes."),
  TABLE_GETTER: error("The formula of a table is not a sync formula."),
  TABLE_VARARGS: error("The formula of a table has repeating parameters."),
  TABLE_BATCH_SIZE: error("A batch size is outside its limits."),
  TABLE_OPTIONS_COUNT: error("A table has more than 50 functions that list options."),
  TABLE_PROPERTY_OPTIONS: error(
    "A property has dynamic options, but the table has no function that lists them.",
  ),
  TABLE_CRAWL: error(
    "The values of a parameter cannot come from the place that crawlStrategy names.",
  ),
  TABLE_PARENT: error("The parent of the rows is not a reference to a table of this Pack."),

  // Parameters
  PARAMETER_NAME_INVALID: error(
    "A parameter name is too long, or not a letter followed by letters, digits or underscores.",
  ),
  PARAMETER_NAME_DUPLICATE: error("Two parameters of a formula have the same name."),
  PARAMETER_ORDER: error("A required parameter follows an optional one."),
  PARAMETER_TYPE: error("The type of a parameter does not exist."),
  PARAMETER_TEXT_LENGTH: error("A description or instructions are too long."),
  PARAMETER_INCREMENTAL: error("A required parameter cannot turn off incremental sync."),
  PARAMETER_PRESETS: error("A preset value is not one that a date or a list of dates can have."),
  PARAMETER_VARARG_OPTIONAL: lenient(
    "A repeated parameter is marked optional, which has no effect.",
  ),

  // Schemas
  SCHEMA_TYPE_UNKNOWN: error("The type of a schema does not exist."),
  SCHEMA_KEY_UNKNOWN: error("A schema has a key that is not known."),
  SCHEMA_HINT: error("The value hint does not fit the type."),
  SCHEMA_OPTION_VALUE: error("A display option does not have one of its legal values."),
  SCHEMA_PROPERTY_UNKNOWN: error("A member names a property that the schema does not have."),
  SCHEMA_PROPERTY_TYPE: error("A property has the wrong type for the member that names it."),
  SCHEMA_PROPERTY_EMPTY: error("The name of a property is empty."),
  SCHEMA_PROPERTY_COLLISION: lenient(
    "Two properties get the same name in the compiled definition.",
  ),
  SCHEMA_PROPERTY_NAME: warning("A property loses letters of its name in the compiled definition."),
  SCHEMA_PROPERTY_IDENTITY: error("A property has the name of the table's identity."),
  SCHEMA_FIXED_ID: error("Two properties have the same fixedId."),
  SCHEMA_IDENTITY_NAME: error(
    "The name of an identity is empty, or has characters other than letters, digits, _ and -.",
  ),
  SCHEMA_REFERENCE: error("A reference lacks its id, its display property or its identity."),
  SCHEMA_PERSON: error("A person lacks its id."),
  SCHEMA_AUTOCOMPLETE: error("autocomplete is the old name of options."),
  SCHEMA_OPTIONS: error("Options are not a list, or are set where there is nothing to choose."),
  SCHEMA_ORIGINAL_KEY: error("originalKey is only for compiled definitions."),
  SCHEMA_HINT_INTERNAL: error("The value hint is reserved for the document service."),
  SCHEMA_INDEX_EMPTY: error("A list of an index names no property."),
  SCHEMA_INDEX_COUNT: error("The index has more than 5 filterable properties."),
  SCHEMA_DEEP: error("Schemas are nested too deeply."),

  // Column formats
  FORMAT_COUNT: error("The Pack has more than 100 column formats."),
  FORMAT_NAME_LENGTH: error("The name of a column format is too long."),
  FORMAT_NAME_DUPLICATE: error("Two column formats have the same name, ignoring case."),
  FORMAT_MATCHER: error("A matcher is too long, or not a regular expression."),
  FORMAT_MATCHER_COUNT: error("A column format has more than 10 matchers."),
  FORMAT_FORMULA: error(
    "The formula of a column format does not exist, or cannot be called with one text.",
  ),

  // Skills
  SKILL_COUNT: error("The Pack has more than 15 skills."),
  SKILL_NAME_INVALID: error(
    "The name of a skill is empty, too long, or not a letter followed by letters, digits or underscores.",
  ),
  SKILL_NAME_DUPLICATE: error("Two skills have the same name, ignoring case."),
  SKILL_TEXT_LENGTH: error("A display name, a description or a prompt is empty or too long."),
  SKILL_FORMULA: error("A skill names a formula that the Pack does not have."),
  AGENT_KEY_UNKNOWN: error("A key of an agent or of a trigger is not known."),
  AGENT_INSTRUCTIONS: error("An agent has no instructions, or they are too long."),
  AGENT_TOOL: error("An agent lists the same tool twice, or a tool that agents cannot use."),
  AGENT_TRIGGER: error(
    "A trigger is there twice, has a wrong value, or does not belong to an agent.",
  ),
  AGENT_PARTS: error("An agent has other parts of a Pack, such as formulas."),
  SCHEDULE_RULE: error(
    "The rule of a schedule is not a recurrence rule, or runs more often than once an hour.",
  ),
  SKILL_ENTRYPOINT: error("An entry point names a skill that the Pack does not have."),
  TOOL_TYPE_UNKNOWN: error("The type of a tool, or of a part of it, does not exist."),
  TOOL_KEY_UNKNOWN: error("A tool has a key that is not known."),
  TOOL_DUPLICATE: error("A skill has the same tool twice."),
  TOOL_DOMAINS: error("A web search has no domain, more than 100, or an empty one."),
  TOOL_MCP_SERVER: error("A tool uses an MCP server that the Pack does not have."),
  SUGGESTED_PROMPT_COUNT: error("The Pack has more than 3 suggested prompts."),
  SUGGESTED_PROMPT_NAME: error(
    "The name of a suggested prompt is empty, too long, or not a letter followed by letters, digits or underscores.",
  ),
  SUGGESTED_PROMPT_NAME_DUPLICATE: error(
    "Two suggested prompts have the same name, ignoring case.",
  ),
  SUGGESTED_PROMPT_TEXT: error(
    "The display name or the text of a suggested prompt is empty or too long.",
  ),

  // MCP servers
  MCP_SERVER_COUNT: error("The Pack has more than one MCP server."),
  MCP_SERVER_NAME: error(
    "The name of an MCP server is empty, too long, used twice, or not a letter followed by letters, digits or underscores.",
  ),
  MCP_ENDPOINT_URL: error(
    "The URL of an MCP server is not an https URL, or it is relative and the account has no endpoint.",
  ),
  MCP_NETWORK_DOMAIN: error("The host of an MCP server is outside the Pack's network domains."),

  // What still works, but has a better form
  DEPRECATED_KEY: warning(
    "A member has an old name, which works in local runs only: an error of build and validate.",
  ),
  DEPRECATED_FACTORY: warning(
    "A parameter, a formula or a table is made with an old function, which still works.",
  ),

  // The source
  BUNDLE_SIZE: lenient("The bundle is larger than 5 MB."),
  BUNDLE_BUDGET: error("The bundle is larger than the budget of the build."),
  BUILD_WARNING: warning("The bundler reports a line as a likely mistake."),
  DYNAMIC_IMPORT: lenient("A module is loaded by a name that is only known when the Pack runs."),
  FILE_OUTSIDE_PROJECT: error(
    "The Pack, or a package, imports a file that is not a part of the project or of an installed package.",
  ),
  NATIVE_ADDON: lenient("The Pack loads a native addon, which is machine code for Node."),
  CODE_FROM_TEXT: warning("The Pack makes code from text, with eval or Function."),
  WEBASSEMBLY_ABSENT: lenient("The Pack uses WebAssembly, which the Pack runtime does not have."),
  PROCESS_ABSENT: warning(
    "The Pack uses a member of process that is empty or missing in the Pack runtime.",
  ),
  FILE_PATH_ABSENT: warning(
    "The Pack asks for the path of a source file, and the Pack runtime has no files.",
  ),
  TIMER_ABSENT: warning("The Pack uses a timer, and the Pack runtime has none."),
  GLOBAL_ABSENT: lenient(
    "The Pack uses a global of browsers or Node that the Pack runtime does not have.",
  ),
  TYPE_ERROR: lenient("The TypeScript compiler reports an error."),
  TYPE_CHECK_FAILED: warning("The TypeScript compiler could not check the Pack."),
} as const satisfies Record<string, IssueCodeEntry>;

export type IssueCode = keyof typeof ISSUE_CODES;
