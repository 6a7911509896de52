import type { Issue } from "./issue.ts";

/** What an issue code means. The meaning of a code never changes. */
export interface IssueCodeEntry {
  severity: Issue["severity"];
  /** The rules that it reports, by their numbers in the specification; tests name them. */
  rules: readonly string[];
  meaning: string;
  /** Only a warning for Packs that were written for `@codahq/packs-sdk`, whose validator accepts it. */
  isLenient?: boolean | undefined;
}

const error = (rules: string, meaning: string): IssueCodeEntry => ({ severity: "error", rules: rules.split(" "), meaning });
const lenient = (rules: string, meaning: string): IssueCodeEntry => ({ ...error(rules, meaning), isLenient: true });
const warning = (rules: string, meaning: string): IssueCodeEntry => ({ ...error(rules, meaning), severity: "warning" });

/** Every code of an issue. */
export const ISSUE_CODES = {
  // Shape
  DEFINITION_INVALID: error("shape", "The definition is not an object."),
  DEFINITION_UNREADABLE: error("shape", "A part of the definition cannot be read, or all of it is too large."),
  MEMBER_MISSING: error("shape", "A required member is absent."),
  MEMBER_TYPE: error("shape", "A member has the wrong type."),
  VALUE_UNKNOWN: error("shape 49 50 51 126 127 158", "A member does not have one of its legal values."),
  KEY_UNKNOWN: lenient("A12", "A key is not known, so it has no effect."),
  VERSION_INVALID: error("182 183", "The version is not one to three numbers with an optional prerelease number."),

  // Network domains
  NETWORK_DOMAIN_INVALID: error("184 185 A2", "A network domain is not a plain host name."),
  NETWORK_DOMAIN_LOOPBACK: warning("A2", "A network domain is this machine, which works in development only."),
  NETWORK_DOMAIN_PUBLIC_SUFFIX: error(
    "A2",
    "A network domain is a public suffix: the Pack could reach the hosts of everyone who has a domain under it.",
  ),
  NETWORK_DOMAIN_DUPLICATE: warning("A2", "A network domain is declared twice."),
  NETWORK_DOMAIN_MISSING: error("186", "The Pack has authentication but no network domain."),

  // Authentication
  AUTH_TYPE_UNKNOWN: error("23", "The authentication type does not exist."),
  AUTH_KEY_UNKNOWN: error("23 26", "A key of an authentication is not known, so it has no effect."),
  AUTH_SYSTEM_TYPE: error("24", "This type of authentication needs a user, so a Pack's own account cannot use it."),
  AUTH_NETWORK_DOMAIN_EMPTY: error("1 2 3", "The authentication's network domain is empty or has a space."),
  AUTH_NETWORK_DOMAIN_UNDECLARED: error("187", "The authentication names a network domain that the Pack does not declare."),
  AUTH_NETWORK_DOMAIN_MISSING: error(
    "190",
    "The Pack has several network domains, and the authentication does not say which of them get credentials.",
  ),
  AUTH_ENDPOINT_DOMAIN: error("188 189", "The endpoint domain is outside the network domains."),
  AUTH_POST_SETUP_OPTIONS: error("4", "A SetEndpoint step has no options to choose from."),
  AUTH_NAME_DUPLICATE: error("5 6 7", "Two credentials of one authentication have the same name."),
  AUTH_ENTRIES_MISSING: lenient("A8", "The authentication asks for no credential."),
  AUTH_HEADER_NAME: error("A7", "A header name is not an HTTP token."),
  AUTH_PARAM_NAME: error("A7", "A parameter name is empty."),
  AUTH_INSTRUCTIONS_URL: lenient("A9", "The help page is not an https URL."),
  AUTH_AUTHORIZATION_URL_MISSING: error("14", "OAuth2 needs an authorization URL."),
  AUTH_AUTHORIZATION_URL_INVALID: error("8 16", "The authorization URL is neither an absolute URL nor an allowed relative one."),
  AUTH_AUTHORIZATION_URL_INSECURE: error("16", "The authorization URL is not https."),
  AUTH_TOKEN_URL_MISSING: error("15", "OAuth2 needs a token URL."),
  AUTH_TOKEN_URL_INVALID: error("9 17 19", "The token URL is neither an absolute URL nor an allowed relative one."),
  AUTH_TOKEN_URL_INSECURE: error("17 A1", "The token URL is not https."),
  AUTH_URL_LOOPBACK: warning("A1", "A URL is http on this machine, which works in development only."),
  AUTH_CLIENT_AUTHENTICATION: error("23", "The client authentication does not exist."),
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: error("23", "Two members say how the client authenticates."),
  AUTH_SIGNING_ALGORITHM: error("23", "The signing algorithm does not exist, or nothing is signed."),
  AUTH_DPOP_TOKEN_PLACE: error("23", "A token that is bound to a key can only be sent in the Authorization header."),
  AUTH_RENEWAL_SIGNAL_INVALID: error("23", "A response that should refresh the token never arrives, or every response matches it."),
  AUTH_RESOURCE_INVALID: error("12 18 20", "The resource is not an absolute URL, or a relative one where none is allowed."),
  AUTH_SCOPE_DELIMITER: error("10", "The scope delimiter is not a space, a comma or a semicolon."),
  AUTH_SCOPE_INVALID: lenient("A3", "A scope is empty or contains the delimiter."),
  AUTH_PKCE_METHOD: error("11", "The challenge method is neither S256 nor plain."),
  AUTH_PKCE_METHOD_UNUSED: lenient("A4", "A challenge method is set, but PKCE is off."),
  AUTH_PKCE_MISSING: warning("RFC9700", "Without PKCE, a stolen authorization code can be used."),
  AUTH_TOKEN_PLACE: lenient("A5", "The token prefix has no effect on a token in the URL."),
  AUTH_PARAM_RESERVED: error("A6", "additionalParams sets a parameter of the protocol."),
  AUTH_ENDPOINT_CONFLICT: error("additions", "endpointUrl and requiresEndpointUrl both set the account's endpoint."),
  AUTH_REFRESH_URL_INVALID: error("additions", "The refresh URL is neither an absolute URL nor an allowed relative one."),
  AUTH_REFRESH_URL_INSECURE: error("additions", "The refresh URL is not https."),
  AUTH_ENDPOINT_URL_INVALID: error("additions", "The endpoint URL is not an absolute URL."),
  AUTH_ENDPOINT_URL_INSECURE: error("additions", "The endpoint URL is not https."),
  AUTH_ISSUER_INVALID: error("RFC8414", "The issuer is not an https URL without query and fragment."),
  AUTH_REQUEST_FORMAT: error("additions", "A token request in the URL would contain the client secret."),
  AUTH_GRANT_TYPE_INVALID: error("additions", "This flow cannot send the grant type."),
  AUTH_GRANT_TYPE_PASSWORD: warning("RFC9700", "The password grant gives the user's password to the Pack."),
  AUTH_SECRET_LITERAL: error("additions", "The definition contains a password, and everyone who has the Pack can read it."),
  AUTH_VARIABLE_INVALID: error("additions", "A connection variable is not declared correctly."),
  AUTH_VARIABLE_DUPLICATE: error("additions", "Two connection variables have the same name."),
  AUTH_VARIABLE_UNUSED: warning("additions", "A connection variable is asked for but not used."),
  AUTH_CALLBACK_PARAM_INVALID: error("additions", "A callback parameter is not declared correctly."),
  AUTH_PLACEHOLDER_UNKNOWN: error("additions", "A placeholder of a URL names something that is not declared."),
  AUTH_PLACEHOLDER_UNDECLARED: warning(
    "additions",
    "Text looks like a placeholder but names nothing that is declared, so it is sent as it is.",
  ),
  AUTH_PLACEHOLDER_PLACE: error("additions", "A placeholder is at a place where its value is not allowed."),
  AUTH_CREDENTIALS_LOCATION: error("13", "The place of the client credentials does not exist."),
  AUTH_SCOPES_MISSING: error("21 22", "A Google account asks for no scope."),
  AUTH_ADMIN_TYPE: error("25", "This type of authentication has no account that an administrator could set up."),
  AUTH_ADMIN_NAME: error(
    "27 28 29",
    "The name of an administrator's account is reserved, too long, or not a letter followed by letters, digits or underscores.",
  ),
  AUTH_ADMIN_TEXT: error("30 31", "The display name or description of an administrator's account is empty or too long."),
  AUTH_SERVICE_DOMAIN: error("191", "The document service's token would be sent to a domain that does not belong to the service."),

  // Formulas
  FORMULA_COUNT: error("55", "The Pack has more than 100 formulas."),
  FORMULA_NAME_INVALID: error("41 42", "A formula name is too long, or not a letter followed by letters, digits or underscores."),
  FORMULA_NAME_DUPLICATE: error("56", "Two formulas have the same name, ignoring case."),
  FORMULA_TEXT_LENGTH: error("43 44", "A description or instructions are too long."),
  FORMULA_CACHE_TTL: error("48", "The cache time is negative or more than a day."),
  FORMULA_CONNECTION: error("59", "A formula needs an account, but the Pack has no user authentication."),
  FORMULA_SCHEMA_TYPE: error("52", "The schema of a formula does not fit its result type."),
  FORMULA_VALIDATE_PARAMETERS: error("54", "validateParameters is for sync formulas only."),
  EXAMPLE_PARAMS: error("45", "An argument of an example has a type that no parameter can have."),
  EXAMPLE_RESULT: error("46", "The result of an example is absent."),
  EXAMPLE_MISMATCH: lenient("A11", "An example does not fit the parameters or the result type."),

  FORMULA_NAMESPACE: error("57 58", "The namespace of the formulas is not a letter followed by letters, digits or underscores."),
  FORMULA_AUTHENTICATION_NAME: error("61 62", "A formula names an authentication that it cannot use."),
  NAME_SHARED: lenient("A10", "A formula and a table have the same name."),

  // Sync tables
  TABLE_COUNT: error("135", "The Pack has more than 100 sync tables."),
  TABLE_KEY_UNKNOWN: error("132 134", "A key of a sync table is not known, so it has no effect."),
  TABLE_NAME_INVALID: error("118 119 141", "A name is too long, or not a letter followed by letters, digits or underscores."),
  TABLE_NAME_DUPLICATE: error("138 139", "Two sync tables or their formulas have the same name."),
  TABLE_TEXT_LENGTH: error("120 121 122", "A display name, a description or instructions are too long."),
  TABLE_IDENTITY_NAME: error("123 124", "The identity name of a table is too long, or it is reserved."),
  TABLE_IDENTITY_MISMATCH: error("136", "The identity name differs from the schema's."),
  TABLE_IDENTITY_DUPLICATE: error("137", "Two sync tables have the same identity name."),
  TABLE_SCHEMA_INCOMPLETE: error("8", "The rows of a table have no id or no display property."),
  TABLE_ROLE: error("8", "A table of users or members lacks the properties that its role needs."),
  TABLE_GETTER: error("130", "The formula of a table is not a sync formula."),
  TABLE_VARARGS: error("131", "The formula of a table has repeating parameters."),
  TABLE_BATCH_SIZE: error("128 129", "A batch size is outside its limits."),
  TABLE_OPTIONS_COUNT: error("125", "A table has more than 50 functions that list options."),
  TABLE_PROPERTY_OPTIONS: error("148", "A property has dynamic options, but the table has no function that lists them."),
  TABLE_CRAWL: error("142 143 144 145 146", "The values of a parameter cannot come from the place that crawlStrategy names."),
  TABLE_PARENT: error("147", "The parent of the rows is not a reference to a table of this Pack."),

  // Parameters
  PARAMETER_NAME_INVALID: error("32 33", "A parameter name is too long, or not a letter followed by letters, digits or underscores."),
  PARAMETER_NAME_DUPLICATE: error("53", "Two parameters of a formula have the same name."),
  PARAMETER_ORDER: error("47", "A required parameter follows an optional one."),
  PARAMETER_TYPE: error("34", "The type of a parameter does not exist."),
  PARAMETER_TEXT_LENGTH: error("35 36", "A description or instructions are too long."),
  PARAMETER_INCREMENTAL: error("37", "A required parameter cannot turn off incremental sync."),
  PARAMETER_PRESETS: error("38 39 40", "A preset value is not one that a date or a list of dates can have."),
  PARAMETER_VARARG_OPTIONAL: lenient("A15", "A repeated parameter is marked optional, which has no effect."),

  // Schemas
  SCHEMA_TYPE_UNKNOWN: error("63", "The type of a schema does not exist."),
  SCHEMA_KEY_UNKNOWN: error("63", "A schema has a key that is not known."),
  SCHEMA_HINT: error("64", "The value hint does not fit the type."),
  SCHEMA_OPTION_VALUE: error("65 66 67 68 69 70 71 72", "A display option does not have one of its legal values."),
  SCHEMA_PROPERTY_UNKNOWN: error("78 79 80", "A member names a property that the schema does not have."),
  SCHEMA_PROPERTY_TYPE: error(
    "81 82 83 84 85 86 87 88 89 90 91 92 93 94 96 97 98 99 100 102 104 105 106",
    "A property has the wrong type for the member that names it.",
  ),
  SCHEMA_PROPERTY_EMPTY: error("109", "The name of a property is empty."),
  SCHEMA_PROPERTY_COLLISION: lenient("A13", "Two properties get the same name in the compiled definition."),
  SCHEMA_PROPERTY_NAME: warning("A14", "A property loses letters of its name in the compiled definition."),
  SCHEMA_PROPERTY_IDENTITY: error("140", "A property has the name of the table's identity."),
  SCHEMA_FIXED_ID: error("77", "Two properties have the same fixedId."),
  SCHEMA_IDENTITY_NAME: error("75 76", "The name of an identity is empty, or has characters other than letters, digits, _ and -."),
  SCHEMA_REFERENCE: error("7.4", "A reference lacks its id, its display property or its identity."),
  SCHEMA_PERSON: error("7.4", "A person lacks its id."),
  SCHEMA_AUTOCOMPLETE: error("73", "autocomplete is the old name of options."),
  SCHEMA_OPTIONS: error("74 148", "Options are not a list, or are set where there is nothing to choose."),
  SCHEMA_ORIGINAL_KEY: error("7.2", "originalKey is only for compiled definitions."),
  SCHEMA_HINT_INTERNAL: error("95", "The value hint is reserved for the document service."),
  SCHEMA_INDEX_EMPTY: error("101 103", "A list of an index names no property."),
  SCHEMA_INDEX_COUNT: error("107", "The index has more than 5 filterable properties."),
  SCHEMA_DEEP: error("63", "Schemas are nested too deeply."),

  // Column formats
  FORMAT_COUNT: error("114", "The Pack has more than 100 column formats."),
  FORMAT_NAME_LENGTH: error("110", "The name of a column format is too long."),
  FORMAT_NAME_DUPLICATE: error("115", "Two column formats have the same name, ignoring case."),
  FORMAT_MATCHER: error("111 112", "A matcher is too long, or not a regular expression."),
  FORMAT_MATCHER_COUNT: error("113", "A column format has more than 10 matchers."),
  FORMAT_FORMULA: error("116 117", "The formula of a column format does not exist, or cannot be called with one text."),

  // Skills
  SKILL_COUNT: error("160", "The Pack has more than 15 skills."),
  SKILL_NAME_INVALID: error(
    "150 151",
    "The name of a skill is empty, too long, or not a letter followed by letters, digits or underscores.",
  ),
  SKILL_NAME_DUPLICATE: error("161", "Two skills have the same name, ignoring case."),
  SKILL_TEXT_LENGTH: error("152 153 154 159", "A display name, a description or a prompt is empty or too long."),
  SKILL_FORMULA: error("157 162 163", "A skill names a formula that the Pack does not have."),
  SKILL_ENTRYPOINT: error("165", "An entry point names a skill that the Pack does not have."),
  TOOL_TYPE_UNKNOWN: error("155", "The type of a tool, or of a part of it, does not exist."),
  TOOL_KEY_UNKNOWN: error("155", "A tool has a key that is not known."),
  TOOL_DUPLICATE: error("156", "A skill has the same tool twice."),
  TOOL_DOMAINS: error("164", "A web search has no domain, more than 100, or an empty one."),
  TOOL_MCP_SERVER: error("166", "A tool uses an MCP server that the Pack does not have."),
  SUGGESTED_PROMPT_COUNT: error("175", "The Pack has more than 3 suggested prompts."),
  SUGGESTED_PROMPT_NAME: error(
    "172",
    "The name of a suggested prompt is empty, too long, or not a letter followed by letters, digits or underscores.",
  ),
  SUGGESTED_PROMPT_NAME_DUPLICATE: error("175", "Two suggested prompts have the same name, ignoring case."),
  SUGGESTED_PROMPT_TEXT: error("173 174", "The display name or the text of a suggested prompt is empty or too long."),

  // MCP servers
  MCP_SERVER_COUNT: error("176", "The Pack has more than one MCP server."),
  MCP_SERVER_NAME: error(
    "178",
    "The name of an MCP server is empty, too long, used twice, or not a letter followed by letters, digits or underscores.",
  ),
  MCP_ENDPOINT_URL: error("177 181", "The URL of an MCP server is not an https URL, or it is relative and the account has no endpoint."),
  MCP_NETWORK_DOMAIN: error("179 180", "The host of an MCP server is outside the Pack's network domains."),

  // What still works, but has a better form
  DEPRECATED_KEY: warning("192 193 194 195 196 197", "A member has an old name, which still works."),
  DEPRECATED_FACTORY: warning("1.5", "A parameter, a formula or a table is made with an old function, which still works."),

  // The source
  BUNDLE_SIZE: lenient("A16", "The bundle is larger than 5 MB."),
  BUNDLE_BUDGET: error("build", "The bundle is larger than the budget of the build."),
  BUILD_WARNING: warning("build", "The bundler reports a line as a likely mistake."),
  DYNAMIC_IMPORT: lenient("build", "A module is loaded by a name that is only known when the Pack runs."),
  NATIVE_ADDON: lenient("build", "The Pack loads a native addon, which is machine code for Node."),
  CODE_FROM_TEXT: warning("build", "The Pack makes code from text, with eval or Function."),
  WEBASSEMBLY_ABSENT: lenient("build", "The Pack uses WebAssembly, which the Pack runtime does not have."),
  PROCESS_ABSENT: warning("build", "The Pack uses a member of process that is empty or missing in the Pack runtime."),
  FILE_PATH_ABSENT: warning("build", "The Pack asks for the path of a source file, and the Pack runtime has no files."),
  TIMER_ABSENT: warning("build", "The Pack uses a timer, and the Pack runtime has none."),
  GLOBAL_ABSENT: lenient("build", "The Pack uses a global of browsers or Node that the Pack runtime does not have."),
  TYPE_ERROR: error("types", "The TypeScript compiler reports an error."),
  TYPE_CHECK_FAILED: warning("types", "The TypeScript compiler could not check the Pack."),
} as const satisfies Record<string, IssueCodeEntry>;

export type IssueCode = keyof typeof ISSUE_CODES;
