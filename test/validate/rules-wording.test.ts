import { expect, it } from "vitest";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { families } from "./rules/families.ts";

/** What a code says first, among the rules of some families. */
function wordingOf(...names: string[]): string {
  const texts = new Map<string, string>();
  for (const [, , breaks] of families.filter(({ family }) => names.includes(family)).flatMap(({ rules }) => rules)) {
    for (const { code, message, hint } of validateDefinition(breaks))
      if (!texts.has(code)) texts.set(code, `${code}: ${message}\n    ${hint}`);
  }
  return [...texts.values()].join("\n");
}

it("tells problems of schemas", () => {
  expect(wordingOf("of schemas")).toMatchInlineSnapshot(`
    "SCHEMA_KEY_UNKNOWN: "icon" is not a known key here.
        Remove it; nothing reads it.
    SCHEMA_HINT: The value hint "url" does not go with the type "number".
        Change type to string, or remove codaType.
    SCHEMA_OPTION_VALUE: icon is "hart"; it can be star, circle, fire, bug, diamond, bell, thumbsup, heart, chili, smiley, lightning, currency, coffee, person, battery, cocktail, cloud, sun, checkmark or lightbulb.
        Write "heart".
    SCHEMA_PROPERTY_UNKNOWN: The schema has no property "Id".
        Write "id".
    KEY_UNKNOWN: "linkPropety" is not a known key here.
        Rename it to linkProperty.
    SCHEMA_AUTOCOMPLETE: autocomplete is for parameters; a property has options.
        Rename it to options, and set codaType: ValueHintType.SelectList.
    SCHEMA_OPTIONS: options is for select lists and references.
        Add codaType: ValueHintType.SelectList.
    SCHEMA_IDENTITY_NAME: The identity's name is empty.
        Name the kind of thing, such as Task.
    SCHEMA_FIXED_ID_DUPLICATE: The property "a" has the fixedId "1", too.
        Give each property a fixedId of its own.
    SCHEMA_PROPERTY_TYPE: titleProperty needs text or an object; "a" is a number.
        Name another property, or change its schema.
    SCHEMA_INTERNAL_HINT: Packs cannot use codaInternalRichText.
        Write ValueHintType.Html.
    MEMBER_MISSING: fromProperty is missing.
        Write the name of a property.
    SCHEMA_INDEX_EMPTY: The index names no property.
        Name the text that is searched.
    SCHEMA_INDEX_FILTERS: filterableProperties has 6 entries; 5 are allowed.
        Keep the 5 that users filter by most.
    VALUE_UNKNOWN: type is "Dokument"; it can be Messaging, Document, Email or Comment.
        Write "Document".
    SCHEMA_PROPERTY_EMPTY: The name of the property is empty.
        Name one of the properties: id.
    SCHEMA_ORIGINAL_KEY: originalKey is written by tools.
        Remove it, or name it fromKey.
    SCHEMA_REFERENCE: A reference needs the identity of the rows that it leads to.
        Add identity: { name }, or use makeReferenceSchemaFromObjectSchema.
    SCHEMA_PERSON: A person needs its idProperty in every value, but "email" is not required.
        Add required: true to the property.
    SCHEMA_KEY_COLLISION: The properties "foo-bar" and "fooBar" are both "FooBar" in the document.
        Rename one of them; fromKey can keep its name in the result.
    SCHEMA_KEY_LETTERS: The property "prénom" is "PrNom" in the document, which has only letters from A to Z.
        Name it with plain letters; displayName can have any, and fromKey keeps its name in the result.
    SCHEMA_TYPE_UNKNOWN: type is "text"; it can be boolean, number, string, array or object.
        Write one of these.
    SCHEMA_DEEP: Schemas are nested more than 50 deep.
        Flatten the properties."
  `);
});

