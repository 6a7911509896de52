import { describe, expect, it } from "vitest";
import { ISSUE_CODES, type IssueCode } from "../../../src/validate/codes.ts";
import { validateDefinition } from "../../../src/validate/validate-definition.ts";
import { authenticationRows } from "./authentication-rows.ts";
import { families, familiesOfPairs } from "./families.ts";
import { formatRows } from "./format-rows.ts";
import { addTitle, readNumbers } from "./row.ts";
import { RULES_OF_CODES } from "./rules-of-codes.ts";
import { skillRows } from "./skill-rows.ts";

/**
 * docs/rules.md: definition 167, 168, 169, 170, 171 are about agents (test/validate/agent-rules.test.ts),
 * and A16 is about bundles.
 */
const SKIPPED = new Set(["167", "168", "169", "170", "171", "A16"]);
/** Old names of members: test/validate/fixes.test.ts. */
const OLD_NAMES = new Set(["192", "193", "194", "195", "196", "197"]);

const report = (definition: unknown) =>
  validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

describe.each(familiesOfPairs)("the rules $family", ({ rows }) => {
  it.each(rows.map(addTitle))("%s: a definition that obeys it has no issue", (_rules, obeys) => {
    expect(report(obeys)).toEqual([]);
  });

  it.each(rows.map(addTitle))(
    "%s: a definition that breaks it is reported at the author's path, once",
    (_rules, _obeys, breaks, ...reported) => {
      expect(report(breaks).sort()).toEqual([...reported].sort());
    },
  );
});

