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
    "A part of the Pack's definition cannot be read, or the definition is too large.",
  ),
  MEMBER_MISSING: error("A required value is missing."),
  MEMBER_TYPE: error("A value has the wrong type."),
  VALUE_UNKNOWN: error("A value is not one of the allowed values."),
  KEY_UNKNOWN: lenient("A key is unknown and has no effect."),
  VERSION_INVALID: error("The Pack's version is not valid."),

  // Network domains
  NETWORK_DOMAIN_INVALID: error("A network domain is not a valid host name."),
  NETWORK_DOMAIN_LOOPBACK: warning(
    "A network domain is localhost, so the Pack works only on your machine.",
  ),
  NETWORK_DOMAIN_PUBLIC_SUFFIX: error(
    "A network domain is a public suffix such as com, so anyone can register a domain under it.",
  ),
  NETWORK_DOMAIN_DUPLICATE: warning("A network domain is declared twice."),
  NETWORK_DOMAIN_MISSING: error("The Pack has authentication but no network domain."),

  // Authentication
  AUTH_TYPE_UNKNOWN: error("The authentication type is unknown."),
  AUTH_KEY_UNKNOWN: error("The authentication has an unknown key, which has no effect."),
  AUTH_SYSTEM_TYPE: error(
    "setSystemAuthentication cannot use this type, because this type needs a user to log in.",
  ),
  AUTH_NETWORK_DOMAIN_EMPTY: error(
    "The authentication's network domain is empty or contains a space.",
  ),
  AUTH_NETWORK_DOMAIN_UNDECLARED: error(
    "The authentication uses a network domain that the Pack does not declare.",
  ),
  AUTH_NETWORK_DOMAIN_MISSING: error(
    "The Pack has several network domains, and the authentication does not specify which domains receive the credentials.",
  ),
  AUTH_ENDPOINT_DOMAIN: error("The Pack does not declare the domain of the endpoints."),
  AUTH_POST_SETUP_OPTIONS: error("A SetEndpoint step has no options to choose from."),
  AUTH_NAME_DUPLICATE: error("Two credentials of one authentication have the same name."),
  AUTH_ENTRIES_MISSING: lenient("The authentication has no credential that users can enter."),
  AUTH_HEADER_NAME: error("A header name contains characters that are not allowed."),
  AUTH_PARAM_NAME: error("An authentication parameter's name is empty or contains a space."),
  AUTH_INSTRUCTIONS_URL: lenient("The address of the help page is not an https URL."),
  AUTH_AUTHORIZATION_URL_MISSING: error("OAuth2 needs an authorization URL."),
  AUTH_AUTHORIZATION_URL_INVALID: error(
    "The authorization URL is neither an absolute URL nor an allowed relative URL.",
  ),
  AUTH_AUTHORIZATION_URL_INSECURE: error("The authorization URL does not use https."),
  AUTH_TOKEN_URL_MISSING: error("OAuth2 needs a token URL."),
  AUTH_TOKEN_URL_INVALID: error(
    "The token URL is neither an absolute URL nor an allowed relative URL.",
  ),
  AUTH_TOKEN_URL_INSECURE: error("The token URL does not use https."),
  AUTH_URL_LOOPBACK: warning("A URL points to a server on your machine, which users cannot reach."),
  AUTH_MEMBER_REPEATED: warning(
    "An authentication option has a value that is also in the metadata of its issuer.",
  ),
  AUTH_CLIENT_AUTHENTICATION: error("clientAuthentication has an unknown value."),
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: error(
    "Two options specify different methods of client authentication.",
  ),
  AUTH_SIGNING_ALGORITHM: error(
    "The signing algorithm is unknown, or has no effect with this authentication.",
  ),
  AUTH_DPOP_TOKEN_PLACE: error(
    "The authentication definition uses DPoP, but sends the token outside of the Authorization header.",
  ),
  AUTH_RENEWAL_SIGNAL_INVALID: error("A refresh rule matches no response, or every response."),
  AUTH_RESOURCE_INVALID: error("The OAuth resource is not an absolute URL."),
  AUTH_SCOPE_DELIMITER: error("The scope delimiter is not a space, a comma or a semicolon."),
  AUTH_SCOPE_INVALID: lenient("A scope is empty or contains the scope delimiter."),
  AUTH_PKCE_METHOD: error("The PKCE challenge method is neither S256 nor plain."),
  AUTH_PKCE_METHOD_UNUSED: lenient("A PKCE challenge method is set, but PKCE is off."),
  AUTH_PKCE_MISSING: warning("The authentication definition does not specify whether to use PKCE."),
  AUTH_TOKEN_PLACE: lenient("The token prefix has no effect on a token in the URL."),
  AUTH_PARAM_RESERVED: error(
    "The authentication definition sets a parameter that only packsmith can set.",
  ),
  AUTH_ENDPOINT_CONFLICT: error(
    "endpointUrl and requiresEndpointUrl both set the account's endpoint.",
  ),
  AUTH_REFRESH_URL_INVALID: error(
    "The refresh URL is neither an absolute URL nor an allowed relative URL.",
  ),
  AUTH_REFRESH_URL_INSECURE: error("The refresh URL does not use https."),
  AUTH_ENDPOINT_URL_INVALID: error("The endpoint URL is not an absolute URL."),
  AUTH_ENDPOINT_URL_INSECURE: error("The endpoint URL does not use https."),
  AUTH_ISSUER_INVALID: error("The issuer is not an https URL, or contains a query or a fragment."),
  AUTH_REQUEST_FORMAT: error("The URL of a token request would contain the client secret."),
  AUTH_GRANT_TYPE_INVALID: error("The grant type cannot be used with this authentication type."),
  AUTH_GRANT_TYPE_PASSWORD: warning("The password grant gives the user's password to the Pack."),
  AUTH_SECRET_LITERAL: error(
    "The authentication definition contains a password that everyone who has the Pack can read.",
  ),
  AUTH_VARIABLE_INVALID: error("A connection variable is not declared correctly."),
  AUTH_VARIABLE_DUPLICATE: error("Two connection variables have the same name."),
  AUTH_VARIABLE_UNUSED: warning("A connection variable is declared but not used."),
  AUTH_CALLBACK_PARAM_INVALID: error("A callback parameter is not declared correctly."),
  AUTH_PLACEHOLDER_UNKNOWN: error(
    "A URL contains a placeholder for a variable that is not declared.",
  ),
  AUTH_PLACEHOLDER_UNDECLARED: warning(
    "The text in braces is not the name of a declared variable, so packsmith sends the text unchanged.",
  ),
  AUTH_PLACEHOLDER_PLACE: error(
    "A URL contains a placeholder in a place where placeholders are not allowed.",
  ),
  AUTH_CREDENTIALS_LOCATION: error("credentialsLocation has an unknown value."),
  AUTH_SCOPES_MISSING: error("The authentication of a Google account has no scopes."),
  AUTH_ADMIN_TYPE: error(
    "An administrator cannot set up an account with this authentication type.",
  ),
  AUTH_ADMIN_NAME: error("An administrator's account name is reserved or invalid."),
  AUTH_ADMIN_TEXT: error(
    "The display name or description of an administrator's account is empty or too long.",
  ),
  AUTH_SERVICE_DOMAIN: error(
    "A domain that does not belong to the document service would receive the token of the service.",
  ),

  // Formulas
  FORMULA_COUNT: error("The Pack has more than 100 formulas."),
  FORMULA_NAME_INVALID: error("A formula name is not valid."),
  FORMULA_NAME_DUPLICATE: error("Two formulas have the same name. Case is ignored."),
  FORMULA_TEXT_LENGTH: error("A description or an instruction is too long."),
  FORMULA_CACHE_TTL: error("A formula's cache time is negative or more than a day."),
  FORMULA_CONNECTION: error("A formula needs an account, but the Pack has no user authentication."),
  FORMULA_SCHEMA_TYPE: error("A formula's schema does not match its result type."),
  FORMULA_VALIDATE_PARAMETERS: error(
    "validateParameters has no effect on a formula that is not a sync formula.",
  ),
  EXAMPLE_PARAMS: error("An argument of an example has a type that no parameter can have."),
  EXAMPLE_RESULT: error("An example has no result."),
  EXAMPLE_MISMATCH: lenient("An example does not match the parameters or the result type."),

  FORMULA_NAMESPACE: error("The formula namespace is not valid."),
  FORMULA_AUTHENTICATION_NAME: error("A formula names an account that it cannot use."),
  NAME_SHARED: lenient("A formula and a table have the same name."),

  // Sync tables
  TABLE_COUNT: error("The Pack has more than 100 sync tables."),
  TABLE_KEY_UNKNOWN: lenient("A sync table has an unknown key, which has no effect."),
  TABLE_NAME_INVALID: error("A table name is not valid."),
  TABLE_NAME_DUPLICATE: error("Two sync tables or their formulas have the same name."),
  TABLE_TEXT_LENGTH: error("A table's display name, description or instructions are too long."),
  TABLE_IDENTITY_NAME: error("A table's identity name is reserved or invalid."),
  TABLE_IDENTITY_MISMATCH: error("The table and its schema have different identity names."),
  TABLE_IDENTITY_DUPLICATE: error("Two sync tables have the same identity name."),
  TABLE_SCHEMA_INCOMPLETE: error(
    "A table's schema is missing an ID property or a display property.",
  ),
  TABLE_ROLE: error("The schema for a table of users or members is missing a required property."),
  TABLE_DYNAMIC_MEMBER: error(
    "A table that is not dynamic has a function that only dynamic tables can have.",
  ),
  TABLE_MUTABLE: warning(
    "Users can edit a property, but its table has no function that saves the edits.",
  ),
  TABLE_GETTER: error("A table's formula is an ordinary formula, not a sync formula."),
  TABLE_VARARGS: error("A table's formula has repeating parameters."),
  TABLE_BATCH_SIZE: error("The maximum batch size of a table is too small or too large."),
  TABLE_OPTIONS_COUNT: error("A table has more than 50 functions that list options."),
  TABLE_PROPERTY_OPTIONS: error(
    "A property has dynamic options, but the table has no function that lists them.",
  ),
  TABLE_CRAWL: error(
    "The crawlStrategy of a parameter specifies a table or a property that cannot be used.",
  ),
  TABLE_PARENT: error("A table's parentIdProperty is not a reference to a table of this Pack."),

  // Parameters
  PARAMETER_NAME_INVALID: error("A parameter name is not valid."),
  PARAMETER_NAME_DUPLICATE: error("Two parameters of a formula have the same name."),
  PARAMETER_ORDER: error("A required parameter follows an optional parameter."),
  PARAMETER_TYPE: error("A parameter has an unknown type."),
  PARAMETER_TEXT_LENGTH: error("A description or an instruction is too long."),
  PARAMETER_INCREMENTAL: error("A parameter that turns off incremental sync is required."),
  PARAMETER_PRESETS: error("A preset value does not exist for this type of parameter."),
  PARAMETER_VARARG_OPTIONAL: lenient("`optional` has no effect on a repeating parameter."),

  // Schemas
  SCHEMA_TYPE_UNKNOWN: error("A schema has an unknown type."),
  SCHEMA_KEY_UNKNOWN: error(
    "A schema has an unknown key, or a key that its type does not support.",
  ),
  SCHEMA_HINT: error("A value hint does not match the type of its schema."),
  SCHEMA_OPTION_VALUE: error("The value of a display option is not one of the allowed values."),
  SCHEMA_PROPERTY_UNKNOWN: error("A key refers to a property that the schema does not have."),
  SCHEMA_PROPERTY_TYPE: error("A key refers to a property that has the wrong type."),
  SCHEMA_PROPERTY_EMPTY: error("A property name is empty."),
  SCHEMA_PROPERTY_COLLISION: lenient("Two properties have the same name when the Pack is built."),
  SCHEMA_PROPERTY_NAME: warning("The build removes characters from a property name."),
  SCHEMA_PROPERTY_IDENTITY: error("A property has the same name as the table's identity."),
  SCHEMA_FIXED_ID: error("Two properties have the same fixedId."),
  SCHEMA_IDENTITY_NAME: error("An identity name is not valid."),
  SCHEMA_REFERENCE: error(
    "A reference is missing an ID property, a display property or an identity.",
  ),
  SCHEMA_PERSON: error("A person has no ID property."),
  SCHEMA_AUTOCOMPLETE: error("A property has the old key `autocomplete` instead of `options`."),
  SCHEMA_OPTIONS: error(
    "The value of `options` is not valid, or the property is not a select list.",
  ),
  SCHEMA_ORIGINAL_KEY: error("originalKey cannot be set in a definition."),
  SCHEMA_HINT_INTERNAL: error("The value hint is reserved for the document service."),
  SCHEMA_INDEX_EMPTY: error("An index has an empty list of properties."),
  SCHEMA_INDEX_COUNT: error("The index has more than 5 filterable properties."),
  SCHEMA_DEEP: error("A schema has too many nested levels."),

  // Column formats
  FORMAT_COUNT: error("The Pack has more than 100 column formats."),
  FORMAT_NAME_LENGTH: error("A column format's name is too long."),
  FORMAT_NAME_DUPLICATE: error("Two column formats have the same name. Case is ignored."),
  FORMAT_MATCHER: error(
    "A column format's matcher is too long, or is not a valid regular expression.",
  ),
  FORMAT_MATCHER_COUNT: error("A column format has more than 10 matchers."),
  FORMAT_FORMULA: error(
    "A column format's formula does not exist, or does not accept exactly one text argument.",
  ),

  // Skills
  SKILL_COUNT: error("The Pack has more than 15 skills."),
  SKILL_NAME_INVALID: error("A skill name is not valid."),
  SKILL_NAME_DUPLICATE: error("Two skills have the same name. Case is ignored."),
  SKILL_TEXT_LENGTH: error("A skill's display name, description or prompt is empty or too long."),
  SKILL_FORMULA: error("A skill uses a formula that the Pack does not define."),
  AGENT_KEY_UNKNOWN: error("An agent or a trigger has an unknown key."),
  AGENT_INSTRUCTIONS: error("An agent has no instructions, or its instructions are too long."),
  AGENT_TOOL: error("An agent lists the same tool twice, or a tool that agents cannot use."),
  AGENT_TRIGGER: error(
    "A trigger has an invalid value or is set twice, or a Pack that is not an agent has a trigger.",
  ),
  AGENT_PARTS: error("An agent has parts that only a Pack can have, such as formulas."),
  SCHEDULE_RULE: error(
    "A schedule is not a valid recurrence rule, or runs more often than once an hour.",
  ),
  SKILL_ENTRYPOINT: error("An entry point uses a skill that the Pack does not define."),
  TOOL_TYPE_UNKNOWN: error("A tool, or a part of a tool, has an unknown type."),
  TOOL_KEY_UNKNOWN: error("A tool has an unknown key."),
  TOOL_DUPLICATE: error("A skill lists the same tool twice."),
  TOOL_DOMAINS: error("The allowed domains of a web search are not valid."),
  TOOL_MCP_SERVER: error("A tool uses an MCP server that the Pack does not define."),
  SUGGESTED_PROMPT_COUNT: error("The Pack has more than 3 suggested prompts."),
  SUGGESTED_PROMPT_NAME: error("A suggested prompt's name is not valid."),
  SUGGESTED_PROMPT_NAME_DUPLICATE: error(
    "Two suggested prompts have the same name. Case is ignored.",
  ),
  SUGGESTED_PROMPT_TEXT: error("A suggested prompt's display name or text is empty or too long."),

  // MCP servers
  MCP_SERVER_COUNT: error("The Pack has more than one MCP server."),
  MCP_SERVER_NAME: error("An MCP server's name is not valid, or two servers have the same name."),
  MCP_ENDPOINT_URL: error(
    "An MCP server's URL does not use https, or is relative although the account has no endpoint.",
  ),
  MCP_NETWORK_DOMAIN: error("The Pack does not declare the domain of its MCP server."),

  // What still works, but has a better form
  DEPRECATED_KEY: warning("A key has an old name that works only on your machine."),
  DEPRECATED_FACTORY: warning("A deprecated function creates a parameter, a formula or a table."),

  // The source
  BUNDLE_SIZE: lenient("The bundle is larger than 5 MB."),
  BUNDLE_BUDGET: error("The bundle exceeds the --budget limit."),
  BUILD_WARNING: warning("The bundler found a line in the source that is probably a mistake."),
  DYNAMIC_IMPORT: lenient("The code computes the name of an imported module when the Pack runs."),
  FILE_OUTSIDE_PROJECT: error(
    "An import resolves to a file that is neither in the project nor in an installed package.",
  ),
  NATIVE_ADDON: lenient("The Pack imports a native addon, which only Node can load."),
  CODE_FROM_TEXT: warning("The Pack uses eval or new Function to run code from a string."),
  WEBASSEMBLY_ABSENT: lenient("The Pack uses WebAssembly, which the Pack runtime does not have."),
  PROCESS_ABSENT: warning(
    "The Pack uses a part of `process` that does not exist in the Pack runtime.",
  ),
  FILE_PATH_ABSENT: warning(
    "The Pack uses the path of a source file, but the Pack runtime has no files.",
  ),
  TIMER_ABSENT: warning("The Pack uses a timer, which the Pack runtime does not have."),
  GLOBAL_ABSENT: lenient(
    "The Pack uses a browser or Node global that the Pack runtime does not have.",
  ),
  TYPE_ERROR: lenient("TypeScript reports an error."),
  TYPE_CHECK_FAILED: warning("TypeScript could not check the Pack."),
} as const satisfies Record<string, IssueCodeEntry>;

export type IssueCode = keyof typeof ISSUE_CODES;