it("tells problems of sync tables", () => {
  expect(wordingOf("of sync tables")).toMatchInlineSnapshot(`
    "FORMULA_CONNECTION: The table needs an account, but the Pack has no user authentication.
        Call setUserAuthentication, or remove connectionRequirement.
    SYNC_TABLE_NAME_INVALID: The name is empty.
        Write a letter, then letters, digits or underscores.
    SYNC_TABLE_TEXT_LENGTH: displayName has 51 characters; 50 are allowed.
        Shorten it.
    SYNC_TABLE_IDENTITY_NAME: identityName has 51 characters; 50 are allowed.
        Shorten it.
    SYNC_TABLE_OPTIONS_COUNT: The table has 51 functions that list options; 50 are allowed.
        Use OptionsType.Dynamic and one function, propertyOptions.
    VALUE_UNKNOWN: role is "user"; it can be users or groupMembers.
        Write "users".
    SYNC_TABLE_BATCH_SIZE: maxUpdateBatchSize is 1001.
        Write a whole number from 1 to 1000.
    SYNC_TABLE_FORMULA: The formula is none that gives rows.
        Give the table's formula as { parameters, execute }.
    MEMBER_MISSING: formula is missing.
        Add formula: { parameters, execute }.
    SYNC_TABLE_VARARGS: The formula of a table cannot have repeated parameters.
        Make it one parameter that takes a list.
    SYNC_TABLE_KEY_UNKNOWN: "extraScopes" is not a known key here.
        Remove it; nothing reads it.
    SYNC_TABLE_COUNT: The Pack has 101 sync tables; 100 are allowed.
        Split it into several Packs.
    SYNC_TABLE_IDENTITY_MISMATCH: The schema has the identity "Job", but the table has "Task".
        Remove the schema's identity: the table's is used then.
    SYNC_TABLE_IDENTITY_DUPLICATE: Another table has the identity "Task", too.
        Give each table an identity of its own.
    SYNC_TABLE_FORMULA_DUPLICATE: The formula of another table is named "Get".
        Remove the name: the table's is used then.
    SYNC_TABLE_NAME_DUPLICATE: Another sync table is named "Tasks".
        Rename one of them.
    SYNC_TABLE_PROPERTY_NAME: The property "task" has the name of the table's identity.
        Rename the property; fromKey can keep its name in the result.
    SYNC_TABLE_FORMULA_NAME: The name "Get tasks" is not a letter followed by letters, digits or underscores.
        Write "GetTasks".
    SYNC_TABLE_CRAWL: The Pack has no sync table "Task".
        Write the name of one of the Pack's tables.
    SYNC_TABLE_CRAWL_PERMISSIONS: Permissions come with a row's id, and "title" is not the id of "Tasks".
        Write propertyKey: "taskId", or remove it.
    SYNC_TABLE_CRAWL_PARENTS: Another parameter is filled from "Tasks"; all of a table's come from one table.
        Write "Tasks", or remove crawlStrategy.
    SYNC_TABLE_CRAWL_CYCLE: The tables are filled from each other: "A" from "C" from "B" from "A".
        Let one of them be filled without the others.
    SYNC_TABLE_PARENT: The property "parentTask" is no reference.
        Name a property with codaType: ValueHintType.Reference.
    SYNC_TABLE_OPTIONS: The options come from the table's propertyOptions, which is not there.
        Add propertyOptions to the table's dynamicOptions.
    KEY_UNKNOWN: "validateParameter" is not a known key here.
        Rename it to validateParameters.
    SYNC_TABLE_SCHEMA: The schema of a table needs idProperty.
        Add idProperty: the name of a property.
    NAME_SHARED: The formula "tasks" has the same name.
        Rename the table or the formula."
  `);
});