describe("the rules", () => {
  const rows = families.flatMap((family) => family.rows);

  it("have an example each", () => {
    const tested = new Set(rows.flatMap(([rules]) => readNumbers(rules)));
    const all = [
      ...Array.from({ length: 197 }, (_, index) => `${index + 1}`),
      ...Array.from({ length: 16 }, (_, index) => `A${index + 1}`),
    ];
    expect(
      all.filter((number) => !tested.has(number) && !SKIPPED.has(number) && !OLD_NAMES.has(number)),
    ).toEqual([]);
  });

  it("of formats, skills, prompts, servers and accounts report a code that names them", () => {
    for (const [rules, , , ...reported] of [...formatRows, ...skillRows, ...authenticationRows]) {
      const named = reported.flatMap((text) =>
        readNumbers(RULES_OF_CODES[text.split(" ")[0] as IssueCode] ?? ""),
      );
      for (const number of readNumbers(rules).filter((rule) => rule !== "158"))
        expect(named, `${rules}: ${reported.join()}`).toContain(number);
    }
  });

  it("give every issue a sentence, a hint and the severity of its code", () => {
    for (const issue of rows.flatMap(([, , breaks]) => validateDefinition(breaks))) {
      expect(issue.hint).toMatch(/^[A-Z].*[.…]$/s);
      expect(issue.message).toMatch(/\.$/s);
      expect(ISSUE_CODES[issue.code as IssueCode].severity).toBe(issue.severity);
    }
  });

  it("have these texts", () => {
    const texts = new Map<string, string>();
    const shown = familiesOfPairs.filter(
      ({ family }) =>
        family.startsWith("of column formats") || family.startsWith("of authentication"),
    );
    for (const [, , breaks] of shown.flatMap((family) => family.rows)) {
      for (const { code, message, hint } of validateDefinition(breaks))
        if (!texts.has(code)) texts.set(code, `${code}: ${message}\n    ${hint}`);
    }
    expect([...texts.values()].join("\n")).toMatchInlineSnapshot(`
      "AUTH_NETWORK_DOMAIN_EMPTY: networkDomain is empty.
          Use one of the Pack's network domains.
      AUTH_NETWORK_DOMAIN_UNDECLARED: "tasks .example" is not one of the Pack's network domains.
          Write "tasks.example".
      AUTH_POST_SETUP_OPTIONS: No function lists the endpoints of this step.
          Add getOptions: a function that lists the endpoints.
      AUTH_NAME_DUPLICATE: "x-a" is listed twice.
          Rename or remove this credential.
      AUTH_AUTHORIZATION_URL_INVALID: authorizationUrl is not a valid URL.
          Write an https URL such as "https://login.host.example/authorize".
      AUTH_TOKEN_URL_INVALID: tokenUrl is not a valid URL.
          Write an https URL such as "https://login.host.example/token".
      AUTH_SCOPE_DELIMITER: scopeDelimiter is "|"; it can be a space, a comma or a semicolon.
          Write " ", "," or ";".
      AUTH_PKCE_METHOD: pkceChallengeMethod is "SHA256"; it can be S256 or plain.
          Write "S256".
      AUTH_RESOURCE_INVALID: resource is not an absolute URL.
          Write a URL such as https://host/path.
      AUTH_CREDENTIALS_LOCATION: credentialsLocation is "Header"; it can be Automatic, Body or AuthorizationHeader.
          Write one of these values.
      AUTH_AUTHORIZATION_URL_MISSING: authorizationUrl is missing.
          Add authorizationUrl: an https URL such as "https://login.host.example/authorize".
      AUTH_TOKEN_URL_MISSING: tokenUrl is missing.
          Add tokenUrl: an https URL such as "https://login.host.example/token".
      AUTH_AUTHORIZATION_URL_INSECURE: authorizationUrl uses http, not https.
          Write an https URL such as "https://login.host.example/authorize".
      AUTH_KEY_UNKNOWN: "tokenUrl" is not a known key here.
          Remove the key: it has no effect.
      AUTH_TYPE_UNKNOWN: type is "Oauth2"; it can be None, HeaderBearerToken, CustomHeaderToken, MultiHeaderToken, QueryParamToken, MultiQueryParamToken, OAuth2, OAuth2ClientCredentials, WebBasic, Custom, AWSAccessKey, AWSAssumeRole, CodaApiHeaderBearerToken, GoogleDomainWideDelegation, GoogleServiceAccount or Various.
          Write "OAuth2".
      AUTH_SYSTEM_TYPE: The Pack's own account cannot use OAuth2.
          Use OAuth2ClientCredentials, or setUserAuthentication.
      AUTH_TOKEN_URL_INSECURE: tokenUrl uses http, not https.
          Write an https URL such as "https://login.host.example/token".
      AUTH_URL_LOOPBACK: tokenUrl is an http URL on this machine, so the Pack works only on this machine.
          Write the public https URL.
      AUTH_SCOPE_INVALID: The scope is empty.
          Remove this entry.
      AUTH_PKCE_METHOD_UNUSED: pkceChallengeMethod has no effect: PKCE is off.
          Add useProofKeyForCodeExchange: true.
      AUTH_TOKEN_PLACE: tokenPrefix has no effect: tokenQueryParam puts the token in the URL.
          Remove tokenQueryParam: servers log URLs, but do not log headers.
      AUTH_PARAM_RESERVED: additionalParams cannot set state: packsmith sets this parameter.
          Remove this entry.
      AUTH_HEADER_NAME: "X-Key\\r\\nX-Evil" is not a valid header name.
          Use only letters, digits and hyphens, as in X-Api-Key.
      AUTH_PARAM_NAME: The parameter name is empty.
          Write the name that the API expects.
      AUTH_ENTRIES_MISSING: params is empty.
          Add an entry { name, description }.
      AUTH_INSTRUCTIONS_URL: instructionsUrl is not an https URL.
          Write a URL such as https://host/path.
      AUTH_PKCE_MISSING: The definition does not set useProofKeyForCodeExchange.
          Add useProofKeyForCodeExchange: true. If the provider rejects PKCE, write false instead.
      AUTH_SCOPES_MISSING: scopes is empty.
          Add the scopes that the Pack's requests need.
      AUTH_ADMIN_TYPE: An administrator cannot set up an account of type None.
          Remove the account, or choose another authentication type.
      AUTH_ADMIN_NAME: The name is empty.
          Start the name with a letter. Use only letters, digits and underscores.
      AUTH_ADMIN_TEXT: displayName has 51 characters; the limit is 50.
          Shorten the name.
      KEY_UNKNOWN: "title" is not a known key here.
          Remove the key: it has no effect.
      FORMAT_NAME_LENGTH: The name has 51 characters; the limit is 50.
          Shorten the name.
      FORMAT_MATCHER: The matcher has 301 characters; the limit is 300.
          Shorten the matcher, or write several matchers.
      FORMAT_MATCHER_COUNT: The format has 11 matchers; the limit is 10.
          Combine some of the matchers with |.
      FORMAT_COUNT: The Pack has 101 column formats; the limit is 100.
          Remove some of the formats.
      FORMAT_NAME_DUPLICATE: Another column format is named "Track".
          Rename this column format, or the other column format.
      FORMAT_FORMULA: The Pack has no formula "run".
          Write "Run".
      SKILL_NAME_INVALID: The name is empty.
          Start the name with a letter. Use only letters, digits and underscores.
      SKILL_TEXT_LENGTH: displayName is empty.
          Write 1 to 50 characters.
      TOOL_TYPE_UNKNOWN: type is "Search"; it can be Pack, Knowledge, ScreenAnnotation, MCP, ContactResolution, CodaDocsAndTables, WebSearch, EmbeddedContent or MailAndCalendar.
          Write one of these values.
      TOOL_KEY_UNKNOWN: "domains" is not a known key here.
          Remove the key: it has no effect.
      TOOL_DUPLICATE: The skill lists the same WebSearch tool twice.
          Remove this tool.
      SKILL_FORMULA: The Pack has no formula "Walk".
          Use the name of one of the Pack's formulas.
      VALUE_UNKNOWN: model is "OpenAIGPT6"; it can be OpenAIGPT4 or OpenAIGPT5.
          Write "OpenAIGPT4".
      SKILL_COUNT: The Pack has 16 skills; the limit is 15.
          Combine skills for similar tasks.
      SKILL_NAME_DUPLICATE: Another skill is named "Plan".
          Rename this skill, or the other skill.
      TOOL_DOMAINS: allowedDomains is empty.
          Add a domain, or remove allowedDomains to search the entire web.
      SKILL_ENTRYPOINT: The Pack has no skill "Play".
          Write "Plan".
      TOOL_MCP_SERVER: The tool needs an MCP server, but the Pack has none.
          Call addMCPServer.
      SUGGESTED_PROMPT_NAME: The name "Start now" must be a letter followed by letters, digits or underscores.
          Write "StartNow".
      SUGGESTED_PROMPT_TEXT: displayName is empty.
          Write 1 to 50 characters.
      SUGGESTED_PROMPT_COUNT: The Pack has 4 suggested prompts; the limit is 3.
          Keep only the most useful prompts.
      SUGGESTED_PROMPT_NAME_DUPLICATE: Another suggested prompt is named "Start".
          Rename this suggested prompt, or the other suggested prompt.
      MCP_SERVER_COUNT: The Pack has 2 MCP servers; the limit is 1.
          Split the Pack, or remove all servers but one.
      MCP_ENDPOINT_URL: endpointUrl is empty.
          Write an https URL such as "https://mcp.host.example/mcp".
      MCP_SERVER_NAME: The name "My server" must be a letter followed by letters, digits or underscores.
          Write "MyServer".
      MCP_NETWORK_DOMAIN: The Pack has no network domain.
          Call addNetworkDomain("mcp.tasks.example")."
    `);
  });
});
