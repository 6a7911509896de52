import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ISSUE_CODES } from "../../src/validate/codes.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import {
  clientCredentials,
  type Definition,
  formula,
  oauth2,
  pack,
  parameter,
  withFormula,
  withParameters,
  withProperty,
  withSchema,
  withSystem,
  withUser,
} from "./definitions.ts";

/** Rule, a definition that obeys it, one that breaks it, and what is reported then. */
type Row = [rule: string, obeys: Definition, breaks: Definition, ...reported: string[]];

const user = "defaultAuthentication";
const relative = { requiresEndpointUrl: true, authorizationUrl: "/authorize", tokenUrl: "/token" };
const step = (members: Definition) => oauth2({ postSetup: [{ type: "SetEndPoint", name: "site", description: "Site?", ...members }] });
const headers = (...names: string[]) => ({ type: "MultiHeaderToken", headers: names.map((name) => ({ name, description: "Key" })) });
const params = (type: string, ...names: string[]) => ({ type, params: names.map((name) => ({ name, description: "Key" })) });
const two = { networkDomains: ["tasks.example", "files.example"] };
const object = (members: Definition) => withSchema({ type: "object", properties: { id: { type: "string" } }, ...members });

const rows: Row[] = [
  [
    "1",
    withUser(oauth2({ networkDomain: "tasks.example" })),
    withUser(oauth2({ networkDomain: "" })),
    `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`,
  ],
  [
    "2",
    withUser(oauth2({ networkDomain: ["tasks.example"] })),
    withUser(oauth2({ networkDomain: "tasks .example" })),
    `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`,
    `AUTH_NETWORK_DOMAIN_UNDECLARED ${user}.networkDomain`,
  ],
  ["3", withUser(oauth2()), withUser(oauth2({ networkDomain: [] })), `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`],
  ["4", withUser(step({ getOptions: () => [] })), withUser(step({})), `AUTH_POST_SETUP_OPTIONS ${user}.postSetup[0]`],
  ["5", withUser(headers("X-A", "X-B")), withUser(headers("X-A", "x-a")), `AUTH_NAME_DUPLICATE ${user}.headers[1].name`],
  [
    "6",
    withUser(params("MultiQueryParamToken", "a", "A")),
    withUser(params("MultiQueryParamToken", "a", "a")),
    `AUTH_NAME_DUPLICATE ${user}.params[1].name`,
  ],
  ["7", withUser(params("Custom", "a", "b")), withUser(params("Custom", "a", "a")), `AUTH_NAME_DUPLICATE ${user}.params[1].name`],
  ["8", withUser(oauth2()), withUser(oauth2({ authorizationUrl: "https://" })), `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`],
  ["9", withUser(oauth2()), withUser(oauth2({ tokenUrl: "https://a b/" })), `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`],
  [
    "10",
    withUser(oauth2({ scopeDelimiter: ";" })),
    withUser(oauth2({ scopeDelimiter: "|" })),
    `AUTH_SCOPE_DELIMITER ${user}.scopeDelimiter`,
  ],
  [
    "11",
    withUser(oauth2({ pkceChallengeMethod: "plain" })),
    withUser(oauth2({ pkceChallengeMethod: "SHA256" })),
    `AUTH_PKCE_METHOD ${user}.pkceChallengeMethod`,
  ],
  [
    "12",
    withUser(oauth2({ resource: "https://api.tasks.example/" })),
    withUser(oauth2({ resource: "https://" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "13",
    withUser(oauth2({ credentialsLocation: "Body" })),
    withUser(oauth2({ credentialsLocation: "Header" })),
    `AUTH_CREDENTIALS_LOCATION ${user}.credentialsLocation`,
  ],
  [
    "14",
    withUser(oauth2({ useDynamicClientRegistration: true, authorizationUrl: undefined, tokenUrl: undefined })),
    withUser(oauth2({ authorizationUrl: undefined })),
    `AUTH_AUTHORIZATION_URL_MISSING ${user}.authorizationUrl`,
  ],
  ["15", withUser(oauth2()), withUser(oauth2({ tokenUrl: undefined })), `AUTH_TOKEN_URL_MISSING ${user}.tokenUrl`],
  [
    "16 relative where an endpoint is asked for",
    withUser(oauth2(relative)),
    withUser(oauth2({ ...relative, authorizationUrl: "https://login.tasks.example/authorize" })),
    `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`,
  ],
  [
    "16 https elsewhere",
    withUser(oauth2({ requiresEndpointUrl: true, endpointKey: "url" })),
    withUser(oauth2({ authorizationUrl: "http://login.tasks.example/authorize" })),
    `AUTH_AUTHORIZATION_URL_INSECURE ${user}.authorizationUrl`,
  ],
  [
    "16 one slash",
    withUser(oauth2(relative)),
    withUser(oauth2({ ...relative, authorizationUrl: "//evil.example/" })),
    `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`,
  ],
  ["17", withUser(oauth2(relative)), withUser(oauth2({ ...relative, tokenUrl: "/\\evil" })), `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`],
  [
    "18",
    withUser(oauth2({ ...relative, resource: "/api" })),
    withUser(oauth2({ resource: "/api" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "19",
    withUser(clientCredentials({ requiresEndpointUrl: true, tokenUrl: "/token" })),
    withUser(clientCredentials({ tokenUrl: "/token" })),
    `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`,
  ],
  [
    "20",
    withUser(clientCredentials({ resource: "https://api.tasks.example" })),
    withUser(clientCredentials({ requiresEndpointUrl: true, resource: "/api" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "23",
    withUser({ type: "HeaderBearerToken" }),
    withUser({ type: "HeaderBearerToken", tokenUrl: "x" }),
    `AUTH_KEY_UNKNOWN ${user}.tokenUrl`,
  ],
  [
    "23 in nested objects",
    withUser({ type: "WebBasic", uxConfig: { usernameOnly: true } }),
    withUser({ type: "WebBasic", uxConfig: { userNameOnly: true } }),
    `AUTH_KEY_UNKNOWN ${user}.uxConfig.userNameOnly`,
  ],
  ["23 types", withUser({ type: "None" }), withUser({ type: "Oauth2" }), `AUTH_TYPE_UNKNOWN ${user}.type`],
  ["24", withSystem(clientCredentials()), withSystem(oauth2()), "AUTH_SYSTEM_TYPE systemConnectionAuthentication.type"],
  [
    "32",
    withParameters(parameter({ name: "n".repeat(50) })),
    withParameters(parameter({ name: "n".repeat(51) })),
    "PARAMETER_NAME_INVALID formulas[0].parameters[0].name",
  ],
  [
    "33",
    withParameters(parameter({ name: "prénom_1" })),
    withParameters(parameter({ name: "1st" })),
    "PARAMETER_NAME_INVALID formulas[0].parameters[0].name",
  ],
  [
    "34",
    withParameters(parameter({ type: "sparseDateArray" })),
    withParameters(parameter({ type: "object" })),
    "PARAMETER_TYPE formulas[0].parameters[0].type",
  ],
  [
    "35",
    withParameters(parameter({ description: "d".repeat(1000) })),
    withParameters(parameter({ description: "d".repeat(1001) })),
    "PARAMETER_TEXT_LENGTH formulas[0].parameters[0].description",
  ],
  [
    "36",
    withParameters(parameter({ instructions: "d".repeat(20_000) })),
    withParameters(parameter({ instructions: "d".repeat(20_001) })),
    "PARAMETER_TEXT_LENGTH formulas[0].parameters[0].instructions",
  ],
  [
    "37",
    withParameters(parameter({ optional: true, supportsIncrementalSync: false })),
    withParameters(parameter({ supportsIncrementalSync: false })),
    "PARAMETER_INCREMENTAL formulas[0].parameters[0].supportsIncrementalSync",
  ],
  ["41", withFormula({ name: "N".repeat(50) }), withFormula({ name: "N".repeat(51) }), "FORMULA_NAME_INVALID formulas[0].name"],
  ["42", withFormula({ name: "Größe" }), withFormula({ name: "My Formula" }), "FORMULA_NAME_INVALID formulas[0].name"],
  [
    "43",
    withFormula({ description: "d".repeat(1000) }),
    withFormula({ description: "d".repeat(1001) }),
    "FORMULA_TEXT_LENGTH formulas[0].description",
  ],
  [
    "44",
    withFormula({ instructions: "d" }),
    withFormula({ instructions: "d".repeat(20_001) }),
    "FORMULA_TEXT_LENGTH formulas[0].instructions",
  ],
  [
    "45",
    withFormula({ parameters: [parameter()], examples: [{ params: ["a"], result: "b" }] }),
    withFormula({ parameters: [parameter()], examples: [{ params: [{ a: 1 }], result: "b" }] }),
    "EXAMPLE_PARAMS formulas[0].examples[0].params[0]",
  ],
  [
    "46",
    withFormula({ examples: [{ params: [], result: "" }] }),
    withFormula({ examples: [{ params: [], result: null }] }),
    "EXAMPLE_RESULT formulas[0].examples[0].result",
  ],
  [
    "47",
    withParameters(parameter(), parameter({ name: "b", optional: true })),
    withParameters(parameter({ optional: true }), parameter({ name: "b" })),
    "PARAMETER_ORDER formulas[0].parameters[1]",
  ],
  ["48", withFormula({ cacheTtlSecs: 0 }), withFormula({ cacheTtlSecs: -1 }), "FORMULA_CACHE_TTL formulas[0].cacheTtlSecs"],
  [
    "49",
    withFormula({ connectionRequirement: "none" }),
    withFormula({ connectionRequirement: "always" }),
    "VALUE_UNKNOWN formulas[0].connectionRequirement",
  ],
  [
    "52",
    withFormula({ resultType: "number", schema: { type: "number" } }),
    withFormula({ resultType: "number", schema: { type: "string" } }),
    "FORMULA_SCHEMA_TYPE formulas[0].schema",
  ],
  [
    "53",
    withFormula({ parameters: [parameter()], varargParameters: [parameter({ name: "b" })] }),
    withFormula({ parameters: [parameter()], varargParameters: [parameter()] }),
    "PARAMETER_NAME_DUPLICATE formulas[0].varargParameters[0].name",
  ],
  ["54", pack(), withFormula({ validateParameters: () => ({}) }), "FORMULA_VALIDATE_PARAMETERS formulas[0].validateParameters"],
  [
    "55",
    pack({ formulas: Array.from({ length: 100 }, (_, index) => formula({ name: `F${index}` })) }),
    pack({ formulas: Array.from({ length: 101 }, (_, index) => formula({ name: `F${index}` })) }),
    "FORMULA_COUNT formulas",
  ],
  [
    "56",
    pack({ formulas: [formula(), formula({ name: "Walk" })] }),
    pack({ formulas: [formula(), formula({ name: "RUN" })] }),
    "FORMULA_NAME_DUPLICATE formulas[1].name",
  ],
  [
    "59",
    withUser(oauth2(), { formulas: [formula({ connectionRequirement: "required" })] }),
    withUser({ type: "None" }, { formulas: [formula({ connectionRequirement: "optional" })] }),
    "FORMULA_CONNECTION formulas[0].connectionRequirement",
  ],
  [
    "63",
    withProperty({ type: "number", codaType: "scale", icon: "star" }),
    withProperty({ type: "number", codaType: "slider", icon: "star" }),
    "SCHEMA_KEY_UNKNOWN formulas[0].schema.properties.a.icon",
  ],
  [
    "63 in arrays",
    withProperty({ type: "array", items: { type: "string" } }),
    withProperty({ type: "array", items: { type: "string", precision: 1 } }),
    "SCHEMA_KEY_UNKNOWN formulas[0].schema.properties.a.items.precision",
  ],
  [
    "64",
    withProperty({ type: "string", codaType: "url" }),
    withProperty({ type: "number", codaType: "url" }),
    "SCHEMA_HINT formulas[0].schema.properties.a.codaType",
  ],
  [
    "65",
    withProperty({ type: "number", codaType: "scale", icon: "heart" }),
    withProperty({ type: "number", codaType: "scale", icon: "hart" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.icon",
  ],
  ["78", object({ idProperty: "id" }), object({ idProperty: "Id" }), "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.idProperty"],
  [
    "79",
    object({ displayProperty: "id" }),
    object({ displayProperty: "name" }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.displayProperty",
  ],
  [
    "80",
    object({ featuredProperties: ["id"] }),
    object({ featuredProperties: ["id", "no"] }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[1]",
  ],
  [
    "80 paths",
    object({
      properties: { owners: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } } },
      featuredProperties: ["owners[*].name", "owners.name"],
    }),
    object({
      properties: { owner: { type: "object", properties: { name: { type: "string" } } } },
      featuredProperties: ["owner.mail", "owner.name.first"],
    }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[0]",
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[1]",
  ],
  ["182", pack({ version: "1.2-prerelease.3" }), pack({ version: "1.2.3.4" }), "VERSION_INVALID version"],
  ["183", pack({ version: "2147483647" }), pack({ version: "2147483648" }), "VERSION_INVALID version"],
  [
    "184",
    pack({ networkDomains: [`${"a".repeat(60)}.example`] }),
    pack({ networkDomains: [`${"a.".repeat(124)}example`] }),
    "NETWORK_DOMAIN_INVALID networkDomains[0]",
  ],
  [
    "185",
    pack(),
    pack({ networkDomains: ["https://tasks.example", "tasks.example/api"] }),
    "NETWORK_DOMAIN_INVALID networkDomains[0]",
    "NETWORK_DOMAIN_INVALID networkDomains[1]",
  ],
  [
    "186",
    withUser({ type: "HeaderBearerToken", requiresEndpointUrl: true }, { networkDomains: [] }),
    withUser(oauth2(), { networkDomains: [] }),
    "NETWORK_DOMAIN_MISSING networkDomains",
  ],
  [
    "187",
    withUser(oauth2({ networkDomain: "files.example" }), two),
    withUser(oauth2({ networkDomain: ["tasks.example", "api.tasks.example"] })),
    `AUTH_NETWORK_DOMAIN_UNDECLARED ${user}.networkDomain[1]`,
  ],
  [
    "188",
    withUser(oauth2({ networkDomain: "tasks.example", endpointDomain: "eu.tasks.example" }), two),
    withUser(oauth2({ networkDomain: "tasks.example", endpointDomain: "files.example" }), two),
    `AUTH_ENDPOINT_DOMAIN ${user}.endpointDomain`,
  ],
  [
    "189",
    withUser(oauth2({ endpointDomain: "eu.tasks.example" })),
    withUser(oauth2({ endpointDomain: "eviltasks.example" })),
    `AUTH_ENDPOINT_DOMAIN ${user}.endpointDomain`,
  ],
  [
    "190",
    withUser(oauth2({ networkDomain: "tasks.example" }), two),
    withUser(oauth2(), two),
    `AUTH_NETWORK_DOMAIN_MISSING ${user}.networkDomain`,
  ],
  [
    "A1",
    withUser(clientCredentials()),
    withUser(clientCredentials({ tokenUrl: "http://a.example/" })),
    `AUTH_TOKEN_URL_INSECURE ${user}.tokenUrl`,
  ],
  [
    "A1 on loopback is a warning",
    withUser(clientCredentials()),
    withUser(clientCredentials({ tokenUrl: "http://[::1]:4711/token" })),
    `AUTH_URL_LOOPBACK ${user}.tokenUrl`,
  ],
  [
    "A2",
    pack({ networkDomains: ["api.tasks.example"] }),
    pack({ networkDomains: ["", "a b.example", "*.example.com", "10.0.0.1", "a.example:8080", "a.example.", "[fe80::1]"] }),
    ...[0, 1, 2, 3, 4, 5, 6].map((index) => `NETWORK_DOMAIN_INVALID networkDomains[${index}]`),
  ],
  [
    "A2 public suffixes",
    pack({ networkDomains: ["example.com", "example.co.uk"] }),
    pack({ networkDomains: ["com", "co.uk", "example"] }),
    ...[0, 1, 2].map((index) => `NETWORK_DOMAIN_PUBLIC_SUFFIX networkDomains[${index}]`),
  ],
  [
    "A2 loopback is a warning",
    pack(),
    pack({ networkDomains: ["127.0.0.1", "localhost:8080", "[::1]:1"] }),
    ...[0, 1, 2].map((index) => `NETWORK_DOMAIN_LOOPBACK networkDomains[${index}]`),
  ],
  ["A2 once", pack(two), pack({ networkDomains: ["tasks.example", "Tasks.Example"] }), "NETWORK_DOMAIN_DUPLICATE networkDomains[1]"],
  [
    "A3",
    withUser(oauth2({ scopes: ["a b"], scopeDelimiter: "," })),
    withUser(oauth2({ scopes: ["a", "", "b c"] })),
    `AUTH_SCOPE_INVALID ${user}.scopes[1]`,
    `AUTH_SCOPE_INVALID ${user}.scopes[2]`,
  ],
  [
    "A4",
    withUser(oauth2({ pkceChallengeMethod: "S256" })),
    withUser(oauth2({ pkceChallengeMethod: "S256", useProofKeyForCodeExchange: false })),
    `AUTH_PKCE_METHOD_UNUSED ${user}.pkceChallengeMethod`,
  ],
  [
    "A5",
    withUser(oauth2({ tokenPrefix: "" })),
    withUser(oauth2({ tokenPrefix: "token", tokenQueryParam: "t" })),
    `AUTH_TOKEN_PLACE ${user}.tokenPrefix`,
  ],
  [
    "A6",
    withUser(oauth2({ additionalParams: { prompt: "consent", response_type: "code", max_age: 1, x: true } })),
    withUser(oauth2({ additionalParams: { state: "x", redirect_uri: "x" } })),
    `AUTH_PARAM_RESERVED ${user}.additionalParams.state`,
    `AUTH_PARAM_RESERVED ${user}.additionalParams.redirect_uri`,
  ],
  [
    "A7 headers",
    withUser({ type: "CustomHeaderToken", headerName: "X-Api-Key" }),
    withUser({ type: "CustomHeaderToken", headerName: "X-Key\r\nX-Evil" }),
    `AUTH_HEADER_NAME ${user}.headerName`,
  ],
  [
    "A7 params",
    withUser({ type: "QueryParamToken", paramName: "key" }),
    withUser({ type: "QueryParamToken", paramName: "" }),
    `AUTH_PARAM_NAME ${user}.paramName`,
  ],
  ["A8", withUser(params("Custom", "a")), withUser(params("Custom")), `AUTH_ENTRIES_MISSING ${user}.params`],
  [
    "A9",
    withUser(oauth2({ instructionsUrl: "https://help.tasks.example" })),
    withUser(oauth2({ instructionsUrl: "help.tasks.example" })),
    `AUTH_INSTRUCTIONS_URL ${user}.instructionsUrl`,
  ],
  [
    "A11 count",
    withFormula({ parameters: [parameter()], examples: [{ params: ["a"], result: "b" }] }),
    withFormula({ parameters: [parameter()], examples: [{ params: [], result: "b" }] }),
    "EXAMPLE_MISMATCH formulas[0].examples[0].params",
  ],
  [
    "A11 types",
    withFormula({ parameters: [parameter({ type: "numberArray" })], examples: [{ params: [[1, 2]], result: "b" }] }),
    withFormula({ parameters: [parameter({ type: "numberArray" })], examples: [{ params: [["1"]], result: 1n }] }),
    "EXAMPLE_RESULT formulas[0].examples[0].result",
    "EXAMPLE_MISMATCH formulas[0].examples[0].params[0]",
  ],
  ["A12 formula", withFormula({ cacheTtlSecs: 1 }), withFormula({ cacheTtlSec: 1 }), "KEY_UNKNOWN formulas[0].cacheTtlSec"],
  [
    "A12 parameter",
    withParameters(parameter({ suggestedValue: "a" })),
    withParameters(parameter({ sugestedValue: "a" })),
    "KEY_UNKNOWN formulas[0].parameters[0].sugestedValue",
  ],
  [
    "A12 object schema",
    object({ titleProperty: "id" }),
    object({ titlePropety: "id" }),
    "SCHEMA_KEY_UNKNOWN formulas[0].schema.titlePropety",
  ],
  ["A12 pack", pack({ formats: [] }), pack({ formulae: [] }), "KEY_UNKNOWN formulae"],
  [
    "A15",
    withFormula({ varargParameters: [parameter()] }),
    withFormula({ varargParameters: [parameter({ optional: true })] }),
    "PARAMETER_VARARG_OPTIONAL formulas[0].varargParameters[0].optional",
  ],
  [
    "PKCE",
    withUser(oauth2({ useProofKeyForCodeExchange: false })),
    withUser(oauth2({ useProofKeyForCodeExchange: undefined })),
    `AUTH_PKCE_MISSING ${user}`,
  ],
];

const report = (definition: unknown) => validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

describe("validateDefinition", () => {
  it.each(rows)("rule %s: a definition that obeys it has no issue", (_rule, obeys) => {
    expect(report(obeys)).toEqual([]);
  });

  it.each(rows)("rule %s: a definition that breaks it is reported at the author's path, once", (_rule, _obeys, breaks, ...reported) => {
    expect(report(breaks).sort()).toEqual([...reported].sort());
  });

  it("gives every issue a hint, a documented code and the severity of that code", () => {
    for (const issue of rows.flatMap(([, , breaks]) => validateDefinition(breaks))) {
      expect(issue.hint).toMatch(/^[A-Z].*[.…]$/s);
      expect(ISSUE_CODES[issue.code as keyof typeof ISSUE_CODES].severity).toBe(issue.severity);
    }
  });

  it("names the nearest known key and value", () => {
    const hints = validateDefinition(withFormula({ cacheTtlSec: 1, resultType: "strin" })).map(({ hint }) => hint);
    expect(hints).toEqual(['Write "string".', "Rename it to cacheTtlSecs."]);
  });

  it("warns only about what another toolchain lets pass, but keeps what guards secrets an error", () => {
    const severities = (members: Definition) =>
      validateDefinition(withUser(oauth2(members)), { compatibility: true }).map(({ code, severity }) => `${severity} ${code}`);
    expect(severities({ scopes: [""] })).toEqual(["warning AUTH_SCOPE_INVALID"]);
    expect(severities({ additionalParams: { state: "x" } })).toEqual(["error AUTH_PARAM_RESERVED"]);
  });

  it.each([[undefined], [null], [3], ["pack"], [[]], [() => 1]])("says that %s is no Pack", (definition) => {
    expect(report(definition)).toEqual(["DEFINITION_INVALID "]);
  });

  it("reports absent and mistyped members without the value, which may be a secret", () => {
    const issues = validateDefinition(withUser({ type: "CustomHeaderToken", headerName: { secret: "s3cret" } }));
    expect(issues.map(({ message }) => message)).toEqual(["headerName must be text, not an object."]);
    expect(report({ formulas: [{}] })).toEqual(
      ["name", "description", "parameters", "resultType", "execute"].map((name) => `MEMBER_MISSING formulas[0].${name}`),
    );
  });

  it("never throws, whatever a definition holds", () => {
    const seeds = rows.flatMap(([, obeys, breaks]) => [obeys, breaks]);
    const odd = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      fc.constant(() => 1),
    );
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.array(fc.nat(50), { maxLength: 6 }), odd, (seed, route, value) => {
        const issues = validateDefinition(mutated(seed, route, value));
        for (const issue of issues) expect(issue.hint).not.toBe("");
      }),
      { numRuns: 2000 },
    );
    expect(report(new Proxy({}, { ownKeys: () => [].at(0) as never }))).toHaveLength(1);
  });
});

/** A copy of a definition in which one member is another value. */
function mutated(at: unknown, [turn, ...route]: number[], value: unknown): unknown {
  if (turn === undefined || typeof at !== "object" || at === null) return value;
  const keys = Object.keys(at);
  const key = keys[turn % (keys.length + 1)] ?? "extra";
  if (!Array.isArray(at)) return { ...at, [key]: mutated((at as Definition)[key], route, value) };
  return at.map((item, index) => (String(index) === key ? mutated(item, route, value) : item));
}