it("tells problems of column formats, skills, prompts and MCP servers", () => {
  expect(wordingOf("of column formats", "of skills, prompts and MCP servers")).toMatchInlineSnapshot(`
    "FORMAT_NAME_LENGTH: The name has 51 characters; 50 are allowed.
        Shorten it.
    FORMAT_MATCHER: The matcher has 301 characters; 300 are allowed.
        Shorten it, or write several matchers.
    FORMAT_MATCHER_COUNT: The format has 11 matchers; 10 are allowed.
        Join some of them with |.
    FORMAT_COUNT: The Pack has 101 column formats; 100 are allowed.
        Remove some of them.
    FORMAT_NAME_DUPLICATE: Another column format is named "Track".
        Rename one of them.
    FORMAT_FORMULA: The Pack has no formula "run".
        Write "Run".
    KEY_UNKNOWN: "placeHolder" is not a known key here.
        Rename it to placeholder.
    SKILL_NAME_INVALID: The name is empty.
        Write a letter, then letters, digits or underscores.
    SKILL_TEXT_LENGTH: displayName is empty.
        Write 1 to 50 characters.
    TOOL_TYPE_UNKNOWN: type is "Search"; it can be Pack, Knowledge, ScreenAnnotation, ContactResolution, WebSearch, MCP, CodaDocsAndTables, EmbeddedContent or MailAndCalendar.
        Write one of these.
    TOOL_KEY_UNKNOWN: "domains" is not a known key here.
        Remove it; nothing reads it.
    TOOL_DUPLICATE: The skill has this WebSearch tool twice.
        Remove this one.
    SKILL_FORMULA: The Pack has no formula "Walk".
        Name a formula of this Pack.
    VALUE_UNKNOWN: model is "OpenAIGPT6"; it can be OpenAIGPT4 or OpenAIGPT5.
        Write "OpenAIGPT4".
    SKILL_COUNT: The Pack has 16 skills; 15 are allowed.
        Join skills that belong together.
    SKILL_NAME_DUPLICATE: Another skill is named "Plan".
        Rename one of them.
    TOOL_DOMAINS: allowedDomains is empty.
        Name a domain, or remove it to search the whole web.
    SKILL_ENTRYPOINT: The Pack has no skill "Play".
        Write "Plan".
    TOOL_MCP_SERVER: The tool needs an MCP server, but the Pack has none.
        Call addMCPServer.
    SUGGESTED_PROMPT_NAME: The name "Start now" is not a letter followed by letters, digits or underscores.
        Write "StartNow".
    SUGGESTED_PROMPT_TEXT: displayName is empty.
        Write 1 to 50 characters.
    SUGGESTED_PROMPT_COUNT: The Pack has 4 suggested prompts; 3 are allowed.
        Keep the best ones.
    SUGGESTED_PROMPT_NAME_DUPLICATE: Another suggested prompt is named "Start".
        Rename one of them.
    MCP_SERVER_COUNT: The Pack has 2 MCP servers; 1 is allowed.
        Split the Pack, or keep one server.
    MCP_ENDPOINT_URL: endpointUrl is empty.
        Write an https URL such as "https://mcp.host.example/mcp".
    MCP_SERVER_NAME: The name "My server" is not a letter followed by letters, digits or underscores.
        Write "MyServer".
    MCP_NETWORK_DOMAIN: The Pack has no network domain.
        Call addNetworkDomain("mcp.tasks.example")."
  `);
});

it("tells problems of authentication, formulas and parameters", () => {
  expect(wordingOf("of authentication", "of formulas", "of parameters")).toMatchInlineSnapshot(`
    "AUTH_NETWORK_DOMAIN_EMPTY: networkDomain is empty.
        Name one of the Pack's network domains.
    AUTH_NETWORK_DOMAIN_UNDECLARED: "tasks .example" is not one of the Pack's network domains.
        Write "tasks.example".
    AUTH_POST_SETUP_OPTIONS: The step has no options to choose from.
        Add getOptions: a function that lists the endpoints.
    AUTH_NAME_DUPLICATE: "x-a" is there twice.
        Rename or remove this one.
    AUTH_AUTHORIZATION_URL_INVALID: authorizationUrl is not a URL.
        Write an https URL such as "https://login.host.example/authorize".
    AUTH_TOKEN_URL_INVALID: tokenUrl is not a URL.
        Write an https URL such as "https://login.host.example/token".
    AUTH_SCOPE_DELIMITER: scopeDelimiter is "|"; it can be a space, a comma or a semicolon.
        Write " ", "," or ";".
    AUTH_PKCE_METHOD: pkceChallengeMethod is "SHA256"; it can be S256 or plain.
        Write "S256".
    AUTH_RESOURCE_INVALID: resource is not an absolute URL.
        Write it as https://host/path.
    AUTH_CREDENTIALS_LOCATION: credentialsLocation is "Header"; it can be Automatic, Body or AuthorizationHeader.
        Write one of these.
    AUTH_AUTHORIZATION_URL_MISSING: authorizationUrl is missing.
        Add authorizationUrl: an https URL such as "https://login.host.example/authorize".
    AUTH_TOKEN_URL_MISSING: tokenUrl is missing.
        Add tokenUrl: an https URL such as "https://login.host.example/token".
    AUTH_AUTHORIZATION_URL_INSECURE: authorizationUrl uses http, not https.
        Write an https URL such as "https://login.host.example/authorize".
    AUTH_KEY_UNKNOWN: "tokenUrl" is not a known key here.
        Remove it; nothing reads it.
    AUTH_TYPE_UNKNOWN: type is "Oauth2"; it can be None, HeaderBearerToken, CustomHeaderToken, MultiHeaderToken, QueryParamToken, MultiQueryParamToken, OAuth2, OAuth2ClientCredentials, WebBasic, Custom, AWSAccessKey, AWSAssumeRole, CodaApiHeaderBearerToken, GoogleDomainWideDelegation, GoogleServiceAccount or Various.
        Write "OAuth2".
    AUTH_SYSTEM_TYPE: OAuth2 cannot be the Pack's own authentication.
        Use OAuth2ClientCredentials, or setUserAuthentication.
    AUTH_TOKEN_URL_INSECURE: tokenUrl uses http, not https.
        Write an https URL such as "https://login.host.example/token".
    AUTH_URL_LOOPBACK: tokenUrl is http on this machine, which works in development only.
        Write the public https URL.
    AUTH_SCOPE_INVALID: The scope is empty.
        Remove it.
    AUTH_PKCE_METHOD_UNUSED: pkceChallengeMethod has no effect: PKCE is off.
        Add useProofKeyForCodeExchange: true.
    AUTH_TOKEN_PLACE: tokenPrefix has no effect on a token that tokenQueryParam puts in the URL.
        Remove tokenQueryParam; headers do not leak into logs.
    AUTH_PARAM_RESERVED: additionalParams may not set state, which belongs to the protocol.
        Remove it.
    AUTH_HEADER_NAME: "X-Key\\r\\nX-Evil" is not a header name.
        Use letters, digits and hyphens only, such as X-Api-Key.
    AUTH_PARAM_NAME: The parameter name is empty.
        Write the name that the API expects.
    AUTH_ENTRIES_MISSING: params is empty.
        Add an entry { name, description }.
    AUTH_INSTRUCTIONS_URL: instructionsUrl is not an https URL.
        Write it as https://host/path.
    AUTH_PKCE_MISSING: The definition does not say whether it uses PKCE.
        Add useProofKeyForCodeExchange: true, or false for a provider that refuses it.
    AUTH_SCOPES_MISSING: scopes is empty.
        Add the scopes that the Pack's requests need.
    AUTH_ADMIN_TYPE: None has no account that an administrator could set up.
        Remove it, or choose another type.
    AUTH_ADMIN_NAME: The name is empty.
        Write a letter, then letters, digits or underscores.
    AUTH_ADMIN_TEXT: displayName has 51 characters; 50 are allowed.
        Shorten it.
    KEY_UNKNOWN: "title" is not a known key here.
        Remove it; nothing reads it.
    FORMULA_NAME_INVALID: The name has 51 characters; 50 are allowed.
        Shorten it.
    FORMULA_TEXT_LENGTH: description has 1001 characters; 1000 are allowed.
        Shorten it.
    EXAMPLE_PARAMS: An argument cannot be an object.
        Write text, a number, true or false, a date, or a list of them.
    EXAMPLE_RESULT: The example has no result.
        Add the result that the call gives.
    FORMULA_CACHE_TTL: cacheTtlSecs is -1.
        Write 0 to 86400.
    VALUE_UNKNOWN: connectionRequirement is "always"; it can be none, optional or required.
        Write one of these.
    FORMULA_SCHEMA_TYPE: The schema is of type "string", but the result type is "number".
        Set resultType to "string", or change the schema.
    FORMULA_VALIDATE_PARAMETERS: validateParameters is for the formulas of sync tables.
        Remove it.
    FORMULA_COUNT: The Pack has 101 formulas; 100 are allowed.
        Split it into several Packs.
    FORMULA_NAME_DUPLICATE: Another formula is named "Run".
        Rename one of them.
    FORMULA_CONNECTION: The formula needs an account, but the Pack has no user authentication.
        Call setUserAuthentication, or remove connectionRequirement.
    EXAMPLE_MISMATCH: The example has 0 arguments; the formula takes 1.
        Write one argument for each parameter, in their order.
    FORMULA_NAMESPACE: The name "My tasks" is not a letter followed by letters, digits or underscores.
        Write "MyTasks".
    FORMULA_AUTHENTICATION_NAMES: The formula names accounts, but uses none.
        Remove it, or change connectionRequirement.
    PARAMETER_NAME_INVALID: The name has 51 characters; 50 are allowed.
        Shorten it.
    PARAMETER_TYPE: A parameter cannot be an object.
        Take the members as parameters of their own, or JSON as text.
    PARAMETER_TEXT_LENGTH: description has 1001 characters; 1000 are allowed.
        Shorten it.
    PARAMETER_INCREMENTAL: A required parameter cannot switch incremental sync off.
        Add optional: true, or remove it.
    PARAMETER_ORDER: The required parameter "b" follows the optional "title".
        Move it before "title", or add optional: true.
    PARAMETER_NAME_DUPLICATE: Another parameter is named "title".
        Rename it.
    PARAMETER_VARARG_OPTIONAL: A repeated parameter is optional anyway: its group may be left out.
        Remove optional.
    PARAMETER_PRESET_VALUES: allowedPresetValues is for dates and lists of dates, not "string".
        Remove it."
  `);
});
